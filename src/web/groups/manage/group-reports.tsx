import type { Group } from "#community/groups";
import { ReportList } from "../../moderation/report-list.tsx";
import { ChoiceLink, EmptyState, NextPageLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ManageContent } from "./manage-group-data.ts";

/** Reports in the group: open or closed ones. */
export function GroupReports({
  group,
  content: { tab, rows, next },
}: {
  group: Group;
  content: ManageContent<"reports">;
}) {
  const t = useTranslate();
  const done = tab === "resolved";
  const view = done ? { view: "done" as const } : {};
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
      {rows.length === 0 && (
        <EmptyState title={done ? t("No entries yet.") : t("Nothing to do.")}>
          {done ? null : t("Reports that involve you are reviewed by others.")}
        </EmptyState>
      )}
      <ReportList rows={rows} ofOne />
      <NextPageLink to={next && urls.manageGroup(group.slug, "reports", { ...view, after: next })} />
    </>
  );
}
