import { Outlet } from "react-router";
import { LazySignInDialog } from "../account/sign-in/lazy-sign-in-dialog.tsx";
import { requireProfileAnswers, requireOpenCommunity } from "../auth-middleware.ts";
import { errorMeta } from "../errors/error-page-data.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import { ConnectionLostNotice } from "../live/live-shell-data.tsx";
import { ButtonLink, useRootData } from "../ui/index.ts";
import { ShortcutDialogs } from "../ui/shortcuts/shortcut-dialogs.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/resource-layout";
import { Link } from "../ui/navigation/link.tsx";
import { useCurrentPath } from "../ui/hooks/use-current-path.ts";

export const middleware = [requireOpenCommunity, requireProfileAnswers];

/** Shows the resource at full width, with a link back to the library. */
function ReadingFrame({ children }: { children: React.ReactNode }) {
  const t = useTranslate();
  const { community, me } = useRootData();
  const here = useCurrentPath();
  return (
    <>
      <a href="#main" className="skip">
        {t("Skip to content")}
      </a>
      <ConnectionLostNotice />
      <header
        className="sticky top-0 z-10 flex h-14 items-center gap-3 border-b border-line bg-paper px-4
        print:hidden"
      >
        <Link to={urls.resources()} className="button" data-kind="quiet">
          <i className="icon icon-arrow-left rtl:rotate-180" />
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
