import type { CaseRisk } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";
import { useCategoryLabel } from "../reports/category-labels.ts";

/** Orders of the queue by their name in the address. */
export function useCaseSortLabels() {
  const t = useTranslate();
  return {
    risk: t("Highest risk first"),
    oldest: t("Oldest first"),
    newest: t("Newest first"),
    reports: t("Most reports first"),
  };
}

/** Risk of a case and its reasons, by which the queue is sorted. `appeal`: the case is about an appeal. */
export function CaseRiskLine({ risk, appeal }: { risk: CaseRisk; appeal: boolean }) {
  const t = useTranslate();
  const levels = { high: t("High risk"), medium: t("Medium risk"), low: t("Low risk") };
  return (
    <p className="text-small break-words text-quiet">
      <span className={risk.level === "high" ? "font-semibold text-red" : "font-semibold"}>
        {levels[risk.level]}
      </span>
      {useRiskReasons()(risk, appeal).map((reason) => (
        <span key={reason}>
          {" · "}
          <bdi>{reason}</bdi>
        </span>
      ))}
    </p>
  );
}

/** Returns the reasons for a risk in words, the weightiest kind first. */
function useRiskReasons() {
  const t = useTranslate();
  const categoryLabel = useCategoryLabel();
  return (risk: CaseRisk, appeal: boolean): string[] =>
    [
      appeal && t("Appeal"),
      risk.category && categoryLabel(risk.category),
      risk.reporters > 0 && t("{n, plural, one {# reporter} other {# reporters}}", { n: risk.reporters }),
      risk.automatic && t("Automatic report"),
      risk.reliable > 0 &&
        t("{n, plural, one {# reporter is usually right} other {# reporters are usually right}}", {
          n: risk.reliable,
        }),
      risk.unreliable > 0 &&
        t("{n, plural, one {# reporter is rarely right} other {# reporters are rarely right}}", {
          n: risk.unreliable,
        }),
      risk.newAccount && t("New account"),
      risk.upheld >= 3
        ? t("At least {n} upheld cases before", { n: risk.upheld })
        : risk.upheld > 0 &&
          t("{n, plural, one {# upheld case before} other {# upheld cases before}}", { n: risk.upheld }),
      risk.hidden && t("No longer visible"),
    ].filter((reason) => typeof reason === "string");
}
