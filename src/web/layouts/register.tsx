import { Outlet } from "react-router";
import { errorMeta } from "../errors/error-facts.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import type { Route } from "./+types/register";
import { CenteredSheet } from "./sheet.tsx";

export default function RegisterLayout() {
  return (
    <CenteredSheet wide>
      <Outlet />
    </CenteredSheet>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <CenteredSheet wide>
      <ShellErrorPage error={error} />
    </CenteredSheet>
  );
}
