import { createHash } from "node:crypto";
import { one, run, sql, type Tx } from "#platform/database";
import { textToHtml } from "#platform/markup";
import { emit } from "#platform/outbox";
import { PREVENTION_LIMITS } from "#community/rules";
import { storeReportFiles } from "#community/common";

/** A published text that contains words of the action `flag`. */
export type FlaggedText = {
  /** The watched words, as they are in the list. */
  phrases: string[];
  /** The fields that contain them. */
  texts: { field: string; text: string }[];
};
/** Subject of an automatic report. */
export type FlaggedSubject =
  | { postId: string }
  | { resourceId: string }
  | { personId: string }
  | { groupId: string };

/**
 * Reports a text to its moderators automatically, with a snapshot, so that its subject has an open case. The
 * same text is not reported again for the same words. Does nothing without flagged words.
 */
export async function reportFlaggedText(
  tx: Tx,
  authorId: string,
  flagged: FlaggedText | null,
  subject: FlaggedSubject,
): Promise<void> {
  if (!flagged) return;
  const {
    postId = null,
    resourceId = null,
    personId = null,
    groupId = null,
  } = subject as Partial<Record<"postId" | "resourceId" | "personId" | "groupId", string>>;
  const reportId = tx.newId();
  const reported = await run(
    tx,
    sql`insert into reports (id, post_id, resource_id, person_id, group_id, reason, text_digest, created_at)
      values (${reportId}, ${postId}, ${resourceId}, ${personId}, ${groupId}, ${listPhrases(flagged)},
        ${digestText(flagged)}, ${tx.now})
      on conflict (about_id, text_digest) where text_digest is not null do nothing`,
  );
  if (reported === 0) return;
  await storeSnapshot(tx, reportId, flagged, { postId, authorId: groupId === null ? authorId : null });
  await emit(tx, { type: "report.created", reportId, by: null });
}

/** The watched words as the reason of the report. */
const listPhrases = ({ phrases }: FlaggedText) =>
  phrases
    .slice(0, PREVENTION_LIMITS.watchedWords.reported)
    .map((phrase) => `“${phrase}”`)
    .join(", ");

const digestText = (flagged: FlaggedText) => createHash("sha256").update(JSON.stringify(flagged)).digest();

/** Stores the fields with flagged words; the text of a post as its readers see it. */
async function storeSnapshot(
  tx: Tx,
  reportId: string,
  { texts }: FlaggedText,
  { postId, authorId }: { postId: string | null; authorId: string | null },
): Promise<void> {
  const post =
    postId === null
      ? { number: 0, authorId, html: "" }
      : await one(
          tx,
          sql<{ number: number; authorId: string | null; html: string }>`
            select number, author_id as "authorId", body_html as html from posts where id = ${postId}`,
        );
  const others = texts.filter(({ field }) => postId === null || field !== "body");
  const html = others.map(({ text }) => textToHtml(text)).join("") + post.html;
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, chosen)
      values (${reportId}, ${post.number}, ${post.authorId}, ${html}, ${tx.now}, true)`,
  );
  await storeReportFiles(tx, reportId);
}
