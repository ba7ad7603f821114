import type { NotificationKind } from "#community/rules";
import { useTranslate } from "../../../i18n/index.ts";

/** Label of each notification kind in the settings. */
export function useNotificationKindLabels(): Record<NotificationKind, string> {
  const t = useTranslate();
  return {
    reply: t("Somebody answers you"),
    mention: t("Somebody names you, or a group of yours"),
    message: t("Messages"),
    message_request: t("First messages of people you do not know"),
    new_reply: t("Replies in what you watch"),
    new_discussion: t("New discussions in groups of which you hear everything"),
    reaction: t("Reactions to what you wrote"),
    comment: t("Comments on what you keep or watch in the library"),
    version: t("New versions of what you keep or watch in the library"),
    dead_link: t("Links of yours that lead nowhere any more"),
    new_results: t("Something new in searches you keep"),
    bookmark: t("Reminders of posts you keep"),
    friend_request: t("Friend requests"),
    friend_accepted: t("Somebody accepts your request"),
    group_invitation: t("Invitations to groups"),
    group_request: t("Somebody asks to join a group that you look after"),
    group_appeal: t("Somebody who is kept out of a group that you look after asks to come back"),
    group_decision: t("What is decided about you and a group"),
    group_role: t("Your role in a group changes"),
    group_opening: t("A group of yours opens up to more people"),
    new_address: t("New addresses for links that lead nowhere"),
    group_archived: t("A group of yours is archived or deleted"),
    announcement: t("Announcements"),
    post_removed: t("Something that you wrote is removed, or hidden"),
    changed: t("Somebody else changes what you wrote or keep, or brings it back"),
    post_waits: t("A newcomer's text waits for those who look after its place"),
    post_decided: t("What you wrote was looked at"),
    group_waits: t("A group waits for those who look after this place"),
    account_waits: t("An account waits for those who run this place"),
    report: t("Something was reported, and waits for those who look after this place"),
    report_decision: t("What became of something you reported"),
    security: t("The safety of your account"),
  };
}
