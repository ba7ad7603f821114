import type { Row } from "./notices.ts";
import type { Words } from "./words/words.ts";

/** The sentence that says of a row what happened, before it is filled in. */
export function sentenceOf(words: Words, { kind, detail, moment }: Row): string {
  if (kind === "group_decision") return words.decisions[decisionOf(detail, moment)];
  if (kind === "group_role")
    return words.roleIs.replace("{role}", detail === "owner" || detail === "moderator" ? words.roles[detail] : words.roles.member);
  if (kind === "group_opening") return detail === "public" ? words.opens.public : words.opens.private;
  if (kind === "report_decision") return detail === "upheld" ? words.reportEnds.upheld : words.reportEnds.rejected;
  return words.sentences[kind];
}

function decisionOf(detail: string, moment: Date | null) {
  if (detail === "banned") return moment ? "bannedUntil" : "banned";
  if (detail === "ban_ended") return "banEnded";
  return detail === "admitted" || detail === "removed" ? detail : "declined";
}
