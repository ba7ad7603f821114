import { Outlet } from "react-router";
import { errorMeta } from "../errors/error-facts.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import type { Route } from "./+types/login";
import { Sheet } from "./sheet.tsx";

export default function LoginLayout() {
  return (
    <Sheet>
      <Outlet />
    </Sheet>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Sheet>
      <ShellErrorPage error={error} />
    </Sheet>
  );
}
