import type { GroupLogEntry } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";
import { useGroupTexts } from "../group-texts.ts";

/** Texts of logged actions; an action without a text is shown by its name. */
export function useLogEntryTexts() {
  const t = useTranslate();
  const { role } = useGroupTexts();
  const words: Record<string, string> = {
    "group.changed": t("edited the group's description"),
    "group.access_changed": t("changed who can join"),
    "group.opening_scheduled": t("scheduled a visibility change"),
    "group.opened": t("widened the group's visibility, as scheduled"),
    "group.opening_cancelled": t("made no change to the group"),
    "group.picture_changed": t("changed a picture"),
    "group.join_approved": t("approved"),
    "group.join_declined": t("rejected the request of"),
    "group.removed": t("removed"),
    "group.banned": t("banned"),
    "group.ban_lifted": t("unbanned"),
    "group.ban_undone": t("undid the ban of"),
    "group.appeal_declined": t("rejected the ban appeal of"),
    "group.archived": t("archived the group"),
    "group.unarchived": t("reopened the group"),
    "group.deleted": t("deleted the group"),
    "group.restored": t("restored the group"),
    "group.exported": t("exported the group"),
    "group.owner_requested": t("asked for a new owner"),
    "group.owner_appointed": t("appointed as owner"),
    "group.owner_request_declined": t("appointed no owner"),
    "group.inspected": t("inspected the group as admin"),
    "report.upheld": t("upheld a report"),
    "report.rejected": t("dismissed a report"),
    "case.claimed": t("claimed a case"),
    "case.released": t("released a case"),
    "case.handed_over": t("handed a case over to"),
    "case.decision_undone": t("undid a decision"),
    "case.warned": t("warned"),
    "case.merged": t("marked a case as a duplicate"),
    "case.noted": t("added a note to a case"),
    "discussion.inspected": t("read a discussion as admin"),
    "group.start_item_added": t("added an item to “Start here”"),
    "group.start_item_removed": t("removed an item from “Start here”"),
    "group.approved": t("approved the group"),
    "group.rejected": t("rejected the group"),
    "discussion.locked": t("locked a discussion"),
    "discussion.unlocked": t("unlocked a discussion"),
    "discussion.pinned": t("pinned a discussion"),
    "discussion.unpinned": t("unpinned a discussion"),
    "discussion.moved": t("moved a discussion to another group"),
    "discussion.renamed": t("edited the title of a discussion"),
    "discussion.tagged": t("edited the tags of a discussion"),
    "discussion.language-changed": t("changed the language of a discussion"),
    "discussion.resolved": t("marked a discussion as answered"),
    "discussion.reopened": t("marked a discussion as not answered"),
    "discussion.slowed": t("changed the slow mode of a discussion"),
    "discussion.timed": t("set a timer for a discussion"),
    "discussion.untimed": t("cancelled the timer of a discussion"),
    "discussion.archived": t("archived a discussion"),
    "discussion.unarchived": t("unarchived a discussion"),
    "discussion.deleted": t("deleted a discussion"),
    "discussion.restored": t("restored a discussion"),
    "discussion.split": t("split posts off a discussion"),
    "discussion.merged": t("merged a discussion into another"),
    "resource.changed": t("edited a resource"),
    "resource.moved": t("moved a resource to another place"),
    "resource.removed": t("removed a resource"),
    "resource.restored": t("restored a resource"),
    "event.changed": t("edited an event"),
    "event.postponed": t("postponed an event"),
    "event.cancelled": t("cancelled an event"),
    "date-poll.closed": t("closed a date poll"),
    "date-poll.deleted": t("deleted a date poll"),
    "post.changed": t("edited a post"),
    "post.removed": t("removed a post"),
    "post.restored": t("restored a post"),
    "post.approved": t("approved a post of"),
    "post.returned": t("returned a post of"),
    "resource.returned": t("returned a resource of"),
    "profile.approved": t("approved a profile text of"),
    "resource.approved": t("approved a resource of"),
    "webhook.created": t("created a webhook"),
    "webhook.changed": t("changed a webhook"),
    "webhook.rotated": t("replaced the secret of a webhook"),
    "webhook.deleted": t("deleted a webhook"),
    "incoming_webhook.created": t("created an incoming webhook"),
    "incoming_webhook.changed": t("changed an incoming webhook"),
    "incoming_webhook.rotated": t("replaced the address of an incoming webhook"),
    "incoming_webhook.paused": t("paused an incoming webhook"),
    "incoming_webhook.resumed": t("resumed an incoming webhook"),
    "incoming_webhook.deleted": t("deleted an incoming webhook"),
    "bot.created": t("created a bot"),
    "bot.changed": t("changed a bot"),
    "bot.deleted": t("deleted a bot"),
    "post.unhidden": t("showed a hidden post again"),
    "resource.unhidden": t("showed a hidden resource again"),
  };
  const roles: Record<string, string> = role;
  const made: Record<string, string> = {
    link: t("created an invite link"),
    address: t("invited someone by email"),
  };
  return ({ act, details }: GroupLogEntry) => {
    if (act === "group.invitation_created") return made[String(details["kind"])] ?? t("invited");
    if (act === "group.invitation_revoked")
      return details["personId"] ? t("revoked the invitation of") : t("revoked an invitation");
    if (act === "group.role_changed")
      return t("gave the role “{role}” to", { role: roles[String(details["role"])] ?? "" });
    return words[act] ?? act;
  };
}
