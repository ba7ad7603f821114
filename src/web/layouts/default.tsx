import { type ReactNode, useEffect, useRef } from "react";
import { Outlet, useLocation, useMatches } from "react-router";
import { getPageSidebar } from "#community/notifications";
import { isSignedIn } from "#community/rules";
import { requireProfileAnswers, requireOpenCommunity } from "../auth-middleware.ts";
import { LazySignInDialog } from "../account/sign-in/lazy-sign-in-dialog.tsx";
import { errorMeta } from "../errors/error-page-data.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import { ConnectionLostNotice, useLiveShell } from "../live/live-shell-data.tsx";
import { useUnreadBadge } from "../notifications/use-unread-badge.ts";
import { defineLoader } from "../request-context.ts";
import { ShortcutDialogs } from "../ui/shortcuts/shortcut-dialogs.tsx";
import { useHydrated } from "../ui/hooks/use-hydrated.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/default";
import { BottomBar } from "./bottom-bar.tsx";
import { Footer } from "./footer.tsx";
import { MessagesSidebar } from "./messages-sidebar.tsx";
import { Rail, TopBar } from "./navigation-bars.tsx";
import HoverCards from "../people/hover-cards.tsx";

export const middleware = [requireOpenCommunity, requireProfileAnswers];

/**
 * Whether the path is a discussion's page, whose sidebar shows the group's other discussions instead of
 * conversations.
 */
const isDiscussionPath = (pathname: string) => /^\/discussions\/[^/]+$/.test(pathname);

/**
 * Data that the layout shows beside every page: counters, the viewer's groups, latest conversations. It
 * takes one query for members, no query for guests.
 */
export const loader = defineLoader(async ({ viewer, db, url }) =>
  isSignedIn(viewer) ? getPageSidebar(db, viewer, { conversations: !isDiscussionPath(url.pathname) }) : null,
);

export type ShellData = Awaited<ReturnType<typeof loader>>;

/**
 * A page's handle says what is beside it: `aside`, made of the page's data, else recent messages. `asides`:
 * `none` of them, or `below`: both on wide screens, and the aside below the page on others. `thread`: on
 * narrow screens the page has a header of its own and no other bars.
 */
export type ShellHandle<Data = unknown> = {
  asides?: "none" | "below";
  aside?: (data: Data) => ReactNode;
  thread?: true;
};
const useShellHandle = () =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router does not type the handles of pages
  useMatches().at(-1)?.handle as ShellHandle | undefined;

export default function DefaultLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Shell shell={useLiveShell(loaderData)}>
      <Outlet />
    </Shell>
  );
}

export function Shell({ shell, children }: { shell: ShellData; children: React.ReactNode }) {
  const t = useTranslate();
  const hydrated = useHydrated();
  const { pathname } = useLocation();
  useUnreadBadge(pathname === urls.notifications() ? 0 : (shell?.badges.notifications ?? 0));
  return (
    <>
      <a href="#main" className="skip">
        {t("Skip to content")}
      </a>
      <ConnectionLostNotice />
      <div className="shell" data-thread={useShellHandle()?.thread}>
        <TopBar shell={shell} />
        <Rail shell={shell} />
        <main id="main" tabIndex={-1} className="shell-main outline-none">
          {children}
        </main>
        <Sidebars shell={shell} />
        <Footer />
      </div>
      <BottomBar shell={shell} />
      <ShortcutDialogs />
      {hydrated && shell && <HoverCards />}
      <LazySignInDialog />
    </>
  );
}

/**
 * Sidebars beside the page on wide screens. On other screens they follow the page, or are a popover, which a
 * button of the page may open and which closes on navigation.
 */
function Sidebars({ shell }: { shell: ShellData }) {
  const t = useTranslate();
  const { asides, aside } = useShellHandle() ?? {};
  const data = useMatches().at(-1)?.loaderData;
  const { key } = useLocation();
  const sheet = useRef<HTMLDivElement>(null);
  const shownAt = useRef(key);
  // Closes the popover only on navigation and not on hydration, before which it may have been opened.
  useEffect(() => {
    if (shownAt.current !== key) sheet.current?.hidePopover?.();
    shownAt.current = key;
  }, [key]);
  if (asides === "none") return null;
  const own = data !== undefined && aside?.(data);
  const messages = shell?.conversations && <MessagesSidebar conversations={shell.conversations} />;
  if (own && asides === "below")
    return (
      <div className="shell-aside" data-below>
        {own}
        <div className="hidden wide:block">{messages}</div>
      </div>
    );
  if (!own && !messages) return null;
  return (
    <div ref={sheet} id="beside" popover="auto" className="shell-aside">
      <button
        type="button"
        popoverTarget="beside"
        popoverTargetAction="hide"
        className="button float-end -my-2 wide:hidden"
        data-kind="quiet"
      >
        {t("Close")}
      </button>
      {own || messages}
    </div>
  );
}

export const meta = errorMeta;

/** If a page fails, its error message is shown inside the layout. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Shell shell={loaderData ?? null}>
      <ShellErrorPage error={error} />
    </Shell>
  );
}
