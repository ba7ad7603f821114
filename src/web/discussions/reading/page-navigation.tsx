import type { DiscussionData } from "../discussion-data.ts";
import { urls } from "../../urls.ts";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** Numbered pages, above and below the posts. */
export function PageNavigation({ data, where }: { data: DiscussionData; where: "above" | "below" }) {
  const t = useTranslate();
  const { page, upTo, pages } = data;
  const count = numberFormat(useLocale()).format;
  const counts = { page: count(page), upTo: count(upTo), pages: count(pages) };
  if (pages < 2) return null;
  const go = (to: number, label: string, sign: string, rel?: string) =>
    to < 1 || to > pages || (to >= page && to <= upTo) ? (
      <span className="button opacity-45" data-kind="quiet" aria-hidden>
        <i className={`icon icon-${sign} rtl:rotate-180`} />
      </span>
    ) : (
      <Link
        to={urls.discussion(data.discussion.id, { page: to })}
        className="button"
        data-kind="quiet"
        aria-label={label}
        rel={rel}
      >
        <i className={`icon icon-${sign} rtl:rotate-180`} />
      </Link>
    );
  return (
    <nav
      aria-label={where === "above" ? t("Pages, above the posts") : t("Pages, below the posts")}
      className="my-3 flex items-center justify-center gap-1"
    >
      {go(1, t("First page"), "chevron-first")}
      {go(page - 1, t("Previous page"), "chevron-left", "prev")}
      <span className="px-2 text-small text-quiet figures" aria-current="page">
        {upTo > page ? t("Pages {page} to {upTo} of {pages}", counts) : t("Page {page} of {pages}", counts)}
      </span>
      {go(upTo + 1, t("Next page"), "chevron-right", "next")}
      {go(pages, t("Last page"), "chevron-last")}
    </nav>
  );
}
