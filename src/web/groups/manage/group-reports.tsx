import type { Group } from "#community/groups";
import { useCaseSortLabels } from "../../moderation/queue/case-risk.tsx";
import { ReportRowContent } from "../../moderation/reports/report-list.tsx";
import { ChoiceLink, EmptyState, NextPageLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ManageContent } from "./manage-group-data.ts";

const CASE_ORDERS = ["risk", "oldest", "newest", "reports"] as const;

/** Cases of the group: open ones by risk, age or number of reports, or closed ones. */
export function GroupReports({
  group,
  content: { tab, sort, rows, next },
}: {
  group: Group;
  content: ManageContent<"reports">;
}) {
  const t = useTranslate();
  const sorts = useCaseSortLabels();
  const done = tab === "resolved";
  const view = done ? { view: "done" as const } : sort === "risk" ? {} : { sort };
  return (
    <>
      <h2 id="reports" className="sr-only">
        {t("Reports")}
      </h2>
      <nav aria-labelledby="reports" className="mb-2 flex flex-wrap items-center gap-2 text-small">
        <ChoiceLink to={urls.manageGroup(group.slug, "reports")} current={!done}>
          {t("Open")}
        </ChoiceLink>
        <ChoiceLink to={urls.manageGroup(group.slug, "reports", { view: "done" })} current={done}>
          {t("Done")}
        </ChoiceLink>
      </nav>
      {!done && (
        <nav aria-label={t("Sort by")} className="mb-2 flex flex-wrap items-center gap-2 text-small">
          {CASE_ORDERS.map((name) => (
            <ChoiceLink
              key={name}
              to={urls.manageGroup(group.slug, "reports", name === "risk" ? {} : { sort: name })}
              current={name === sort}
            >
              {sorts[name]}
            </ChoiceLink>
          ))}
        </nav>
      )}
      {rows.length === 0 && (
        <EmptyState title={done ? t("No entries yet.") : t("Nothing to do.")}>
          {done ? null : t("Reports that involve you are reviewed by others.")}
        </EmptyState>
      )}
      <ul>
        {rows.map((row) => (
          <li key={row.caseId} className="border-b border-line py-3 last:border-b-0" data-item>
            <ReportRowContent row={{ ...row, group: null }} risk={done ? undefined : row.risk} />
          </li>
        ))}
      </ul>
      <NextPageLink to={next && urls.manageGroup(group.slug, "reports", { ...view, after: next })} />
    </>
  );
}
