import { Outlet } from "react-router";
import { errorMeta } from "../errors/error-facts.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import type { Route } from "./+types/register";
import { Sheet } from "./sheet.tsx";

export default function RegisterLayout() {
  return (
    <Sheet wide>
      <Outlet />
    </Sheet>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Sheet wide>
      <ShellErrorPage error={error} />
    </Sheet>
  );
}
