import { createTransport } from "nodemailer";
import { later, MINUTE } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql } from "#platform/database";
import { later as laterJob, laterAll } from "#platform/jobs";
import { addressOf } from "./addresses.ts";
import { bodyOf, forgetBody } from "./bodies.ts";
import { BOUNCE, countBounce, isStopped } from "./bounces.ts";
import type { Letter } from "./letter.ts";
import { AFTER_OTHERS } from "./many.ts";
import { type Claimed, messageOf } from "./message.ts";
import { MOST_ATTEMPTS, type MailKind } from "./post.ts";

/** Reason why a mail is not sent yet, in our own text: a server's message can name the address. */
export class MailFault extends Error {
  override name = "MailFault";
}

/** Renders the HTML of an email. */
export type Face = (letter: Letter) => Promise<string>;

export type Post = { deliver: (db: Db, mailId: string, now: Date) => Promise<void> };

type Options = {
  smtpUrl: string | null;
  from: string;
  face: Face;
  /** Mailbox for replies and bounces, if there is one. */
  replyBox?: string | null;
};

/** A process that died during a delivery loses its claim after this time. */
const CLAIM_LASTS = 10 * MINUTE;
/** Mails per minute to one host. */
const TO_A_HOST = 60;
/** Mail that is not sent to an address that bounces. */
const CAN_STOP: readonly MailKind[] = ["notice", "digest", "program"];

/**
 * Sends queued mail over SMTP, or leaves it in the development mailbox (the table itself) without a server. A
 * mail is claimed before it is sent and keeps one Message-ID however often it is tried. Sent mail keeps its
 * row but not its text, which can hold sign-in links.
 * @throws `MailError` when the job should be retried
 */
export function openPost({ smtpUrl, from, face, replyBox = null }: Options): Post {
  const transport = smtpUrl
    ? createTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 })
    : null;
  const own = addressOf(from);

  async function handOver(db: Db, mail: Claimed, now: Date) {
    if (!transport) return run(db, sql`update mails set sent_at = ${now} where id = ${mail.id}`);
    const body = mail.bodyId ? await bodyOf(db, mail.bodyId) : null;
    const html = mail.letter ? await face(mail.letter) : (body?.html ?? mail.html);
    const message = messageOf(mail, { from, own, replyBox, html, body });
    const refused = await transport.sendMail(message).then(() => null, refusalOf);
    if (refused === null) return run(db, sql`update mails set sent_at = ${now}, ${withoutWords} where id = ${mail.id}`);
    if (!refused.forGood) {
      await run(db, sql`update mails set claimed_at = null where id = ${mail.id}`);
      throw new MailFault(refused.why);
    }
    await giveUp(db, mail.id, refused.why, now);
    // An API client's mail may be rejected for its content, for a whole list of people: that is no reason to
    // mail them less.
    if (refused.recipient || mail.kind !== "program") await countBounce(db, mail.to, refused.recipient ? BOUNCE.hard : BOUNCE.soft, now);
  }

  return {
    async deliver(db, mailId, now) {
      const mail = await claim(db, mailId, now);
      if (!mail) return mindClaimed(db, mailId);
      if (CAN_STOP.includes(mail.kind) && (await isStopped(db, mail.to, now)))
        await giveUp(db, mailId, "Mail to this address comes back.", now);
      else if (transport && (await isTooMuchFor(db, mail, now))) return postpone(db, mail, now);
      else await handOver(db, mail, now);
      if (mail.bodyId) await forgetBody(db, mail.bodyId, !transport);
    },
  };
}

const claim = (db: Db, mailId: string, now: Date) =>
  maybeOne(
    db,
    sql<Claimed>`
      update mails set claimed_at = ${now}
      where id = ${mailId} and sent_at is null and given_up_at is null
        and (claimed_at is null or claimed_at < ${later(now, -CLAIM_LASTS)})
      returning id, recipient as "to", subject, body_text as text, body_html as html, letter, kind, headers, body_id as "bodyId",
        coalesce(message_id, case when headers ? 'shared' then body_id end::text, id::text) as name`,
  );

/**
 * A mail neither sent nor given up is claimed by another process: check it again later, in case that one
 * died.
 */
async function mindClaimed(db: Db, mailId: string): Promise<void> {
  const held = await maybeOne(db, sql`select 1 from mails where id = ${mailId} and sent_at is null and given_up_at is null`);
  if (held) throw new MailFault("It is being handed over already.");
}

/** Counts what all processes sent to the same host in the last minute. */
async function isTooMuchFor(db: Db, { id, to }: Claimed, now: Date): Promise<boolean> {
  const { n } = await one(
    db,
    sql<{ n: number }>`
      select count(*)::int as n from mails
      where lower(split_part(recipient, '@', 2)) = lower(split_part(${to}, '@', 2)) and claimed_at > ${later(now, -MINUTE)} and id <> ${id}`,
  );
  return n >= TO_A_HOST;
}

async function postpone(db: Db, mail: Claimed, now: Date): Promise<void> {
  await run(db, sql`update mails set claimed_at = null where id = ${mail.id}`);
  await laterJob(db, { ...jobOf(mail), runAt: later(now, MINUTE) });
}

/** Maximum per round. */
const MOST_DROPPED = 1_000;

/** Requeues mails that a dead process held: their jobs stay locked for hours, so each gets a new one. */
export async function takeUpDropped(db: Db, now: Date): Promise<number> {
  const dropped = await many(
    db,
    sql<{ id: string; kind: MailKind }>`
      select id, kind from mails where claimed_at < ${later(now, -CLAIM_LASTS)} and sent_at is null and given_up_at is null
      order by claimed_at ${limit(MOST_DROPPED)}`,
  );
  await laterAll(db, dropped.map(jobOf));
  return dropped.length;
}

const jobOf = ({ id, kind }: { id: string; kind: MailKind }) => ({
  task: "mail",
  payload: { mailId: id },
  key: `mail:${id}`,
  mostAttempts: MOST_ATTEMPTS,
  ...(kind === "program" && { priority: AFTER_OTHERS }),
});

const withoutWords = sql`body_text = '', body_html = '', letter = null`;

async function giveUp(db: Db, mailId: string, why: string, now: Date): Promise<void> {
  await run(db, sql`update mails set given_up_at = ${now}, failure = ${why}, ${withoutWords} where id = ${mailId}`);
}

type Refused = { why: string; forGood: boolean; recipient: boolean };

/**
 * Classifies a failure. Only a 5xx reply about this mail is permanent; one about our credentials is not the
 * mail's fault, and the operator will fix it.
 */
function refusalOf(error: unknown): Refused {
  const { code, responseCode: answer = 0 } = error as { code?: string; responseCode?: number };
  const why = `The mail server did not take it (${[code, answer || null].filter(Boolean).join(" ") || "no answer"}).`;
  const recipient = code === "EENVELOPE";
  return { why, recipient, forGood: answer >= 500 && (recipient || code === "EMESSAGE") };
}
