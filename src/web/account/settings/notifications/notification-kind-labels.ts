import type { NotificationKind } from "#community/rules";
import { useTranslate } from "../../../i18n/index.ts";

/** Label of each notification kind in the settings. */
export function useNotificationKindLabels(): Record<NotificationKind, string> {
  const t = useTranslate();
  return {
    reply: t("Replies to you"),
    mention: t("Mentions of you or your groups"),
    message: t("Messages"),
    message_request: t("Message requests"),
    new_reply: t("Replies in discussions you watch"),
    new_discussion: t("New discussions in groups where you follow everything"),
    new_event: t("New events in your groups"),
    new_date_poll: t("New date polls in your groups"),
    event_date: t("Chosen dates of date polls you answered"),
    event_changed: t("New times, places and cancellations of events you answered"),
    event_place: t("You get a place from the waiting list of an event"),
    event_tomorrow: t("Reminders a day before an event"),
    event_soon: t("Reminders an hour before an event"),
    reaction: t("Reactions to your posts"),
    comment: t("Comments on resources you own or watch"),
    version: t("New versions of resources you own or watch"),
    dead_link: t("Broken links in your resources"),
    new_results: t("New results of saved searches"),
    bookmark: t("Reminders of bookmarks"),
    friend_request: t("Friend requests"),
    friend_accepted: t("Your friend request is accepted"),
    group_invitation: t("Group invitations"),
    group_request: t("Join requests in groups you moderate"),
    group_appeal: t("Ban appeals in groups you moderate"),
    group_decision: t("Decisions on your memberships"),
    group_role: t("Your role in a group changes"),
    group_opening: t("One of your groups becomes visible to more people"),
    new_address: t("Suggestions for broken links"),
    group_archived: t("One of your groups is archived or deleted"),
    announcement: t("Announcements"),
    post_removed: t("Moderators decide about your content"),
    changed: t("Someone else edits or restores your content"),
    post_waits: t("A post awaits approval"),
    post_decided: t("Decisions on your pending posts"),
    group_waits: t("A group awaits approval"),
    account_waits: t("A registration awaits approval"),
    report: t("New reports"),
    report_decision: t("Decisions on your reports"),
    webhook_paused: t("A webhook of yours was paused"),
    security: t("Account security"),
  };
}
