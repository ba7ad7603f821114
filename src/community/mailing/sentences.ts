import type { At, Row } from "./notices.ts";
import { fill, listed, wordsFor } from "./words/index.ts";
import type { Words } from "./words/words.ts";

/** The opening sentence of a mail with its placeholder values. */
export function opening({ to, lead, names }: At, values: Record<string, string> = {}) {
  const { language, words } = wordsFor(to.locale);
  const all = { names: listed(language, names), ...values };
  const say = (text: string) => fill(text, all, names.length > 1);
  return { language, words, say, sentence: say(sentenceOf(words, lead)) };
}

function sentenceOf(words: Words, { kind, objectKind, detail, moment, reason }: Row): string {
  if (kind === "group_decision") return words.decisions[DECISIONS[moment ? `${detail} until` : detail] ?? "declined"];
  if (kind === "group_role")
    return words.roleIs.replace("{role}", detail === "owner" || detail === "moderator" ? words.roles[detail] : words.roles.member);
  if (kind === "group_opening") return detail === "public" ? words.opens.public : words.opens.private;
  if (kind === "group_archived") return detail === "deleted" ? words.groupDeleted : words.sentences.group_archived;
  if (kind === "group_waits") return detail === "heir" ? words.waits.heir : words.waits.letIn;
  if (detail === "appeal account") return words.appeals.account;
  if (detail === "appeal") return words.appeals.waits;
  if (detail === "appeal upheld") return words.appeals.restored;
  if (detail === "appeal rejected") return words.appeals.stays;
  if (kind === "report_decision") return detail === "upheld" ? words.reportEnds.upheld : words.reportEnds.rejected;
  if (kind === "post_removed" && detail === "hidden") return words.postHidden;
  if (kind === "post_removed" && detail === "resource") return words.resourceRemoved;
  if (kind === "post_removed" && detail === "discussion") return words.discussionDeleted;
  if (kind === "post_waits") return objectKind === "group" ? words.firstPosts.inGroup : words.firstPosts.under;
  if (kind === "post_decided") return detail === "let_in" ? words.firstPosts.letIn : words.firstPosts.givenBack;
  if (kind === "changed") return words.changed[CHANGES[objectKind === "resource" ? `${detail} ${reason}` : detail] ?? "post"];
  return words.sentences[kind];
}

const CHANGES: Record<string, keyof Words["changed"]> = {
  restored: "back",
  "restored your_post": "back",
  "discussion-restored": "discussionBack",
  "edited you_keep": "resource",
  "moved you_keep": "moved",
};

const DECISIONS: Record<string, keyof Words["decisions"]> = {
  admitted: "admitted",
  removed: "removed",
  banned: "banned",
  "banned until": "bannedUntil",
  ban_ended: "banEnded",
  appeal_declined: "appealDeclined",
  "appeal_declined until": "appealDeclined",
  let_in: "letIn",
  turned_down: "turnedDown",
  heir_declined: "heirDeclined",
  "inspected until": "inspected",
};
