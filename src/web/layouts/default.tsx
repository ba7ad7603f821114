import { Suspense, useEffect, useRef } from "react";
import { Outlet, useLocation, useMatches } from "react-router";
import { shellFor } from "#community/notifications";
import { isSignedIn } from "#community/rules";
import { answersFirst, houseIsOpen } from "../auth.ts";
import { SignInOver } from "../account/sign-in-over.tsx";
import { lazyPart } from "../client/lazy-part.ts";
import { errorMeta } from "../errors/error-facts.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import { LineLost, useLiveShell } from "../live/live-shell.tsx";
import { useBell } from "../notifications/use-bell.ts";
import { reading } from "../visit.ts";
import { useRoot } from "../ui/index.ts";
import { KeysSheet } from "../ui/keys-sheet.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/default";
import { DiscussionsSidebar, type SidebarData } from "./discussions-sidebar.tsx";
import { Footer } from "./footer.tsx";
import { MessagesSidebar } from "./messages-sidebar.tsx";
import { BottomBar, Rail, TopBar } from "./rail.tsx";

const HoverCards = lazyPart(() => import("../people/hover-cards.tsx"));

export const middleware = [houseIsOpen, answersFirst];

/** A discussion's page shows the group's other discussions in the sidebar, and no conversations. */
const isDiscussion = (pathname: string) => /^\/discussions\/[^/]+$/.test(pathname);

/**
 * Data that the layout shows beside every page: counters, own groups, latest conversations. One query; none
 * for guests.
 */
export const loader = reading(async ({ viewer, quick, url }) =>
  isSignedIn(viewer) ? shellFor(quick, viewer, { conversations: !isDiscussion(url.pathname) }) : null,
);

export type ShellData = Awaited<ReturnType<typeof loader>>;

/** A page's handle says which sidebars it has; its loader provides the rows of the discussions sidebar. */
export type ShellHandle = { asides?: "both" | "none" };

export default function DefaultLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Shell shell={useLiveShell(loaderData)}>
      <Outlet />
    </Shell>
  );
}

export function Shell({ shell, children }: { shell: ShellData; children: React.ReactNode }) {
  const t = useWords();
  const hydrated = useHydrated();
  const { pathname } = useLocation();
  useBell(pathname === urls.notifications() ? 0 : (shell?.badges.notifications ?? 0));
  return (
    <>
      <a href="#main" className="skip">
        {t("Skip to the content")}
      </a>
      <LineLost />
      <div className="shell">
        <TopBar shell={shell} />
        <Rail shell={shell} />
        <main id="main" tabIndex={-1} className="shell-main outline-none">
          {children}
        </main>
        <Aside shell={shell} />
        <Footer />
      </div>
      <BottomBar shell={shell} />
      <KeysSheet />
      {hydrated && shell && (
        <Suspense>
          <HoverCards />
        </Suspense>
      )}
      <SignInOver />
    </>
  );
}

/**
 * Beside the page on wide screens; else a popover that a button of the page opens (`OpenBeside`), and that
 * closes on navigation.
 */
function Aside({ shell }: { shell: ShellData }) {
  const t = useWords();
  const matches = useMatches();
  const last = matches.at(-1);
  const asides = (last?.handle as ShellHandle | undefined)?.asides;
  const data = last?.loaderData as { sidebar?: SidebarData; asOf?: number } | undefined;
  const { me } = useRoot();
  const { key } = useLocation();
  const sheet = useRef<HTMLDivElement>(null);
  // Only on navigation, not on hydration: it may have been opened before.
  useEffect(() => () => sheet.current?.hidePopover?.(), [key]);
  if (asides === "none" || (!data?.sidebar && !me)) return null;
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
      {data?.sidebar && <DiscussionsSidebar data={data.sidebar} asOf={data.asOf} />}
      {shell?.conversations && (!data?.sidebar || asides === "both") && <MessagesSidebar conversations={shell.conversations} />}
    </div>
  );
}

export const meta = errorMeta;

/** A failed page keeps the layout around its error message. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Shell shell={loaderData ?? null}>
      <ShellErrorPage error={error} />
    </Shell>
  );
}
