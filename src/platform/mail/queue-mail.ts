import { many, maybeOne, sql, type Tx } from "#platform/database";
import { enqueueJob, enqueueJobs } from "#platform/jobs";
import { type EmailContent, renderEmailText } from "./email-content.ts";

/**
 * Purpose of a mail: account mail is always sent; notices, digests and API clients' mail stop when an address
 * bounces; an answer replies to a received mail.
 */
export type MailKind = "account" | "notice" | "digest" | "answer" | "program";

/** Additional headers. Message-IDs are given without a host. */
export type MailHeaders = {
  /** Message-ID of the first mail of the thread. */
  inReplyTo?: string;
  /** Message-ID of the received mail to which this one replies, as its sender wrote it. */
  answers?: string;
  list?: { id: string; name: string };
  /** URL for one-click unsubscribe without signing in. */
  unsubscribe?: string;
  replyTo?: string;
  /** Name of the sender, shown beside the community's name. */
  fromName?: string;
  /** True for a copy of a mass mail whose headers name all visible recipients. */
  shared?: true;
};

export type Mail = {
  to: string;
  letter: EmailContent;
  kind?: MailKind;
  personId?: string;
  /** Message-ID; a mail whose Message-ID is already known is not queued again. Defaults to the row's id. */
  messageId?: string;
  headers?: MailHeaders;
  /** True for one of many mails that are sent at the same time: other mail is sent first. */
  bulk?: boolean;
};

/** Removes what the database cannot store: broken surrogates at a cut, and zero bytes of received mail. */
export const toStorableMail = <T>(it: T): T =>
  JSON.parse(
    JSON.stringify(it, (_key, value: unknown) =>
      typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
    ),
  );

/** Priority of bulk jobs: all other mail is sent first. */
export const BULK_MAIL_PRIORITY = 10;

/**
 * Attempts of a job: enough for a server that is unavailable for two days, with pauses growing from seconds
 * to hours.
 */
export const MAX_MAIL_ATTEMPTS = 16;

/**
 * Queues a mail in the current transaction; a job sends it and retries failures. Returns false when its
 * Message-ID is already known.
 */
export async function queueMail(tx: Tx, mail: Mail): Promise<boolean> {
  const id = tx.newId();
  const { letter: given, headers } = toStorableMail({ letter: mail.letter, headers: mail.headers ?? {} });
  // Subjects are one line, even when a name in them has line breaks.
  const letter = { ...given, subject: given.subject.replace(/\s+/g, " ").trim() };
  const taken = await maybeOne(
    tx,
    sql`insert into mails (id, recipient, subject, body_text, letter, kind, person_id, headers, message_id,
      created_at)
        values (${id}, ${mail.to}, ${letter.subject}, ${renderEmailText(letter)}, ${JSON.stringify(letter)},
          ${mail.kind ?? "account"},
          ${mail.personId ?? null}, ${JSON.stringify(headers)}, ${mail.messageId ?? null}, ${tx.now})
        on conflict (message_id) where message_id is not null do nothing returning id`,
  );
  if (!taken) return false;
  await enqueueJob(tx, {
    task: "mail",
    payload: { mailId: id },
    key: `mail:${id}`,
    mostAttempts: MAX_MAIL_ATTEMPTS,
    ...(mail.bulk && { priority: BULK_MAIL_PRIORITY }),
  });
  return true;
}

/** Like `queueMail` for many mails with Message-IDs, in two statements. Returns the number of new mails. */
export async function queueMails(tx: Tx, mails: (Mail & { messageId: string })[]): Promise<number> {
  const rows = mails.map((mail) => {
    const { letter: given, headers } = toStorableMail({ letter: mail.letter, headers: mail.headers ?? {} });
    const letter = { ...given, subject: given.subject.replace(/\s+/g, " ").trim() };
    return {
      id: tx.newId(),
      recipient: mail.to,
      subject: letter.subject,
      body_text: renderEmailText(letter),
      letter,
      kind: mail.kind ?? "account",
      person_id: mail.personId ?? null,
      headers,
      message_id: mail.messageId,
      bulk: mail.bulk === true,
    };
  });
  const stored = await many(
    tx,
    sql<{ id: string }>`
      insert into mails (id, recipient, subject, body_text, letter, kind, person_id, headers, message_id,
        created_at)
      select id, recipient, subject, body_text, letter, kind, person_id, headers, message_id, ${tx.now}
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, recipient text, subject text,
        body_text text, letter jsonb, kind text, person_id uuid, headers jsonb, message_id text)
      on conflict (message_id) where message_id is not null do nothing returning id`,
  );
  const isBulk = new Map(rows.map(({ id, bulk }) => [id, bulk]));
  await enqueueJobs(
    tx,
    stored.map(({ id }) => ({
      task: "mail",
      payload: { mailId: id },
      key: `mail:${id}`,
      mostAttempts: MAX_MAIL_ATTEMPTS,
      ...(isBulk.get(id) && { priority: BULK_MAIL_PRIORITY }),
    })),
  );
  return stored.length;
}
