import type { EmailPart } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { getGroup, getGroupApprovalQueue } from "#community/groups";
import { mailLinks, type MailContext } from "./mail-context.ts";
import type { NoticeContext, Notice, NotificationRow } from "./notification-emails.ts";
import { createOpeningSentence } from "./opening-sentence.ts";
import { fillMessage, formatMoment, mailMessagesFor } from "./messages/index.ts";

/**
 * Mail about a group. Uses the name that the recipient knows, and links to the group if the recipient can
 * see it.
 */
export async function createGroupNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const group = await getGroup(tx, to.viewer, lead.objectId).catch((error) => ignoreUnlessNamed(lead, error));
  const name = lead.keptName ?? group?.name ?? (await findPendingGroupName(at));
  if (name === null) return null;
  const moment = lead.moment
    ? formatMoment(mailMessagesFor(to.locale).language, to.timeZone, lead.moment)
    : "";
  const { words, sentence, fill } = createOpeningSentence(at, { group: name, moment });
  const parts: EmailPart[] = lead.words
    ? [{ kind: "sentence", text: fillMessage(words.reason, { words: lead.words }) }]
    : [];
  return {
    subject: fill(words.subjects.group),
    parts: [
      { kind: "sentence", text: sentence },
      ...parts,
      ...(lead.kind === "group_decision" && lead.detail === "banned"
        ? [words.statement.manual, words.statement.appeal].map((text) => ({
            kind: "sentence" as const,
            text,
          }))
        : []),
    ],
    act: { button: words.buttons.look, link: groupLink(app, lead, group) },
    group: name,
    listName: name,
    canAnswer: false,
  };
}

/**
 * Returns null for a refusal, so that a group hidden from the recipient can still be named, if the
 * notification has a stored name or is about the approval queue. Rethrows other errors.
 */
function ignoreUnlessNamed({ keptName, kind }: NotificationRow, error: unknown): null {
  if ((keptName !== null || kind === "group_waits") && error instanceof Refusal) return null;
  throw error;
}

/** Name of a pending group, which staff know from its entry in the approval queue. */
async function findPendingGroupName({ tx, to, lead }: NoticeContext): Promise<string | null> {
  const { pending, orphaned } = await getGroupApprovalQueue(tx, to.viewer);
  return [...pending, ...orphaned].find(({ id }) => id === lead.objectId)?.name ?? null;
}

function groupLink(
  app: MailContext,
  { kind, detail, objectId }: NotificationRow,
  group: { slug: string } | null,
): string {
  if (kind === "group_waits") return mailLinks.groupsDesk(app);
  if (kind === "group_decision" && (detail === "banned" || detail === "appeal_declined"))
    return mailLinks.appeal(app, objectId);
  if (!group) return mailLinks.groups(app);
  if (kind === "group_appeal") return mailLinks.banAppeals(app, group.slug);
  if (kind === "post_waits") return mailLinks.firstPostsIn(app, group.slug);
  return kind === "group_request" ? mailLinks.requests(app, group.slug) : mailLinks.group(app, group.slug);
}
