import { isKeyOf } from "#platform/objects";
import type { NoticeContext, NotificationRow } from "./notification-emails.ts";
import { fillMessage, formatNames, mailMessagesFor } from "./messages/index.ts";
import type { MailMessages } from "./messages/message-types.ts";

/** The opening sentence of a mail with its placeholder values. */
export function createOpeningSentence(
  { to, lead, names }: Pick<NoticeContext, "to" | "lead" | "names">,
  values: Record<string, string> = {},
) {
  const { language, words } = mailMessagesFor(to.locale);
  const all = { names: formatNames(language, names), ...values };
  const fill = (text: string) => fillMessage(text, all, names.length > 1);
  return { language, words, fill, sentence: fill(selectSentence(words, lead)) };
}

function selectSentence(
  words: MailMessages,
  { kind, objectKind, detail, moment, reason, keptName }: NotificationRow,
): string {
  if (kind === "group_decision")
    return words.decisions[DECISION_MESSAGES[moment ? `${detail} until` : detail] ?? "declined"];
  if (kind === "group_role")
    return words.roleIs.replace(
      "{role}",
      detail === "owner" || detail === "moderator" ? words.roles[detail] : words.roles.member,
    );
  if (kind === "group_opening") return detail === "public" ? words.opens.public : words.opens.private;
  if (kind === "group_archived")
    return detail === "deleted" ? words.groupDeleted : words.sentences.group_archived;
  if (kind === "group_waits") return detail === "owner_requested" ? words.waits.owner : words.waits.approval;
  if (detail === "appeal account") return words.appeals.account;
  if (detail === "appeal") return words.appeals.waits;
  if (detail === "appeal upheld") return words.appeals.restored;
  if (detail === "appeal rejected") return words.appeals.stays;
  if (detail === "case assigned") return words.cases.assigned;
  if (detail === "case mentioned") return words.cases.mentioned;
  if (kind === "report_decision")
    return detail === "upheld" ? words.reportEnds.upheld : words.reportEnds.rejected;
  if (kind === "post_removed" && detail === "warned")
    return keptName ? words.measures.warned : words.measures.warnedOnly;
  if (kind === "post_removed" && detail === "locked")
    return moment ? words.measures.lockedUntil : words.measures.locked;
  if (kind === "post_removed" && detail === "slowed")
    return moment ? words.measures.slowedUntil : words.measures.slowed;
  if (kind === "post_decided" && detail === "returned published") return words.measures.returned;
  if (kind === "post_decided" && detail === "returned published resource")
    return words.measures.resourceReturned;
  if (kind === "post_removed" && detail === "hidden") return words.postHidden;
  if (kind === "post_removed" && detail === "hidden resource") return words.resourceHidden;
  if (kind === "post_removed" && detail === "resource") return words.resourceRemoved;
  if (kind === "post_removed" && detail === "discussion") return words.discussionDeleted;
  if (kind === "post_waits") return selectPendingSentence(words, objectKind, detail);
  if (kind === "post_decided") return words.firstPosts[APPROVAL_MESSAGES[detail] ?? "returned"];
  if (kind === "changed")
    return words.changed[
      CHANGE_MESSAGES[objectKind === "resource" ? `${detail} ${reason}` : detail] ?? "post"
    ];
  if (kind === "event_changed")
    return words.eventChanges[isKeyOf(words.eventChanges, detail) ? detail : "moved"];
  if (kind === "event_host")
    return words.eventHosts[detail === "left" || detail === "alone" ? detail : "added"];
  return words.sentences[kind];
}

function selectPendingSentence(
  { firstPosts }: MailMessages,
  objectKind: NotificationRow["objectKind"],
  detail: string,
): string {
  if (detail === "profile") return firstPosts.profile;
  if (objectKind === "person") return firstPosts.resource;
  if (objectKind !== "group") return firstPosts.under;
  return detail === "resource" ? firstPosts.resourceInGroup : firstPosts.inGroup;
}

const APPROVAL_MESSAGES: Record<string, keyof MailMessages["firstPosts"]> = {
  approved: "approved",
  "approved resource": "resourceApproved",
  "returned resource": "resourceReturned",
  "approved profile": "profileApproved",
  "returned profile": "profileReturned",
};

const CHANGE_MESSAGES: Record<string, keyof MailMessages["changed"]> = {
  restored: "back",
  "restored your_post": "back",
  "discussion-restored": "discussionBack",
  "edited you_keep": "resource",
  "moved you_keep": "moved",
};

const DECISION_MESSAGES: Record<string, keyof MailMessages["decisions"]> = {
  join_approved: "joinApproved",
  removed: "removed",
  banned: "banned",
  "banned until": "bannedUntil",
  ban_ended: "banEnded",
  appeal_declined: "appealDeclined",
  "appeal_declined until": "appealDeclined",
  approved: "approved",
  rejected: "groupRejected",
  owner_request_declined: "ownerRequestDeclined",
  "inspected until": "inspected",
};
