import type { NotificationKind } from "#community/rules";
import { keysOf } from "#platform/objects";
import { useTranslate } from "../../../i18n/index.ts";

type KindGroup = "personal" | "followed" | "events" | "people" | "moderation" | "community";

const GROUPS: Record<NotificationKind, KindGroup> = {
  reply: "personal",
  mention: "personal",
  message: "personal",
  message_request: "personal",
  reaction: "personal",
  bookmark: "personal",
  new_reply: "followed",
  new_discussion: "followed",
  new_results: "followed",
  comment: "followed",
  version: "followed",
  new_event: "events",
  new_date_poll: "events",
  event_date: "events",
  event_changed: "events",
  event_host: "events",
  event_place: "events",
  event_tomorrow: "events",
  event_soon: "events",
  friend_request: "people",
  friend_accepted: "people",
  group_invitation: "people",
  group_request: "people",
  group_decision: "people",
  group_role: "people",
  group_opening: "people",
  group_archived: "people",
  dead_link: "moderation",
  new_address: "moderation",
  post_removed: "moderation",
  changed: "moderation",
  post_decided: "moderation",
  report_decision: "moderation",
  post_waits: "moderation",
  group_appeal: "moderation",
  group_waits: "moderation",
  account_waits: "moderation",
  report: "moderation",
  announcement: "community",
  webhook_paused: "community",
  security: "community",
};

/** The groups of the settings page with their labels, and the rows of each. */
export function useKindGroups<Row extends { kind: NotificationKind }>(rows: Row[]) {
  const t = useTranslate();
  const labels: Record<KindGroup, string> = {
    personal: t("Replies, messages and reminders"),
    followed: t("What you follow"),
    events: t("Events"),
    people: t("Friends and groups"),
    moderation: t("Your content and moderation"),
    community: t("Announcements and security"),
  };
  return keysOf(labels).map((group) => ({
    group,
    label: labels[group],
    rows: rows.filter(({ kind }) => GROUPS[kind] === group),
  }));
}
