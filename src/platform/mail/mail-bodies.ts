import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, one, run, sql } from "#platform/database";
import type { MailAttachment } from "./mass-mail.ts";

/** Body of a mail to many recipients, as stored. */
export type MailBody = {
  text: string;
  html: string;
  to: string[];
  cc: string[];
  attachments: MailAttachment[];
};

/** Milliseconds for which attachments are kept: longer than the two days of retries. */
const RETRY_PERIOD = 3 * DAY;
const KEEP_PERIOD = 30 * DAY;

export async function readMailBody(db: Db, id: string): Promise<MailBody> {
  const words = await one(
    db,
    sql<
      Omit<MailBody, "attachments">
    >`select body_text as text, body_html as html, to_header as "to", cc_header as cc from mail_bodies
      where id = ${id}`,
  );
  const attachments = await many(
    db,
    sql<MailAttachment>`select name, mime, bytes from mail_attachments
      where body_id = ${id} and bytes is not null order by position`,
  );
  return { ...words, attachments };
}

/** Deletes text and attachments once all copies are sent; the development mailbox keeps the text. */
export const deleteMailBody = (db: Db, id: string, keepWords: boolean): Promise<number> =>
  run(
    db,
    sql`with done as (
          select b.id from mail_bodies b where b.id = ${id}
            and not exists (select from mails m
              where m.body_id = b.id and m.sent_at is null and m.given_up_at is null)),
        words as (
          update mail_bodies set body_text = '', body_html = ''
          where not ${keepWords}::boolean and id in (select id from done))
        update mail_attachments set bytes = null
        where bytes is not null and body_id in (select id from done)`,
  );

/** Bytes of bodies and attachments that wait to be sent. */
export const countWaitingBytes = async (db: Db): Promise<number> =>
  (
    await one(
      db,
      sql<{
        n: number;
      }>`select coalesce(sum(size), 0)::float8 as n from mail_attachments where bytes is not null`,
    )
  ).n;

/** Deletes expired texts, and attachments of mails that are not retried any more. */
export async function purgeBodies(db: Db, now: Date): Promise<void> {
  await run(
    db,
    sql`update mail_attachments a set bytes = null from mail_bodies b
        where a.bytes is not null and b.id = a.body_id
          and b.created_at < ${addMilliseconds(now, -RETRY_PERIOD)}`,
  );
  await run(
    db,
    sql`delete from mail_bodies b
      where b.created_at < ${addMilliseconds(now, -KEEP_PERIOD)}
        and not exists (select from mails m where m.body_id = b.id)`,
  );
}
