import { maybeOne, sql } from "#platform/database";
import { getDiscussion, joinReportedContent } from "#community/discussions";
import { getResource } from "#community/resources";
import { mailLinks } from "./mail-context.ts";
import type { NoticeContext, Notice } from "./notification-emails.ts";
import { createOpeningSentence } from "./opening-sentence.ts";
import { fillMessage, formatMoment, mailMessagesFor } from "./messages/index.ts";
import type { MailMessages } from "./messages/message-types.ts";

/**
 * Mail about the decision on a recipient's post (removed, hidden, approved or returned): the reason under
 * the post's former title, with a link to what the recipient can see.
 */
export const createRemovalNotice = (at: NoticeContext): Notice =>
  createReasonNotice(at, at.lead.keptName ?? "");

/** Mail about a change to the recipient's post or resource by someone else. */
export async function createContentChangeNotice(at: NoticeContext): Promise<Notice> {
  const { tx, to, lead } = at;
  const found = lead.objectKind === "resource" ? getResource : getDiscussion;
  return createReasonNotice(at, lead.keptName ?? (await found(tx, to.viewer, lead.objectId)).title);
}

/** Measures that can be appealed neither by their recipient nor by others: nothing was removed. */
const WITHOUT_APPEAL = ["warned", "locked", "slowed", "returned published", "returned published resource"];

/** States that a person decided, and how to appeal. Empty for what several reports do without a moderator. */
function statementFor(
  { kind, detail }: NoticeContext["lead"],
  { manual, appeal }: MailMessages["statement"],
) {
  if (WITHOUT_APPEAL.includes(detail)) return [manual];
  return kind === "post_removed" && detail !== "hidden" && detail !== "hidden resource"
    ? [manual, appeal]
    : [];
}

function createReasonNotice(at: NoticeContext, title: string): Notice {
  const { app, to, lead } = at;
  const moment = lead.moment
    ? formatMoment(mailMessagesFor(to.locale).language, to.timeZone, lead.moment)
    : "";
  const { words, sentence } = createOpeningSentence(at, { title, moment });
  return {
    subject: title || words.measures.subject,
    parts: [
      { kind: "sentence", text: sentence },
      ...(lead.words
        ? [{ kind: "sentence" as const, text: fillMessage(words.reason, { words: lead.words }) }]
        : []),
      ...statementFor(lead, words.statement).map((text) => ({ kind: "sentence" as const, text })),
    ],
    act: { button: words.buttons.look, link: mailLinks.notification(app, lead.id) },
    group: "",
    listName: title,
    canAnswer: false,
  };
}

/** Mail about a report or appeal. It contains the decision, but not the reported or appealed text. */
export async function createReportNotice(at: NoticeContext): Promise<Notice> {
  const { words, sentence } = createOpeningSentence(at);
  const waits = at.lead.kind === "report";
  const isAppeal = at.lead.kind === "report_decision" && at.lead.detail.startsWith("appeal");
  return {
    subject: waits ? words.subjects.report : isAppeal ? words.subjects.asked : words.subjects.decision,
    parts: [
      { kind: "sentence", text: sentence },
      ...(at.lead.words
        ? [{ kind: "sentence" as const, text: fillMessage(words.reason, { words: at.lead.words }) }]
        : []),
      ...(isAppeal ? [{ kind: "sentence" as const, text: words.statement.manual }] : []),
    ],
    act: {
      button: words.buttons.look,
      link: waits ? mailLinks.report(at.app, at.lead.objectId) : mailLinks.ownReports(at.app),
    },
    group: at.lead.reason === "you_lead" ? await findReportGroup(at) : "",
    listName: "",
    canAnswer: false,
  };
}

/** Name of the reported group, for a recipient who moderates it. */
async function findReportGroup({ tx, lead }: NoticeContext): Promise<string> {
  const group = await maybeOne(
    tx,
    sql<{
      name: string;
    }>`select g.name from reports r ${joinReportedContent}
      where r.id = ${lead.objectId} and g.id is not null`,
  );
  return group?.name ?? "";
}
