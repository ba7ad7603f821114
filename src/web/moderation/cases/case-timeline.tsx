import type { CaseEntry } from "#community/moderation";
import { PersonLink, Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** What happened to a case, oldest first. */
export function CaseTimeline({ entries }: { entries: CaseEntry[] }) {
  const t = useTranslate();
  const labels: Record<string, string> = {
    reported: t("reported it"),
    "guest-reported": t("reported it"),
    flagged: t("reported because of watched words"),
    appealed: t("appealed"),
    "case.claimed": t("claimed the case"),
    "case.released": t("released the case"),
    "case.handed_over": t("handed the case over to"),
    "case.decision_undone": t("undid the decision"),
    "case.warned": t("warned"),
    "case.merged": t("marked another case as a duplicate of this one"),
    "report.upheld": t("upheld the report"),
    "report.rejected": t("dismissed the report"),
    "report.upheld.appeal": t("upheld the appeal"),
    "report.rejected.appeal": t("rejected the appeal"),
  };
  return (
    <section aria-labelledby="timeline-title" className="panel p-4">
      <h2 id="timeline-title" className="mb-2 font-semibold">
        {t("Timeline")}
      </h2>
      <ol className="grid gap-2 text-small">
        {entries.map((entry, index) => (
          <li key={index} className="flex flex-wrap items-center gap-x-2">
            {entry.by ? (
              <PersonLink person={entry.by} size={24} />
            ) : entry.act === "flagged" ? (
              t("Automatic")
            ) : entry.act === "guest-reported" ? (
              t("Guest")
            ) : (
              t("Former member")
            )}
            <span>{labels[entry.act] ?? entry.act}</span>
            {entry.whom && <PersonLink person={entry.whom} size={24} />}
            <span className="text-quiet">
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
