import { maybeOne, sql } from "#platform/database";
import { withWhatIsReported } from "#community/discussions";
import { links } from "./house.ts";
import type { At, Notice } from "./notices.ts";
import { opening } from "./sentences.ts";
import { fill } from "./words/index.ts";

/** Something that they wrote was removed, is hidden, was let in or given back: why, under the title that it stood under, with the way to where that stands for them. */
export function ofRemoved(at: At): Notice {
  const { house, lead } = at;
  const title = lead.keptName ?? "";
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

/** What was reported is not repeated in a mail, nor what somebody wants back; how that was answered is. */
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

/** The group that they look after. */
async function groupOfReport({ tx, lead }: At): Promise<string> {
  const group = await maybeOne(
    tx,
    sql<{ name: string }>`select g.name from reports r ${withWhatIsReported} where r.id = ${lead.objectId} and g.id is not null`,
  );
  return group?.name ?? "";
}
