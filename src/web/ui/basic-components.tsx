import type { ReactNode } from "react";
import { useLocale, useTranslate } from "../i18n/index.ts";
import { numberFormat } from "./text/intl-formats.ts";
import { Link } from "./navigation/link.tsx";

/** A small count badge. `fresh`: it counts unread items; `of` names these for screen readers. */
export function CountBadge({ n, fresh = false, of }: { n: number; fresh?: boolean; of?: string }) {
  const locale = useLocale();
  return (
    <span className="count" data-new={fresh || undefined}>
      {numberFormat(locale, { notation: n > 9999 ? "compact" : "standard" }).format(n)}
      {of && <span className="sr-only">{` ${of}`}</span>}
    </span>
  );
}

export const Tag = ({ children, to }: { children: ReactNode; to?: string }) =>
  to ? (
    <Link to={to} className="tag">
      {children}
    </Link>
  ) : (
    <span className="tag">{children}</span>
  );

export const Notice = ({ tone, children }: { tone?: "good" | "bad" | "pending"; children: ReactNode }) => (
  <div className="notice" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
    <div>{children}</div>
  </div>
);

export const Panel = ({
  title,
  children,
  className = "",
  id,
}: {
  title?: string;
  children: ReactNode;
  className?: string;
  id?: string;
}) => (
  <section className={`panel p-4 ${className}`} aria-label={title} id={id}>
    {title && <h2 className="mb-2 text-base font-semibold">{title}</h2>}
    {children}
  </section>
);

/** Empty state: explains what the page is for and offers one next step. */
export const EmptyState = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="panel px-6 py-10 text-center">
    <p className="font-serif text-large font-semibold">{title}</p>
    {children && <div className="mx-auto mt-1 max-w-[48ch] text-quiet">{children}</div>}
    {action && <div className="mt-4">{action}</div>}
  </div>
);

/** The page's only h1, with its actions. */
export const PageHeader = ({
  title,
  lead,
  actions,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}) => (
  <header className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
    <div className="min-w-0">
      <h1 className="font-serif text-title font-semibold">{title}</h1>
      {lead && <p className="mt-0.5 text-quiet">{lead}</p>}
    </div>
    {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
  </header>
);

/** Link to the next page of a list that uses cursors. */
export function NextPageLink({ to }: { to: string | null }) {
  const t = useTranslate();
  if (!to) return null;
  return (
    <nav aria-label={t("Pages")} className="mt-6 text-center">
      <Link to={to} className="button" rel="next" preventScrollReset>
        {t("Show more")}
      </Link>
    </nav>
  );
}
