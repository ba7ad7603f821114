import { type Db, many, maybeOne, sql } from "#platform/database";
import type { Letter } from "./letter.ts";

/** Without its letter where its words have been sent, and are here no more. */
export type BoxedMail = { id: string; to: string; subject: string; text: string; letter: Letter | null; at: Date };

const columns = sql`id, recipient as "to", subject, body_text as text, letter, created_at as at`;

/** The latest mails of the development mailbox, newest first; those to one address when it is given. */
export const mailbox = (db: Db, to?: string): Promise<BoxedMail[]> =>
  many(
    db,
    sql<BoxedMail>`
    select ${columns} from mails
    where ${to ?? null}::text is null or lower(recipient) = lower(${to ?? null}::text)
    order by created_at desc, id desc limit 100`,
  );

export const mailInBox = (db: Db, id: string): Promise<BoxedMail | undefined> =>
  maybeOne(db, sql<BoxedMail>`select ${columns} from mails where id = ${id}`);
