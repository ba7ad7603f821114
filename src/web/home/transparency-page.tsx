import {
  type CategoryStatistics,
  getCategoryStatistics,
  getTransparencyReport,
  type PublishedCount,
  type TransparencyMonth,
} from "#community/moderation";
import { useCategoryLabel } from "../moderation/reports/category-labels.ts";
import { EmptyState, PageHeader, pageMeta, useRootData } from "../ui/index.ts";
import { dateFormat, numberFormat } from "../ui/text/intl-formats.ts";
import { urls } from "../urls.ts";
import { defineLoader, addCacheTags } from "../request-context.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/transparency-page";

export const loader = defineLoader(async ({ app, ctx, db }) => {
  // Decisions do not clear the cached page, so its numbers may be a minute old.
  addCacheTags(ctx, "settings");
  const [months, statistics, { reportCategories }] = await Promise.all([
    getTransparencyReport(db, ctx.now),
    getCategoryStatistics(db, ctx.now),
    app.settings.get(),
  ]);
  // Categories have the order and the names of the settings, as in the report form.
  const order = (id: string) => reportCategories.findIndex((it) => it.id === id);
  const categories = statistics
    .toSorted((a, b) => order(a.category) - order(b.category))
    .map((it) => ({ ...it, name: reportCategories[order(it.category)]?.name ?? "" }));
  return { months, categories };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Moderation statistics"),
  canonical: urls.transparency(),
}));

export default function Transparency({ loaderData: { months, categories } }: Route.ComponentProps) {
  const t = useTranslate();
  const { admin, community } = useRootData();
  const monthsWithCounts = months.filter((it) => getCounts(it).some((count) => count !== 0));
  return (
    <>
      <PageHeader
        title={t("Moderation statistics")}
        lead={t(
          "Reports in {name} and their decisions per month, over all groups. Nobody is named, and " +
            "small numbers are not shown.",
          {
            name: community.name,
          },
        )}
        actions={
          admin && (
            <a href={urls.decisionsFile()} download className="button">
              <i className="icon icon-download" />
              {t("Download decisions (CSV)")}
            </a>
          )
        }
      />
      {monthsWithCounts.length === 0 ? (
        <EmptyState title={t("No reports and no removals in the last twelve months.")} />
      ) : (
        monthsWithCounts.map((it) => <MonthRow key={it.month} it={it} />)
      )}
      {monthsWithCounts.length > 0 && monthsWithCounts.length < months.length && (
        <p className="mt-4 text-quiet">{t("No reports and no removals in the other months of the year.")}</p>
      )}
      {categories.length > 0 && (
        <section aria-labelledby="categories" className="mt-10">
          <h2 id="categories" className="mb-2 font-serif text-large font-semibold">
            {t("By category, last twelve months")}
          </h2>
          {categories.map((it) => (
            <CategoryRow key={it.category} it={it} />
          ))}
        </section>
      )}
    </>
  );
}

const getCounts = ({ month: _, ...counts }: TransparencyMonth): PublishedCount[] => Object.values(counts);

function CategoryRow({ it }: { it: CategoryStatistics & { name: string } }) {
  const t = useTranslate();
  const label = useCategoryLabel();
  const counts: LabelledCount[] = [
    [t("Reported"), it.reports],
    [t("Removed"), it.removed],
    ...getMeasureCounts(t, it),
    [t("Accounts restricted"), it.limited],
    [t("Accounts suspended"), it.suspended],
    [t("Upheld, nothing removed"), it.none],
    [t("Dismissed"), it.dismissed],
  ];
  return (
    <section className="border-b border-line py-4">
      <h3 dir="auto" className="mb-2 text-body font-semibold break-words">
        {label({ id: it.category, name: it.name })}
      </h3>
      <CountList counts={counts} />
    </section>
  );
}

function MonthRow({ it }: { it: TransparencyMonth }) {
  const t = useTranslate();
  const locale = useLocale();
  const counts: LabelledCount[] = [
    [t("Reported"), it.reports],
    [t("Flagged automatically"), it.automatic],
    [t("Upheld"), it.upheld],
    [t("Dismissed"), it.rejected],
    [t("Posts and resources removed"), it.removed],
    [t("Appealed"), it.appeals],
    [t("Restored"), it.restored],
    [t("Not restored"), it.kept],
    ...getMeasureCounts(t, it),
    [t("Accounts restricted"), it.limited],
    [t("Accounts suspended"), it.suspended],
  ];
  const month = dateFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${it.month}-01T00:00:00Z`),
  );
  return (
    <section className="border-b border-line py-4">
      <h2 className="mb-2 text-body font-semibold">{month}</h2>
      <CountList counts={counts} />
    </section>
  );
}

type LabelledCount = [label: string, count: PublishedCount];

/** Measures that neither remove content nor restrict an account. */
const getMeasureCounts = (
  t: ReturnType<typeof useTranslate>,
  it: Pick<TransparencyMonth, "returned" | "warned" | "locked" | "slowed" | "banned" | "archived">,
): LabelledCount[] => [
  [t("Changes requested"), it.returned],
  [t("Warnings"), it.warned],
  [t("Discussions locked"), it.locked],
  [t("Discussions slowed down"), it.slowed],
  [t("Group bans"), it.banned],
  [t("Groups archived"), it.archived],
];

/** Counts with their labels, without zeros. */
function CountList({ counts }: { counts: LabelledCount[] }) {
  const t = useTranslate();
  const locale = useLocale();
  const shown = counts.filter(([, count]) => count !== 0);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 phone:grid-cols-3">
      {shown.map(([what, count]) => (
        <div key={what}>
          <dt className="text-small text-quiet">{what}</dt>
          <dd className="font-semibold tabular-nums">
            {count === "few" ? t("fewer than 3") : numberFormat(locale).format(count)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
