import { ArrowLeft } from "lucide-react";
import { Outlet } from "react-router";
import { LazySignInDialog } from "../account/sign-in-over.tsx";
import { requireProfileAnswers, requireOpenCommunity } from "../auth.ts";
import { errorMeta } from "../errors/error-facts.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import { ConnectionLostNotice } from "../live/live-shell.tsx";
import { ButtonLink, useRootData } from "../ui/index.ts";
import { ShortcutDialogs } from "../ui/keys-sheet.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../words/index.ts";
import type { Route } from "./+types/resource";
import { Link } from "../ui/link.tsx";
import { useCurrentPath } from "../ui/use-here.ts";

export const middleware = [requireOpenCommunity, requireProfileAnswers];

/** Uses the full width for the resource, with a link back to the library. */
function ReadingFrame({ children }: { children: React.ReactNode }) {
  const t = useTranslate();
  const { community, me } = useRootData();
  const here = useCurrentPath();
  return (
    <>
      <a href="#main" className="skip">
        {t("Skip to the content")}
      </a>
      <ConnectionLostNotice />
      <header className="sticky top-0 z-10 flex h-14 items-center gap-3 border-b border-line bg-paper px-4 print:hidden">
        <Link to={urls.resources()} className="button" data-kind="quiet">
          <ArrowLeft size={18} strokeWidth={1.75} aria-hidden className="rtl:rotate-180" />
          {t("Resources")}
        </Link>
        <Link to={urls.home()} className="ms-auto truncate font-serif font-semibold text-ink no-underline">
          {community.name}
        </Link>
        {!me && (
          <ButtonLink to={urls.login({ next: here })} data-sign-in>
            {t("Sign in")}
          </ButtonLink>
        )}
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-[76rem] px-4 pb-16 pt-6 outline-none">
        {children}
      </main>
      <ShortcutDialogs />
      <LazySignInDialog />
    </>
  );
}

export default function ResourceLayout() {
  return (
    <ReadingFrame>
      <Outlet />
    </ReadingFrame>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <ReadingFrame>
      <ShellErrorPage error={error} />
    </ReadingFrame>
  );
}
