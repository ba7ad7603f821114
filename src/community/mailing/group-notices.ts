import type { Part } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { groupFor, groupsDesk } from "#community/groups";
import { links, type MailHouse } from "./house.ts";
import type { At, Notice, Row } from "./notices.ts";
import { opening } from "./sentences.ts";
import { fill, momentFor, wordsFor } from "./words/index.ts";

/** Mail about a group, by the name the recipient knows, with a link if they can see it. */
export async function ofGroup(at: At): Promise<Notice | null> {
  const { tx, house, to, lead } = at;
  const group = await groupFor(tx, to.viewer, lead.objectId).catch((error) => unlessKnown(lead, error));
  const name = lead.keptName ?? group?.name ?? (await nameAtDesk(at));
  if (name === null) return null;
  const moment = lead.moment ? momentFor(wordsFor(to.locale).language, to.timeZone, lead.moment) : "";
  const { words, sentence, say } = opening(at, { group: name, moment });
  const given: Part[] = lead.words ? [{ kind: "sentence", text: fill(words.reason, { words: lead.words }) }] : [];
  return {
    subject: say(words.subjects.group),
    parts: [{ kind: "sentence", text: sentence }, ...given],
    act: { button: words.buttons.look, link: linkTo(house, lead, group) },
    group: name,
    listName: name,
    canAnswer: false,
  };
}

/** A row with a stored name, and one about the approval queue, is mailed even if the group is hidden. */
function unlessKnown({ keptName, kind }: Row, error: unknown): null {
  if ((keptName !== null || kind === "group_waits") && error instanceof Refusal) return null;
  throw error;
}

/** Staff know a pending group by its entry in the approval queue. */
async function nameAtDesk({ tx, to, lead }: At): Promise<string | null> {
  const { pending, orphaned } = await groupsDesk(tx, to.viewer);
  return [...pending, ...orphaned].find(({ id }) => id === lead.objectId)?.name ?? null;
}

function linkTo(house: MailHouse, { kind, detail, objectId }: Row, group: { slug: string } | null): string {
  if (kind === "group_waits") return links.groupsDesk(house);
  if (kind === "group_decision" && (detail === "banned" || detail === "appeal_declined")) return links.appeal(house, objectId);
  if (!group) return links.groups(house);
  if (kind === "group_appeal") return links.keptOut(house, group.slug);
  if (kind === "post_waits") return links.firstPostsIn(house, group.slug);
  return kind === "group_request" ? links.requests(house, group.slug) : links.group(house, group.slug);
}
