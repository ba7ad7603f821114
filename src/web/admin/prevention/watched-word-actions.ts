import type { WatchedWordAction } from "#community/prevention";
import { useTranslate } from "../../i18n/index.ts";

/** Name and effect of each action. */
export function useWatchedWordActions(): Record<WatchedWordAction, { label: string; effect: string }> {
  const t = useTranslate();
  return {
    flag: { label: t("Flag"), effect: t("it is published and reported to the moderators automatically") },
    approve: { label: t("Approve first"), effect: t("a moderator decides before it is published") },
    block: { label: t("Block"), effect: t("it cannot be sent, and the author reads why") },
    replace: { label: t("Replace"), effect: t("another text is published instead of the word") },
  };
}
