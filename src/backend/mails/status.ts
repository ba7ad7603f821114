import { DAY, later } from "#platform/clock";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { forgetBody } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import type { Mails, Sender } from "./mails.ts";

/** The status of an email, like that of a channel message. */
export type MailInfo = { messageId: string; status: "scheduled" | "published" | "cancelled" | "failed"; errorMessage: string | null };

type Standing = { id: string; error: string | null; cancelled: boolean; sent: number; failed: number; waiting: number };

/** Contains no address, since anyone who knows the id may read it. */
export function infoOf({ id, error, cancelled, sent, failed, waiting }: Standing): MailInfo {
  const info = (status: MailInfo["status"], errorMessage: string | null) => ({ messageId: id, status, errorMessage });
  const all = sent + failed + waiting;
  if (error !== null) return info("failed", error);
  if (cancelled) return info("cancelled", sent > 0 ? `${sent} of ${all} had been sent by then.` : null);
  if (waiting > 0) return info("scheduled", null);
  if (sent === 0) return info("failed", all === 1 ? "It could not be delivered." : `It could be delivered to none of ${all}.`);
  return info("published", failed > 0 ? `It could not be delivered to ${failed} of ${all}.` : null);
}

/** Delivery is not retried after this time. */
const TRIED_FOR = 3 * DAY;
const LATEST = 30;

/** SQL: copies of the email `p` that were sent, failed, and wait. */
const counts = (now: Date) => sql`(
        select (count(*) filter (where sent_at is not null and failure is null))::int as sent,
          (count(*) filter (where failure is not null or (sent_at is null and created_at < ${later(now, -TRIED_FOR)})))::int as failed,
          (count(*) filter (where sent_at is null and failure is null and created_at >= ${later(now, -TRIED_FOR)}))::int as waiting
        from mails where body_id = p.id)`;

/** The status of an email including bounces; null if unknown or long ago. */
export async function mailStatus({ db }: Pick<Mails, "db">, id: string, now: Date): Promise<MailInfo | null> {
  if (!isId(id)) return null;
  const found = await maybeOne(
    db,
    sql<Standing>`
      select p.id, p.error, p.cancelled_at is not null as cancelled, c.sent, c.failed, c.waiting
      from program_mails p, lateral ${counts(now)} c
      where p.id = ${id}`,
  );
  return found ? infoOf(found) : null;
}

export type SentLine = Omit<Standing, "error"> & { subject: string; template: string | null; createdAt: Date };

/** Lists the latest emails of API clients, newest first. */
export const latestMails = ({ db }: Pick<Mails, "db">, now: Date): Promise<SentLine[]> =>
  many(
    db,
    sql<SentLine>`
      select p.id, p.subject, p.template, p.created_at as "createdAt", p.cancelled_at is not null as cancelled, c.sent, c.failed, c.waiting
      from program_mails p, lateral ${counts(now)} c order by p.created_at desc, p.id desc ${limit(LATEST)}`,
  );

/**
 * Cancels unsent copies of an email and returns its status; null if unknown.
 * @throws `not-allowed` for anyone but the sender and trusted callers
 */
export const cancelMail = (mails: Mails, by: Sender, id: string): Promise<MailInfo | null> =>
  mails.inTransaction(async (tx) => {
    const mail = isId(id)
      ? await maybeOne(tx, sql<{ personId: string | null }>`select person_id as "personId" from program_mails where id = ${id} for update`)
      : undefined;
    if (!mail) return null;
    if (!by.trusted && (by.personId === null || mail.personId !== by.personId))
      throw new Refusal("not-allowed", "A mail is taken back by who has sent it.");
    await takeBack(tx, id);
    return mailStatus({ db: tx }, id, tx.now);
  });

/** A copy that is being sent right now counts as sent. */
async function takeBack(tx: Tx, id: string): Promise<void> {
  const taken = await run(
    tx,
    sql`update mails set given_up_at = ${tx.now}, failure = 'It was taken back.'
        where body_id = ${id} and sent_at is null and given_up_at is null and claimed_at is null`,
  );
  if (taken === 0) return;
  await run(tx, sql`update program_mails set cancelled_at = ${tx.now} where id = ${id} and cancelled_at is null`);
  await forgetBody(tx, id, false);
}

/** Deletes the status of emails after a month. */
export const purgeMails = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from program_mails where created_at < ${later(tx.now, -30 * DAY)}`);
