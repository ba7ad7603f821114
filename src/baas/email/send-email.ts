import { HOUR, addMilliseconds } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import {
  type MailAttachment,
  type MailCopy,
  htmlToText,
  queueMassMail,
  countWaitingBytes,
} from "#platform/mail";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { assertEmailText, type EmailContext, type EmailSender, type EmailText } from "./email-context.ts";
import { createEmailInfo, type EmailInfo } from "./email-status.ts";

/** A recipient found by a condition. */
export type FoundRecipient = { personId: string; address: string; unsubscribe: string };

export type NewEmail = EmailText & {
  to: string[];
  cc: string[];
  bcc: string[];
  /** Recipients found by a condition. Their addresses are not shown to other recipients. */
  people: FoundRecipient[];
  /** Whether each recipient gets a separate email that names no other recipient. */
  unique: boolean;
  attachments: MailAttachment[];
  /** Name of the template used, if any. */
  template: string | null;
};

/** Maximum bytes of attachments in all queued emails together. */
const MAX_QUEUED_BYTES = 200_000_000;

/**
 * Queues an email for its recipients, one copy per address, in the same job queue as the community's email.
 * @throws `invalid` or `too-large` for the content, `too-many` beyond the hourly limit, `unavailable` when
 * too much is queued
 */
export async function sendEmail(mails: EmailContext, by: EmailSender, mail: NewEmail): Promise<EmailInfo> {
  assertEmailText(mail);
  const copies = createCopies(mail);
  const { perHour } = await mails.rules();
  // An HTML-only email gets a text version.
  const text = mail.text.trim() === "" ? htmlToText(mail.html) : mail.text;
  return mails.inTransaction(async (tx) => {
    // Checked first without a lock, so that a clear excess is refused before anything is stored.
    await assertHourlyLimit(tx, perHour, copies.length);
    await assertQueueQuota(tx, countAttachmentBytes(mail));
    const id = tx.newId();
    const error = copies.length === 0 ? "There are no recipients." : null;
    await run(
      tx,
      sql`insert into api_emails (id, person_id, subject, template, error, created_at)
          values (${id}, ${by.personId}, ${mail.subject}, ${mail.template}, ${error}, ${tx.now})`,
    );
    if (error === null) await queueMassMail(tx, { ...mail, id, text, copies });
    // Counted again under a lock, including emails that concurrent requests have stored. The lock is held
    // only until the commit.
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('program-mails', 0))`);
    await assertHourlyLimit(tx, perHour, 0);
    await assertQueueQuota(tx, 0);
    return createEmailInfo({ id, error, cancelled: false, sent: 0, failed: 0, waiting: copies.length });
  });
}

/**
 * Creates the copies of an email by recipient. If an address is both named and found by a condition, it
 * stays visible to others.
 */
function createCopies({ to, cc, bcc, people, unique }: NewEmail): MailCopy[] {
  const shared = !unique && to.length + cc.length > 0;
  const all = [...to, ...cc, ...bcc]
    .map((address): MailCopy => ({ to: address, shared }))
    .concat(
      people.map(({ personId, address, unsubscribe }) => ({
        to: address,
        personId,
        unsubscribe,
        shared: false,
      })),
    );
  const seen = new Set<string>();
  return all.filter(({ to: address }) => {
    const key = address.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Refuses `more` emails if they exceed the hourly limit.
 * @throws `too-many`
 */
async function assertHourlyLimit(tx: Tx, perHour: number, more: number): Promise<void> {
  if (perHour === 0) return;
  const { n } = await one(
    tx,
    sql<{
      n: number;
    }>`select count(*)::int as n from mails
      where kind = 'program' and created_at > ${addMilliseconds(tx.now, -HOUR)}`,
  );
  if (n + more > perHour)
    throw new Refusal(
      "too-many",
      msg("API clients can send at most {perHour} emails per hour.", { perHour }),
      {
        retryAfter: HOUR / 1_000,
      },
    );
}

const countAttachmentBytes = ({ attachments }: NewEmail) =>
  attachments.reduce((bytes, it) => bytes + it.bytes.length, 0);

async function assertQueueQuota(tx: Tx, more: number): Promise<void> {
  if ((await countWaitingBytes(tx)) + more > MAX_QUEUED_BYTES)
    throw new Refusal("unavailable", "Too many emails are queued. Try again later.", { retryAfter: 600 });
}
