import { DAY, later } from "#platform/clock";
import { type Db, many, one, run, sql } from "#platform/database";
import type { MailAttachment } from "./many.ts";

/** Words that go to many, as they stand in the database. */
export type Body = { text: string; html: string; to: string[]; cc: string[]; attachments: MailAttachment[] };

/** What is tried again is tried for two days. */
const TRIED_FOR = 3 * DAY;
const KEPT = 30 * DAY;

export async function bodyOf(db: Db, id: string): Promise<Body> {
  const words = await one(
    db,
    sql<
      Omit<Body, "attachments">
    >`select body_text as text, body_html as html, to_line as "to", cc_line as cc from mail_bodies where id = ${id}`,
  );
  const attachments = await many(
    db,
    sql<MailAttachment>`select name, mime, bytes from mail_attachments where body_id = ${id} and bytes is not null order by position`,
  );
  return { ...words, attachments };
}

/** Once nobody waits for them any more, words and attachments go; the development mailbox keeps the words. */
export const forgetBody = (db: Db, id: string, keepWords: boolean): Promise<number> =>
  run(
    db,
    sql`with done as (
          select b.id from mail_bodies b where b.id = ${id}
            and not exists (select from mails m where m.body_id = b.id and m.sent_at is null and m.given_up_at is null)),
        words as (
          update mail_bodies set body_text = '', body_html = '' where not ${keepWords}::boolean and id in (select id from done))
        update mail_attachments set bytes = null where bytes is not null and body_id in (select id from done)`,
  );

/** Bytes that lie here to be sent with mail. */
export const waitingBytes = async (db: Db): Promise<number> =>
  (await one(db, sql<{ n: number }>`select coalesce(sum(size), 0)::float8 as n from mail_attachments where bytes is not null`)).n;

/** Words that had their day, and attachments of what is not tried any more. */
export async function purgeBodies(db: Db, now: Date): Promise<void> {
  await run(
    db,
    sql`update mail_attachments a set bytes = null from mail_bodies b
        where a.bytes is not null and b.id = a.body_id and b.created_at < ${later(now, -TRIED_FOR)}`,
  );
  await run(
    db,
    sql`delete from mail_bodies b where b.created_at < ${later(now, -KEPT)} and not exists (select from mails m where m.body_id = b.id)`,
  );
}
