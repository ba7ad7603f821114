import { type PublishedCount, type TransparencyMonth, getTransparencyReport } from "#community/moderation";
import { EmptyState, PageHeader, pageMeta, useRootData } from "../ui/index.ts";
import { dateFormat, numberFormat } from "../ui/text/intl-formats.ts";
import { urls } from "../urls.ts";
import { defineLoader, addCacheTags } from "../request-context.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/transparency-page";

export const loader = defineLoader(async ({ ctx, db }) => {
  // The numbers may be a minute old.
  addCacheTags(ctx, "settings");
  return { months: await getTransparencyReport(db, ctx.now) };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Moderation statistics"),
  canonical: urls.transparency(),
}));

export default function Transparency({ loaderData: { months } }: Route.ComponentProps) {
  const t = useTranslate();
  const { community } = useRootData();
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
      />
      {monthsWithCounts.length === 0 ? (
        <EmptyState title={t("No reports and no removals in the last twelve months.")} />
      ) : (
        monthsWithCounts.map((it) => <MonthRow key={it.month} it={it} />)
      )}
      {monthsWithCounts.length > 0 && monthsWithCounts.length < months.length && (
        <p className="mt-4 text-quiet">{t("No reports and no removals in the other months of the year.")}</p>
      )}
    </>
  );
}

const getCounts = ({ month: _, ...counts }: TransparencyMonth): PublishedCount[] => Object.values(counts);

function MonthRow({ it }: { it: TransparencyMonth }) {
  const t = useTranslate();
  const locale = useLocale();
  const all: [string, PublishedCount][] = [
    [t("Reported"), it.reports],
    [t("Upheld"), it.upheld],
    [t("Dismissed"), it.rejected],
    [t("Posts and resources removed"), it.removed],
    [t("Appealed"), it.appeals],
    [t("Restored"), it.restored],
    [t("Not restored"), it.kept],
    [t("Accounts restricted"), it.limited],
    [t("Accounts suspended"), it.suspended],
  ];
  const counts = all.filter(([, count]) => count !== 0);
  const month = dateFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${it.month}-01T00:00:00Z`),
  );
  return (
    <section className="border-b border-line py-4">
      <h2 className="mb-2 text-body font-semibold">{month}</h2>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 phone:grid-cols-3">
        {counts.map(([what, count]) => (
          <div key={what}>
            <dt className="text-small text-quiet">{what}</dt>
            <dd className="font-semibold tabular-nums">
              {count === "few" ? t("fewer than 3") : numberFormat(locale).format(count)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
