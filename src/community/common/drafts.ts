import { sql } from "#platform/database";

/** What was sent, and from which version of its draft, where the form knows. */
type Sent = { title?: string | undefined; body?: string | undefined; draftVersion?: number | undefined };

/** What texts from outside are trimmed of, nearly. */
export const BLANK = " \t\r\n";

/**
 * Takes what was sent from the drafts: the version that it was sent from, or the draft that says the same. One that says something
 * else is being written on another device, or in another tab, and stays there.
 */
export const dropSent = (personId: string, place: string, { title, body = "", draftVersion = 0 }: Sent) => sql`
  delete from drafts where person_id = ${personId} and place = ${place}
    and (version = ${draftVersion} or (btrim(data->>'body', ${BLANK}) = ${body}
      ${title === undefined ? sql`` : sql`and btrim(data->>'title', ${BLANK}) = ${title}`}))`;
