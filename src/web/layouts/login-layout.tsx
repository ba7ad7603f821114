import { Outlet } from "react-router";
import { errorMeta } from "../errors/error-page-data.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import type { Route } from "./+types/login-layout";
import { CenteredSheet } from "./centered-sheet.tsx";

export default function LoginLayout() {
  return (
    <CenteredSheet>
      <Outlet />
    </CenteredSheet>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <CenteredSheet>
      <ShellErrorPage error={error} />
    </CenteredSheet>
  );
}
