import type { CaseDetails } from "#community/moderation";
import { Tag, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useCaseActionLabels } from "./case-labels.ts";
import { useReportTitle } from "../reports/report-list.tsx";

/** How similar cases were decided: decision, rule and time of each. */
export function Precedents({ precedents }: Pick<CaseDetails, "precedents">) {
  const t = useTranslate();
  const title = useReportTitle();
  const labels: Record<string, string> = useCaseActionLabels();
  if (precedents.length === 0) return null;
  return (
    <section aria-labelledby="precedents-title" className="panel p-4">
      <h2 id="precedents-title" className="mb-2 font-semibold">
        {t("Similar cases")}
      </h2>
      <p className="mb-2 text-small text-quiet">{t("Decided in the same place, with the same category.")}</p>
      <ul className="grid gap-3 text-small">
        {precedents.map((row) => (
          <li key={row.caseId}>
            <Link to={urls.case(row.caseId)} className="block text-ink no-underline hover:underline">
              <span dir="auto" className="block font-semibold break-words">
                {title(row)}
              </span>
              <span dir="auto" className="line-clamp-2 break-words">
                {row.reason}
              </span>
            </Link>
            {row.rule && (
              <p dir="auto" className="line-clamp-2 break-words text-quiet">
                {row.rule}
              </p>
            )}
            <p className="mt-1 flex flex-wrap items-center gap-x-2">
              <Tag>
                {labels[row.action ?? ""] ?? (row.outcome === "rejected" ? t("Dismissed") : t("Upheld"))}
              </Tag>
              <span className="text-quiet">
                <Time at={row.resolvedAt ?? row.createdAt} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
