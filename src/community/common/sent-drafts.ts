import { sql } from "#platform/database";

/** The sent text, and the version of the draft it was sent from, if the form has it. */
type SentText = { title?: string | undefined; body?: string | undefined; draftVersion?: number | undefined };

/** Characters that SQL trims from a text, nearly those that JavaScript's `trim` removes. */
export const WHITESPACE = " \t\r\n";

/**
 * Deletes the sent draft: the draft with the given version, or with the same text. A draft with another text
 * is still being written in another tab or on another device, and stays.
 */
export const deleteSentDraft = (
  personId: string,
  target: string,
  { title, body = "", draftVersion = 0 }: SentText,
) => sql`
  delete from drafts where person_id = ${personId} and place = ${target}
    and (version = ${draftVersion} or (btrim(data->>'body', ${WHITESPACE}) = ${body}
      ${title === undefined ? sql`` : sql`and btrim(data->>'title', ${WHITESPACE}) = ${title}`}))`;
