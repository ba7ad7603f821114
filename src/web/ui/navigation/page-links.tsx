import type { ReactNode } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { Link } from "./link.tsx";

/** Address of a page; null where there is none; undefined for lists without such a link. */
type PageAddress = string | null | undefined;

type PageLinksProps = {
  label?: string;
  first?: PageAddress;
  previous: PageAddress;
  next: PageAddress;
  last?: PageAddress;
  preventScrollReset?: boolean;
  /** Link in place of the one to the next page. */
  more?: ReactNode;
  /** The page that is open. */
  children?: ReactNode;
};

/** Links to the pages of a list that can be read in both directions. */
export function PageLinks({ label, first, previous, next, last, more, children, ...rest }: PageLinksProps) {
  const t = useTranslate();
  const go = (to: PageAddress, name: string, sign: string, rel?: string) => {
    const icon = <i className={`icon ${sign} rtl:rotate-180`} />;
    const look = { className: "button", "data-kind": "quiet" };
    if (to === undefined) return null;
    if (to === null)
      return (
        <span {...look} className="button opacity-45" aria-hidden>
          {icon}
        </span>
      );
    return (
      <Link {...look} {...rest} to={to} aria-label={name} rel={rel}>
        {icon}
      </Link>
    );
  };
  return (
    <nav aria-label={label ?? t("Pages")} className="my-4 flex flex-wrap items-center justify-center gap-1">
      {go(first, t("First page"), "icon-chevron-first")}
      {go(previous, t("Previous page"), "icon-chevron-left", "prev")}
      {children && (
        <span className="px-2 text-small text-quiet figures" aria-current="page">
          {children}
        </span>
      )}
      {more || go(next, t("Next page"), "icon-chevron-right", "next")}
      {go(last, t("Last page"), "icon-chevron-last")}
    </nav>
  );
}
