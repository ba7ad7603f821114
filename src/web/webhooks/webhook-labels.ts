import type { WebhookEvent } from "#community/rules";
import type { DeliveryState, OutgoingWebhook } from "#community/webhooks";
import { useTranslate } from "../i18n/index.ts";

/** Labels of the events in the form and the log. */
export function useWebhookEventLabels(): Record<WebhookEvent | "test", string> {
  const t = useTranslate();
  return {
    "discussion.created": t("Discussion started"),
    "discussion.updated": t("Discussion changed"),
    "discussion.deleted": t("Discussion deleted"),
    "post.created": t("Post written"),
    "post.updated": t("Post edited"),
    "post.deleted": t("Post deleted"),
    "resource.created": t("Resource added"),
    "resource.updated": t("Resource changed"),
    "resource.deleted": t("Resource deleted"),
    "event.created": t("Event created"),
    "event.changed": t("Event changed"),
    "event.cancelled": t("Event cancelled"),
    "event.answered": t("Event answered"),
    "event.soon": t("Event begins in an hour"),
    "member.joined": t("Member joined"),
    "member.left": t("Member left"),
    "report.created": t("New report"),
    "group.created": t("Group created"),
    "person.joined": t("Account created"),
    test: t("Test"),
  };
}

export function useDeliveryStateLabels(): Record<DeliveryState, string> {
  const t = useTranslate();
  return {
    pending: t("Pending"),
    delivered: t("Delivered"),
    failed: t("Failed"),
    cut: t("Stopped"),
  };
}

/** Why a webhook is paused; null while it is not. */
export function usePausedText(): (webhook: Pick<OutgoingWebhook, "pausedReason">) => string | null {
  const t = useTranslate();
  return ({ pausedReason }) =>
    pausedReason &&
    {
      person: t("Paused. What happens during the pause is not sent, even later."),
      failures: t("Paused: every call failed for three days."),
      gone: t("Paused: the receiver answered that it no longer exists (410)."),
      rights: t("Paused: its owner may no longer manage it. Resume it to become its owner."),
    }[pausedReason];
}
