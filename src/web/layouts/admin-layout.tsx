import { useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { requireProfileAnswers, requireOpenCommunity } from "../auth-middleware.ts";
import { LazySignInDialog } from "../account/sign-in/lazy-sign-in-dialog.tsx";
import { errorMeta } from "../errors/error-page-data.ts";
import { ShellErrorPage } from "../errors/error-page.tsx";
import { ConnectionLostNotice } from "../live/live-shell-data.tsx";
import { useLiveConnection } from "../live/use-live-connection.ts";
import { useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { ShortcutDialogs } from "../ui/shortcuts/shortcut-dialogs.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/admin-layout";
import { type AdminSection, useAdminSections, useCurrentAdminPage } from "./admin-pages.ts";

export const middleware = [requireOpenCommunity, requireProfileAnswers];

/** Layout of the administration and of moderation: full width, with navigation of its own. */
export default function AdminLayout() {
  useLiveConnection();
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  );
}

function AdminFrame({ children }: { children: React.ReactNode }) {
  const t = useTranslate();
  const { community, admin } = useRootData();
  const sections = useAdminSections();
  const title = admin ? t("Administration") : t("Moderation");
  return (
    <>
      <a href="#main" className="skip">
        {t("Skip to content")}
      </a>
      <ConnectionLostNotice />
      <header className="admin-bar">
        <Link to={urls.home()} className="button min-w-0 shrink" data-kind="quiet">
          <i className="icon icon-arrow-left rtl:rotate-180" />
          <span dir="auto" className="brand truncate">
            {community.name}
          </span>
        </Link>
        <button type="button" popoverTarget="admin-pages" className="button ms-auto rail:hidden">
          <i className="icon icon-list" />
          {title}
        </button>
      </header>
      <div className="admin-area">
        <AdminNavigation title={title} sections={sections} />
        <main id="main" tabIndex={-1} className="admin-main outline-none">
          {children}
        </main>
      </div>
      <ShortcutDialogs />
      <LazySignInDialog />
    </>
  );
}

/**
 * The navigation, beside the page on wide screens. On others it is a popover, which the button in the bar
 * opens and which closes on navigation.
 */
function AdminNavigation({ title, sections }: { title: string; sections: AdminSection[] }) {
  const t = useTranslate();
  const { key } = useLocation();
  const current = useCurrentAdminPage(sections);
  const sheet = useRef<HTMLElement>(null);
  const shownAt = useRef(key);
  useEffect(() => {
    if (shownAt.current !== key) sheet.current?.hidePopover?.();
    shownAt.current = key;
  }, [key]);
  return (
    <nav ref={sheet} id="admin-pages" popover="auto" aria-label={title} className="admin-nav">
      <button
        type="button"
        popoverTarget="admin-pages"
        popoverTargetAction="hide"
        className="button float-end -my-1 rail:hidden"
        data-kind="quiet"
      >
        {t("Close")}
      </button>
      <p className="mb-2 px-2.5 font-serif text-large font-semibold">{title}</p>
      <ul>
        {sections.map((section) => (
          <SectionLinks key={section.label} section={section} current={current} />
        ))}
      </ul>
    </nav>
  );
}

/** A section, with its pages while one of them is open. */
function SectionLinks({ section, current }: { section: AdminSection; current: string | undefined }) {
  const { to, icon, label, pages } = section;
  const open = pages.some((page) => page.to === current);
  const isPage = pages.length === 1;
  return (
    <li>
      <Link to={to} className="rail-link" aria-current={open && isPage ? "page" : undefined}>
        <i className={`icon icon-${icon}`} />
        <span className={open ? "rail-name font-semibold" : "rail-name"}>{label}</span>
      </Link>
      {open && !isPage && (
        <ul className="ms-5 mb-2 border-s border-line ps-2">
          {pages.map((page) => (
            <li key={page.to}>
              <Link
                to={page.to}
                className="rail-link"
                aria-current={page.to === current ? "page" : undefined}
              >
                {page.label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <AdminFrame>
      <ShellErrorPage error={error} />
    </AdminFrame>
  );
}
