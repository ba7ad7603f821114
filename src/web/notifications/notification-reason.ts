import type { NotificationItem } from "#community/notifications";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/** Why the reader was notified, and the setting that controls it; null if none does. */
export function useNotificationReason() {
  const t = useTranslate();
  return ({ kind, reason, group, object }: NotificationItem, meId: string): { words: string; change: string | null } => {
    const ofKind = urls.settings(meId, `notify-${kind}`);
    const ofGroup = group ? urls.settings(meId, `notify-group-${group.id}`) : ofKind;
    const reasons: Record<string, { words: string; change: string | null }> = {
      you_wrote: { words: t("because it answers you"), change: ofKind },
      you_started: { words: t("because you began it"), change: urls.settings(meId, `notify-discussion-${object.id}`) },
      watching: { words: t("because you watch this discussion"), change: urls.settings(meId, `notify-discussion-${object.id}`) },
      watching_resource: { words: t("because you watch this resource"), change: urls.resource(object.id) },
      group_all: { words: t("because you want to hear everything of this group"), change: ofGroup },
      mentioned: { words: t("because it names you"), change: ofKind },
      group_mentioned: { words: t("because it calls a group that you are in"), change: ofGroup },
      your_post: { words: t("because you wrote it"), change: ofKind },
      participant: { words: t("because you are in this conversation"), change: ofKind },
      you_keep: { words: t("because you keep it"), change: ofKind },
      you_searched: { words: t("because you keep this search"), change: urls.search() },
      you_set: { words: t("because you asked to be reminded"), change: urls.bookmarks() },
      asked_you: { words: t("because you are asked"), change: ofKind },
      you_asked: { words: t("because you asked"), change: ofKind },
      about_you: { words: t("because it is about you"), change: ofKind },
      invited_you: { words: t("because you are invited"), change: ofKind },
      you_lead: { words: t("because you look after this group"), change: ofKind },
      member: { words: t("because you are a member"), change: ofGroup },
      everybody: { words: t("because it is for everybody"), change: ofKind },
      staff: { words: t("because you look after this place"), change: ofKind },
      you_reported: { words: t("because you reported it"), change: ofKind },
      account: { words: t("because it is about the safety of your account"), change: null },
    };
    return reasons[reason] ?? { words: "", change: ofKind };
  };
}
