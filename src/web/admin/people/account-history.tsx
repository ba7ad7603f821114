import type { ReportRow, SiteLogEntry } from "#community/moderation";
import { ReportList } from "../../moderation/reports/report-list.tsx";
import { useTranslate } from "../../i18n/index.ts";
import { AuditEntry } from "../audit/audit-entry.tsx";

/** Earlier decisions about the account and reports about its owner, which help to decide now. */
export function AccountHistory({ entries, reports }: { entries: SiteLogEntry[]; reports: ReportRow[] }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="history" className="mb-8">
      <h2 id="history" className="text-body font-semibold">
        {t("Decisions")}
      </h2>
      {entries.length === 0 && <p className="text-quiet">{t("No entries.")}</p>}
      <ol>
        {entries.map((row) => (
          <AuditEntry key={row.id} row={row} />
        ))}
      </ol>
      <h2 className="mt-4 text-body font-semibold">{t("Reports about this person")}</h2>
      {reports.length === 0 && <p className="text-quiet">{t("No reports.")}</p>}
      <ReportList rows={reports} />
    </section>
  );
}
