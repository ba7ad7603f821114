import { getResponseTimes, type GroupResponseTimes, listResponseTimes } from "#community/moderation";
import { requireMember } from "../../auth-middleware.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { defineLoader } from "../../request-context.ts";
import { EmptyState, PageHeader, pageMeta } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { urls } from "../../urls.ts";
import type { Route } from "./+types/response-times-page";
import { useFormatSeconds } from "./response-times.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer }) => {
  const [total, rows] = await Promise.all([
    getResponseTimes(db, viewer, ctx.now),
    listResponseTimes(db, viewer, ctx.now),
  ]);
  return { total, rows };
});

export const meta = pageMeta((_data, t) => ({ title: t("Response times"), hidden: true }));

export default function ResponseTimesPage({ loaderData: { total, rows } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <p className="mb-2">
        <Link to={urls.moderation()}>{t("All cases")}</Link>
      </p>
      <PageHeader
        title={t("Response times")}
        lead={t("Median times from the first report of a case, over the last 30 days, without appeals.")}
      />
      {rows.length === 0 ? (
        <EmptyState title={t("No cases were claimed or decided in the last 30 days.")} />
      ) : (
        <TimesTable total={total} rows={rows} />
      )}
    </>
  );
}

const CELL = "py-2 ps-4 text-end tabular-nums align-top";

function TimesTable({ total, rows }: Pick<Route.ComponentProps["loaderData"], "total" | "rows">) {
  const t = useTranslate();
  const locale = useLocale();
  const number = (n: number) => numberFormat(locale).format(n);
  const sum = (of: (row: GroupResponseTimes) => number) =>
    number(rows.reduce((all, row) => all + of(row), 0));
  const columns = [t("Claimed"), t("Median time to claim"), t("Decided"), t("Median time to decision")];
  const seconds = useFormatSeconds();
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-small">
        <caption className="sr-only">{t("Response times by group")}</caption>
        <thead className="text-quiet">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 text-start font-normal">
              {t("Group")}
            </th>
            {columns.map((label) => (
              <th key={label} scope="col" className={`${CELL} font-normal`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.group?.slug ?? ""} className="border-b border-line">
              <th scope="row" className="min-w-28 py-2 text-start font-normal break-words">
                {row.group ? (
                  <Link to={urls.group(row.group.slug)} dir="auto">
                    {row.group.name}
                  </Link>
                ) : (
                  t("Outside of groups")
                )}
              </th>
              <td className={CELL}>{number(row.claimed)}</td>
              <td className={CELL}>{seconds(row.claimSeconds)}</td>
              <td className={CELL}>{number(row.decided)}</td>
              <td className={CELL}>{seconds(row.decisionSeconds)}</td>
            </tr>
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot>
            <tr className="font-semibold">
              <th scope="row" className="py-2 text-start">
                {t("All")}
              </th>
              <td className={CELL}>{sum(({ claimed }) => claimed)}</td>
              <td className={CELL}>{seconds(total.claimSeconds)}</td>
              <td className={CELL}>{sum(({ decided }) => decided)}</td>
              <td className={CELL}>{seconds(total.decisionSeconds)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
