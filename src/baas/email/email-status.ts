import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { deleteMailBody } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import type { EmailContext, EmailSender } from "./email-context.ts";

/** The status of an email, in the format of a channel message's status. */
export type EmailInfo = {
  messageId: string;
  status: "scheduled" | "published" | "cancelled" | "failed";
  errorMessage: string | null;
};

type EmailCounts = {
  id: string;
  error: string | null;
  cancelled: boolean;
  sent: number;
  failed: number;
  waiting: number;
};

/** Creates the status of an email. It contains no address, since anyone who knows the id may read it. */
export function createEmailInfo({ id, error, cancelled, sent, failed, waiting }: EmailCounts): EmailInfo {
  const info = (status: EmailInfo["status"], errorMessage: string | null) => ({
    messageId: id,
    status,
    errorMessage,
  });
  const all = sent + failed + waiting;
  if (error !== null) return info("failed", error);
  if (cancelled) return info("cancelled", sent > 0 ? `${sent} of ${all} were already sent.` : null);
  if (waiting > 0) return info("scheduled", null);
  if (sent === 0)
    return info(
      "failed",
      all === 1 ? "It could not be delivered." : `It could not be delivered to any of ${all}.`,
    );
  return info("published", failed > 0 ? `It could not be delivered to ${failed} of ${all}.` : null);
}

/** Milliseconds after which delivery is no longer retried. */
const RETRY_PERIOD = 3 * DAY;
const LATEST_COUNT = 30;

/** SQL for the numbers of copies of the email `p` that were sent, that failed, and that are waiting. */
const copyCountsSql = (now: Date) => sql`(
        select (count(*) filter (where sent_at is not null and failure is null))::int as sent,
          (count(*) filter (where failure is not null
            or (sent_at is null and created_at < ${addMilliseconds(now, -RETRY_PERIOD)})))::int as failed,
          (count(*) filter (where sent_at is null and failure is null
            and created_at >= ${addMilliseconds(now, -RETRY_PERIOD)}))::int as waiting
        from mails where body_id = p.id)`;

/** Returns the status of an email, including bounces; null if the id is unknown or the status was deleted. */
export async function getEmailStatus(
  { db }: Pick<EmailContext, "db">,
  id: string,
  now: Date,
): Promise<EmailInfo | null> {
  if (!isId(id)) return null;
  const found = await maybeOne(
    db,
    sql<EmailCounts>`
      select p.id, p.error, p.cancelled_at is not null as cancelled, c.sent, c.failed, c.waiting
      from api_emails p, lateral ${copyCountsSql(now)} c
      where p.id = ${id}`,
  );
  return found ? createEmailInfo(found) : null;
}

export type SentEmailRow = Omit<EmailCounts, "error"> & {
  subject: string;
  template: string | null;
  createdAt: Date;
};

/** Lists the latest emails of API clients, newest first. */
export const listLatestEmails = ({ db }: Pick<EmailContext, "db">, now: Date): Promise<SentEmailRow[]> =>
  many(
    db,
    sql<SentEmailRow>`
      select p.id, p.subject, p.template, p.created_at as "createdAt",
        p.cancelled_at is not null as cancelled, c.sent, c.failed, c.waiting
      from api_emails p, lateral ${copyCountsSql(now)} c
      order by p.created_at desc, p.id desc ${limit(LATEST_COUNT)}`,
  );

/**
 * Cancels the copies of an email that have not been sent, and returns its status; null if the id is unknown.
 * @throws `not-allowed` for callers other than the sender and trusted ones
 */
export const cancelEmail = (mails: EmailContext, by: EmailSender, id: string): Promise<EmailInfo | null> =>
  mails.inTransaction(async (tx) => {
    const mail = isId(id)
      ? await maybeOne(
          tx,
          sql<{
            personId: string | null;
          }>`select person_id as "personId" from api_emails where id = ${id} for update`,
        )
      : undefined;
    if (!mail) return null;
    if (!by.trusted && (by.personId === null || mail.personId !== by.personId))
      throw new Refusal("not-allowed", "Only the sender can cancel an email.");
    await cancelWaitingCopies(tx, id);
    return getEmailStatus({ db: tx }, id, tx.now);
  });

/** A copy that is being sent right now counts as sent. */
async function cancelWaitingCopies(tx: Tx, id: string): Promise<void> {
  const taken = await run(
    tx,
    sql`update mails set given_up_at = ${tx.now}, failure = 'It was taken back.'
        where body_id = ${id} and sent_at is null and given_up_at is null and claimed_at is null`,
  );
  if (taken === 0) return;
  await run(
    tx,
    sql`update api_emails set cancelled_at = ${tx.now} where id = ${id} and cancelled_at is null`,
  );
  await deleteMailBody(tx, id, false);
}

/** Deletes the status of emails after a month. */
export const purgeEmails = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from api_emails where created_at < ${addMilliseconds(tx.now, -30 * DAY)}`);
