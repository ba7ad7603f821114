import { createTransport } from "nodemailer";
import { addMilliseconds, MINUTE } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql } from "#platform/database";
import { errorCode } from "#platform/errors";
import { enqueueJob as laterJob, enqueueJobs } from "#platform/jobs";
import { isObject } from "#platform/objects";
import { parseMailAddress } from "./mail-addresses.ts";
import { readMailBody, deleteMailBody } from "./mail-bodies.ts";
import { BOUNCE_WEIGHT, countBounce, isBounceLimited } from "./bounces.ts";
import type { EmailContent } from "./email-content.ts";
import { type ClaimedMail, toSmtpMessage } from "./smtp-message.ts";
import { BULK_MAIL_PRIORITY, MAX_MAIL_ATTEMPTS, type MailKind } from "./queue-mail.ts";

/**
 * Reason why a mail is not sent yet, in our own words, because a server's message can contain the address.
 */
export class MailError extends Error {
  override name = "MailFault";
}

/** Renders the HTML of an email. */
export type EmailRenderer = (content: EmailContent) => Promise<string>;

export type MailSender = { deliver: (db: Db, mailId: string, now: Date) => Promise<void> };

type MailSenderOptions = {
  smtpUrl: string | null;
  from: string;
  renderer: EmailRenderer;
  /** Mailbox for replies and bounces, if there is one. */
  replyBox?: string | null;
};

/** A process that died during a delivery loses its claim after this many milliseconds. */
const CLAIM_TIMEOUT = 10 * MINUTE;
/** Maximum mails per minute to one host. */
const MAX_PER_HOST = 60;
/** Kinds of mail that are not sent to an address that bounces. */
const SUPPRESSIBLE: readonly MailKind[] = ["notice", "digest", "program"];

/**
 * Sends queued mail over SMTP; without a server, mail stays in the development mailbox (the table itself). A
 * mail is claimed before it is sent and has one Message-ID in all attempts. After sending, the row stays but
 * its text, which can hold sign-in links, is deleted.
 * @throws `MailError` when the job should be retried
 */
export function createMailSender({
  smtpUrl,
  from,
  renderer,
  replyBox = null,
}: MailSenderOptions): MailSender {
  const transport = smtpUrl
    ? createTransport({
        url: smtpUrl,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
      })
    : null;
  const own = parseMailAddress(from);

  async function handOver(db: Db, mail: ClaimedMail, now: Date) {
    if (!transport) return run(db, sql`update mails set sent_at = ${now} where id = ${mail.id}`);
    const body = mail.bodyId ? await readMailBody(db, mail.bodyId) : null;
    const html = mail.letter ? await renderer(mail.letter) : (body?.html ?? mail.html);
    const message = toSmtpMessage(mail, { from, own, replyBox, html, body });
    const refused = await transport.sendMail(message).then(() => null, classifyFailure);
    if (refused === null)
      return run(db, sql`update mails set sent_at = ${now}, ${clearTextColumns} where id = ${mail.id}`);
    if (!refused.forGood) {
      await run(db, sql`update mails set claimed_at = null where id = ${mail.id}`);
      throw new MailError(refused.why);
    }
    await giveUpMail(db, mail.id, refused.why, now);
    // A server may reject an API client's mail for its content, for all recipients at once: that is no
    // reason to send these people less mail.
    if (refused.recipient || mail.kind !== "program")
      await countBounce(db, mail.to, refused.recipient ? BOUNCE_WEIGHT.hard : BOUNCE_WEIGHT.soft, now);
  }

  return {
    async deliver(db, mailId, now) {
      const mail = await claimMail(db, mailId, now);
      if (!mail) return recheckClaimed(db, mailId);
      if (SUPPRESSIBLE.includes(mail.kind) && (await isBounceLimited(db, mail.to, now)))
        await giveUpMail(db, mailId, "Mail to this address bounces.", now);
      else if (transport && (await isHostLimitReached(db, mail, now))) return postponeMail(db, mail, now);
      else await handOver(db, mail, now);
      if (mail.bodyId) await deleteMailBody(db, mail.bodyId, !transport);
    },
  };
}

