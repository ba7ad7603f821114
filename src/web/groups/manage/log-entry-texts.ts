import type { LogEntry } from "#community/moderation";
import { useTranslate } from "../../i18n/index.ts";
import { useGroupTexts } from "../group-texts.ts";

/** Texts of logged actions; an action without a text is shown by its name. */
export function useLogEntryTexts() {
  const t = useTranslate();
  const { role } = useGroupTexts();
  const words: Record<string, string> = {
    "group.changed": t("changed what the group says"),
    "group.door_changed": t("changed who gets in"),
    "group.opening_announced": t("announced that the group opens up"),
    "group.opened": t("opened the group up, as announced"),
    "group.opening_cancelled": t("left the group as it was"),
    "group.picture_changed": t("changed a picture"),
    "group.admitted": t("let in"),
    "group.declined": t("declined the request of"),
    "group.removed": t("took out"),
    "group.banned": t("kept out"),
    "group.ban_lifted": t("let come back"),
    "group.appeal_declined": t("did not let back in"),
    "group.archived": t("archived the group"),
    "group.unarchived": t("opened the group again"),
    "group.deleted": t("deleted the group"),
    "group.brought_back": t("brought the group back"),
    "group.exported": t("took the group along"),
    "group.heir_asked": t("asked for a new owner"),
    "group.heir_appointed": t("appointed as owner"),
    "group.heir_declined": t("appointed no new owner"),
    "group.inspected": t("looked into the group, as an admin"),
    "discussion.inspected": t("read a discussion, as an admin"),
    "group.start_put": t("put something under “Start here”"),
    "group.start_taken": t("took something from “Start here”"),
    "group.let_in": t("let the group in"),
    "group.turned_down": t("did not let the group in"),
    "discussion.locked": t("locked a discussion"),
    "discussion.unlocked": t("unlocked a discussion"),
    "discussion.pinned": t("pinned a discussion"),
    "discussion.unpinned": t("unpinned a discussion"),
    "discussion.moved": t("moved a discussion to another group"),
    "discussion.renamed": t("changed the title of a discussion"),
    "discussion.tagged": t("changed the tags of a discussion"),
    "discussion.language-changed": t("changed the language of a discussion"),
    "discussion.resolved": t("marked a discussion as answered"),
    "discussion.reopened": t("marked a discussion as not answered"),
    "discussion.slowed": t("changed the pace of a discussion"),
    "discussion.timed": t("let a discussion close or open by itself"),
    "discussion.untimed": t("called off what a discussion was to do by itself"),
    "discussion.archived": t("archived a discussion"),
    "discussion.unarchived": t("took a discussion out of the archive"),
    "discussion.deleted": t("deleted a discussion"),
    "discussion.restored": t("restored a discussion"),
    "discussion.split": t("split posts off a discussion"),
    "discussion.merged": t("merged a discussion into another"),
    "resource.changed": t("changed a resource"),
    "resource.moved": t("moved a resource to another place"),
    "resource.removed": t("took a resource away"),
    "resource.restored": t("brought a resource back"),
    "post.changed": t("changed a post"),
    "post.removed": t("removed a post"),
    "post.restored": t("restored a post"),
    "post.let_in": t("let in a first text by"),
    "post.sent_back": t("gave back a first text by"),
    "post.shown": t("showed a post again that was hidden"),
  };
  const roles: Record<string, string> = role;
  const made: Record<string, string> = { link: t("made a link to hand on"), address: t("invited somebody by mail") };
  return ({ act, details }: LogEntry) => {
    if (act === "group.invitation_made") return made[String(details["kind"])] ?? t("invited");
    if (act === "group.invitation_revoked") return details["personId"] ? t("took back the invitation of") : t("took an invitation back");
    if (act === "group.role_changed") return t("gave the role “{role}” to", { role: roles[String(details["role"])] ?? "" });
    return words[act] ?? act;
  };
}
