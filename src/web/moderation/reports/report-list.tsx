import type { CaseRisk, ReportedPlace, ReportRow } from "#community/moderation";
import { Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useGuestName } from "../cases/guest-reporter.tsx";
import { CaseRiskLine } from "../queue/case-risk.tsx";
import { useCategoryLabel } from "./category-labels.ts";

/** Reports, one row each: the reported person, reason, place and reporter. */
export const ReportList = ({ rows }: { rows: ReportRow[] }) => (
  <ul>
    {rows.map((row) => (
      <li key={row.id} className="border-b border-line py-3 last:border-b-0">
        <ReportRowContent row={row} />
      </li>
    ))}
  </ul>
);

/** Title of the reported content; for a post, its discussion and number. */
export const reportedTitle = ({ title, number }: ReportedPlace): string =>
  number === null ? title : `${title} #${number}`;

/** Names the person, group or appeal that a report is about. */
export function useReportTitle() {
  const t = useTranslate();
  return ({ appeal, authors, place, reporter }: ReportRow): string => {
    const reporterName = reporter?.name ?? "";
    const names = authors.map(({ name }) => name).join(", ");
    if (appeal && place?.kind === "person")
      return t("{name} appeals a decision about their account", { name: reporterName });
    if (appeal) return t("{name} appeals a removal", { name: reporterName });
    if (place?.kind === "group") return t("Report about {names}", { names: place.title });
    return names ? t("Report about {names}", { names }) : t("Report about a former member");
  };
}

/**
 * The subject, reason, place, reporter and time of a report. With the `risk` of its case, that line names the category.
 */
export function ReportRowContent({ row, risk }: { row: ReportRow; risk?: CaseRisk | undefined }) {
  const { caseId, appeal, category, reason, place, group, reporter, guest, others, createdAt } = row;
  const title = useReportTitle()(row);
  const t = useTranslate();
  const categoryLabel = useCategoryLabel();
  const guestName = useGuestName();
  const isByPerson = reporter !== null || guest !== null;
  const reporterName = reporter?.name ?? (guest ? guestName(guest) : "");
  return (
    <>
      <Link to={urls.case(caseId)} className="block text-ink no-underline hover:underline" data-key="a">
        <span dir="auto" className="block font-semibold break-words">
          {title}
        </span>
        <span dir="auto" className="line-clamp-2 break-words">
          {isByPerson ? reason : t("Watched words: {words}", { words: reason })}
        </span>
      </Link>
      <p className="text-small break-words text-quiet">
        {!appeal && isByPerson && !risk && (
          <>
            <bdi>{categoryLabel(category)}</bdi> ·{" "}
          </>
        )}
        {place && place.kind !== "group" && place.kind !== "person" && (
          <>
            <bdi>{reportedTitle(place)}</bdi> ·{" "}
          </>
        )}
        {group && (
          <>
            <bdi>{group.name}</bdi> ·{" "}
          </>
        )}
        {!appeal && (
          <>
            {!isByPerson
              ? others > 0
                ? t("Automatic and {n, plural, one {# other report} other {# other reports}}", { n: others })
                : t("Automatic")
              : others > 0
                ? t("Reported by {name} and {n, plural, one {# other} other {# others}}", {
                    name: reporterName,
                    n: others,
                  })
                : t("Reported by {name}", { name: reporterName })}{" "}
            ·{" "}
          </>
        )}
        <Time at={createdAt} />
      </p>
      {risk && <CaseRiskLine risk={risk} appeal={appeal} />}
    </>
  );
}