const claimMail = (db: Db, mailId: string, now: Date) =>
  maybeOne(
    db,
    sql<ClaimedMail>`
      update mails set claimed_at = ${now}
      where id = ${mailId} and sent_at is null and given_up_at is null
        and (claimed_at is null or claimed_at < ${addMilliseconds(now, -CLAIM_TIMEOUT)})
      returning id, recipient as "to", subject, body_text as text, body_html as html, letter, kind, headers,
        body_id as "bodyId",
        coalesce(message_id, case when headers ? 'shared' then body_id end::text, id::text) as name`,
  );

/**
 * Throws when a mail is neither sent nor given up, so that the job is retried. Another process has claimed
 * such a mail and may have died.
 */
async function recheckClaimed(db: Db, mailId: string): Promise<void> {
  const held = await maybeOne(
    db,
    sql`select 1 from mails where id = ${mailId} and sent_at is null and given_up_at is null`,
  );
  if (held) throw new MailError("It is already being sent.");
}

/** Counts what all processes sent to the same host in the last minute. */
async function isHostLimitReached(db: Db, { id, to }: ClaimedMail, now: Date): Promise<boolean> {
  const { n } = await one(
    db,
    sql<{ n: number }>`
      select count(*)::int as n from mails
      where lower(split_part(recipient, '@', 2)) = lower(split_part(${to}, '@', 2))
        and claimed_at > ${addMilliseconds(now, -MINUTE)} and id <> ${id}`,
  );
  return n >= MAX_PER_HOST;
}

async function postponeMail(db: Db, mail: ClaimedMail, now: Date): Promise<void> {
  await run(db, sql`update mails set claimed_at = null where id = ${mail.id}`);
  await laterJob(db, { ...createMailJob(mail), runAt: addMilliseconds(now, MINUTE) });
}

/** Maximum number of mails per run. */
const MAX_REQUEUED = 1_000;

/**
 * Requeues mails claimed by a dead process: their jobs stay locked for hours, so each mail gets a new job.
 */
export async function requeueDroppedMail(db: Db, now: Date): Promise<number> {
  const dropped = await many(
    db,
    sql<{ id: string; kind: MailKind }>`
      select id, kind from mails
      where claimed_at < ${addMilliseconds(now, -CLAIM_TIMEOUT)} and sent_at is null and given_up_at is null
      order by claimed_at ${limit(MAX_REQUEUED)}`,
  );
  await enqueueJobs(db, dropped.map(createMailJob));
  return dropped.length;
}

const createMailJob = ({ id, kind }: { id: string; kind: MailKind }) => ({
  task: "mail",
  payload: { mailId: id },
  key: `mail:${id}`,
  mostAttempts: MAX_MAIL_ATTEMPTS,
  ...(kind === "program" && { priority: BULK_MAIL_PRIORITY }),
});

const clearTextColumns = sql`body_text = '', body_html = '', letter = null`;

async function giveUpMail(db: Db, mailId: string, why: string, now: Date): Promise<void> {
  await run(
    db,
    sql`update mails set given_up_at = ${now}, failure = ${why}, ${clearTextColumns} where id = ${mailId}`,
  );
}

type SendFailure = { why: string; forGood: boolean; recipient: boolean };

/**
 * Classifies a failure. Only a 5xx reply about this mail is permanent. A rejection of our credentials is
 * not: the operator will fix them.
 */
function classifyFailure(error: unknown): SendFailure {
  const code = errorCode(error);
  const answer = isObject(error) ? Number(error["responseCode"] ?? 0) : 0;
  const why = `The mail server did not accept it (${[code, answer || null].filter(Boolean).join(" ") || "no answer"}).`;
  const recipient = code === "EENVELOPE";
  return { why, recipient, forGood: answer >= 500 && (recipient || code === "EMESSAGE") };
}
