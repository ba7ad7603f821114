import type { SearchResultSection } from "#community/search";
import { CountBadge, Tabs } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useLocale, useTranslate } from "../i18n/index.ts";
import { SearchHit } from "./search-hit.tsx";
import { useSearchLabels } from "./search-labels.ts";
import type { SearchLinks } from "./search-links.ts";

/** Tabs for kinds, and the filters in use. */
export function SearchTabs({ links: { types, operators } }: { links: SearchLinks }) {
  const t = useTranslate();
  const { kind } = useSearchLabels();
  return (
    <div className="mb-5">
      <Tabs
        label={t("Type")}
        tabs={types.map((it) => ({ to: it.to, label: kind(it.value), current: it.current }))}
      />
      {operators.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2" aria-label={t("Active filters")}>
          {operators.map((it) => (
            <li key={`${it.name}:${it.value}`}>
              <Link
                to={it.without}
                className="tag"
                aria-label={t("Without “{search}”", { search: `${it.name}:${it.value}` })}
              >
                <bdi>
                  {it.name}:{it.value}
                </bdi>{" "}
                <i className="icon icon-x size-3.5 align-text-bottom" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Sort orders and filters of the results; several kinds of results have none in common. */
export function SearchFilters({ links: { types, sorts, facets } }: { links: SearchLinks }) {
  const t = useTranslate();
  const { sort, facet, value } = useSearchLabels();
  if (!types.some((it) => it.current && it.value !== "")) return null;
  return (
    <div className="mb-6 grid gap-3 px-2.5">
      <FilterLinks label={t("Order")} links={sorts.map((it) => ({ ...it, value: sort(it.value) }))} />
      {facets.map((it) => (
        <FilterLinks
          key={it.name}
          label={facet(it.name)}
          links={it.values.map((option) => ({ ...option, value: value(it.name, option.value) }))}
        />
      ))}
    </div>
  );
}

const FilterLinks = ({ label, links }: { label: string; links: SearchLinks["sorts"] }) => (
  <nav aria-label={label} className="flex flex-wrap items-center gap-2">
    <span className="text-small font-semibold text-quiet">{label}</span>
    {links.map(({ value, to, current, count }) => (
      <Link
        key={value}
        to={to}
        className="tag"
        aria-current={current ? "true" : undefined}
        preventScrollReset
      >
        <bdi>{value}</bdi> {count ? <CountBadge n={count} /> : null}
      </Link>
    ))}
  </nav>
);

/** A few hits of each kind, with a link to all of that kind. */
export function ResultSections({
  sections,
  links: { types },
}: {
  sections: SearchResultSection[];
  links: SearchLinks;
}) {
  const t = useTranslate();
  const locale = useLocale();
  const { kind } = useSearchLabels();
  return (
    <div className="grid grid-cols-1 gap-7">
      {sections.map(({ index, items, total, exact }) => (
        <section key={index} aria-label={kind(index)}>
          <h2 className="flex items-baseline justify-between gap-3 text-large font-semibold">
            {kind(index)}
            {total > items.length && sections.length > 1 && (
              <Link to={types.find((it) => it.value === index)?.to ?? ""} className="text-small font-normal">
                {exact
                  ? t("All {count}", { count: new Intl.NumberFormat(locale).format(total) })
                  : t("More than {count}", { count: new Intl.NumberFormat(locale).format(total) })}
                <span className="sr-only"> {kind(index)}</span>
              </Link>
            )}
          </h2>
          <ul>
            {items.map((item) => (
              <SearchHit key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
