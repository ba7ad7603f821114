import type { Case } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";

/** Texts of an appeal and its possible outcomes; null for a report. */
export function useAppealTexts({ appeal, place }: Pick<Case, "appeal" | "place">) {
  const t = useTranslate();
  if (!appeal) return null;
  if (place?.kind === "person")
    return {
      title: t("Appeal about an account"),
      why: t("Appeal text"),
      by: t("Decided by"),
      ask: t("Decision"),
      yes: t("Lift restriction"),
      no: t("Uphold the decision"),
      reads: t("The person gets the reason by email."),
      ended: { yes: t("Lifted"), no: t("Decision upheld") },
    };
  return {
    title: t("Appeal of a removal"),
    why: t("Appeal text"),
    by: t("Removed by"),
    ask: t("Decision"),
    yes: t("Restore"),
    no: t("Uphold the removal"),
    reads: t("The author can read the reason."),
    ended: { yes: t("Restored"), no: t("Removal upheld") },
  };
}
export type AppealTexts = NonNullable<ReturnType<typeof useAppealTexts>>;
