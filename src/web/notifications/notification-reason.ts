import type { NotificationItem } from "#community/notifications";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/** Why the reader was notified, and the setting that controls it; null if no setting controls it. */
export function useNotificationReason() {
  const t = useTranslate();
  return (
    { kind, reason, group, object }: NotificationItem,
    meId: string,
  ): { words: string; change: string | null } => {
    const ofKind = urls.settings(meId, "notifications", `notify-${kind}`);
    const ofGroup = group ? urls.settings(meId, "notifications", `notify-group-${group.id}`) : ofKind;
    const reasons: Record<string, { words: string; change: string | null }> = {
      you_wrote: { words: t("Reply to you"), change: ofKind },
      you_started: {
        words: t("You started this"),
        change: urls.settings(meId, "notifications", `notify-discussion-${object.id}`),
      },
      watching: {
        words: t("You watch this discussion"),
        change: urls.settings(meId, "notifications", `notify-discussion-${object.id}`),
      },
      watching_resource: { words: t("You watch this resource"), change: urls.resource(object.id) },
      group_all: { words: t("You follow everything in this group"), change: ofGroup },
      mentioned: { words: t("Mention"), change: ofKind },
      group_mentioned: { words: t("Mention of your group"), change: ofGroup },
      your_post: { words: t("You wrote this"), change: ofKind },
      participant: { words: t("You take part in this conversation"), change: ofKind },
      you_keep: { words: t("You own this"), change: ofKind },
      you_answered: { words: t("You answered this event"), change: ofKind },
      you_host: { words: t("You host this event"), change: ofKind },
      you_searched: { words: t("Saved search"), change: urls.search() },
      you_set: { words: t("Reminder"), change: urls.bookmarks() },
      asked_you: { words: t("Request to you"), change: ofKind },
      you_asked: { words: t("Your request"), change: ofKind },
      about_you: { words: t("About you"), change: ofKind },
      invited_you: { words: t("You are invited"), change: ofKind },
      you_lead: { words: t("You moderate this group"), change: ofKind },
      member: { words: t("You are a member"), change: ofGroup },
      everybody: { words: t("For everyone"), change: ofKind },
      staff: { words: t("You are staff"), change: ofKind },
      you_reported: { words: t("You reported this"), change: ofKind },
      account: { words: t("Account security"), change: null },
    };
    return reasons[reason] ?? { words: "", change: ofKind };
  };
}
