import type { CaseAction, CaseKind } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";

export function useCaseKindLabels(): Record<CaseKind | "appeal", string> {
  const t = useTranslate();
  return {
    post: t("Posts and comments"),
    messages: t("Messages"),
    person: t("People"),
    resource: t("Resources"),
    group: t("Groups"),
    appeal: t("Appeals"),
  };
}

/** Labels of decisions about reports; appeals have texts of their own. */
export function useCaseActionLabels(): Record<Exclude<CaseAction, "restored" | "kept" | "none">, string> {
  const t = useTranslate();
  return {
    noted: t("Note on the person"),
    warned: t("Author warned"),
    returned: t("Changes requested"),
    slowed: t("Slow mode turned on"),
    locked: t("Discussion locked"),
    banned: t("Author banned from the group"),
    removed: t("Content removed"),
    archived: t("Group archived"),
    limited: t("Account restricted"),
    suspended: t("Account suspended"),
  };
}
