import { maybeOne, sql } from "#platform/database";
import { discussionFor, withWhatIsReported } from "#community/discussions";
import { resourceFor } from "#community/resources";
import { links } from "./house.ts";
import type { At, Notice } from "./notices.ts";
import { opening } from "./sentences.ts";
import { fill } from "./words/index.ts";

/**
 * A post of theirs was removed, hidden, approved or returned: the reason, under its former title, with a link
 * to what they can see.
 */
export const ofRemoved = (at: At): Notice => told(at, at.lead.keptName ?? "");

/** A change by others to the recipient's post or resource. */
export async function ofChanged(at: At): Promise<Notice> {
  const { tx, to, lead } = at;
  const found = lead.objectKind === "resource" ? resourceFor : discussionFor;
  return told(at, lead.keptName ?? (await found(tx, to.viewer, lead.objectId)).title);
}

function told(at: At, title: string): Notice {
  const { house, lead } = at;
  const { words, sentence } = opening(at, { title });
  return {
    subject: title,
    parts: [
      { kind: "sentence", text: sentence },
      ...(lead.words ? [{ kind: "sentence" as const, text: fill(words.reason, { words: lead.words }) }] : []),
    ],
    act: { button: words.buttons.look, link: links.notification(house, lead.id) },
    group: "",
    listName: title,
    canAnswer: false,
  };
}

/** Reported and appealed text is not repeated in a mail; the decision is. */
export async function ofReport(at: At): Promise<Notice> {
  const { words, sentence } = opening(at);
  const waits = at.lead.kind === "report";
  const decision = at.lead.detail.startsWith("appeal") ? words.subjects.asked : words.subjects.decision;
  return {
    subject: waits ? words.subjects.report : decision,
    parts: [
      { kind: "sentence", text: sentence },
      ...(at.lead.words ? [{ kind: "sentence" as const, text: fill(words.reason, { words: at.lead.words }) }] : []),
    ],
    act: { button: words.buttons.look, link: waits ? links.report(at.house, at.lead.objectId) : links.ownReports(at.house) },
    group: at.lead.reason === "you_lead" ? await groupOfReport(at) : "",
    listName: "",
    canAnswer: false,
  };
}

/** The reported group that the recipient moderates. */
async function groupOfReport({ tx, lead }: At): Promise<string> {
  const group = await maybeOne(
    tx,
    sql<{ name: string }>`select g.name from reports r ${withWhatIsReported} where r.id = ${lead.objectId} and g.id is not null`,
  );
  return group?.name ?? "";
}
