import type { Report as Reported } from "#community/moderation";
import { useTranslate } from "../i18n/index.ts";

/** Texts of an appeal and its outcomes; null for a report. */
export function useAppealTexts({ appeal, place }: Pick<Reported, "appeal" | "place">) {
  const t = useTranslate();
  if (!appeal) return null;
  if (place?.kind === "person")
    return {
      title: t("Somebody asks that what was decided about their account is looked at again"),
      why: t("Why it should be decided otherwise"),
      by: t("Decided by"),
      ask: t("Is it lifted?"),
      yes: t("It is lifted"),
      no: t("It stays as it was decided"),
      reads: t("They are written a mail with it."),
      ended: { yes: t("It was lifted"), no: t("It stays as it was decided") },
    };
  return {
    title: t("Somebody asks that something comes back"),
    why: t("Why it should come back"),
    by: t("Removed by"),
    ask: t("Does it come back?"),
    yes: t("It comes back"),
    no: t("It stays removed"),
    reads: t("Whoever wrote it will read it."),
    ended: { yes: t("It came back"), no: t("It stays removed") },
  };
}
export type AppealTexts = NonNullable<ReturnType<typeof useAppealTexts>>;
