import { maybeOne, sql, type Tx } from "#platform/database";
import { later } from "#platform/jobs";
import { type Letter, textOf } from "./letter.ts";

/**
 * What a mail is for: an account's mail goes in any case; a notice and a digest can be done without, and stop where an
 * address sends them back, and so does what programs send; an answer is one to a mail that came in.
 */
export type MailKind = "account" | "notice" | "digest" | "answer" | "program";

/** What stands in its head beside the usual, for programs of mail. Names of mails have no host here. */
export type MailHeaders = {
  /** The first mail of its thread. */
  inReplyTo?: string;
  /** A mail of somebody else's that this answers, as that one names itself. */
  answers?: string;
  list?: { id: string; name: string };
  /** Where one request, without signing in, ends mail of this kind. */
  unsubscribe?: string;
  replyTo?: string;
  /** Who it is from, beside the place itself. */
  fromName?: string;
  /** It goes to many, and its head names those who get it openly. */
  shared?: true;
};

export type Mail = {
  to: string;
  letter: Letter;
  kind?: MailKind;
  personId?: string;
  /** Its name among mails: what has been taken in under it is not taken in again. Without one, its id. */
  messageId?: string;
  headers?: MailHeaders;
};

/** Words as the database can keep them: what is cut from a text may end in half a sign, and a mail that came in may bring zero bytes. */
export const storable = <T>(it: T): T =>
  JSON.parse(
    JSON.stringify(it, (_key, value: unknown) => (typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value)),
  ) as T;

/** Enough for two days of a server that is down, with pauses that grow from seconds to hours. */
export const MOST_ATTEMPTS = 16;

/**
 * Takes a mail in, in the transaction of what it tells of. It leaves by a job, and is tried again when that fails. False
 * for one whose name is known already.
 */
export async function post(tx: Tx, mail: Mail): Promise<boolean> {
  const id = tx.newId();
  const { letter: given, headers } = storable({ letter: mail.letter, headers: mail.headers ?? {} });
  // A subject is one line, whatever names are in it.
  const letter = { ...given, subject: given.subject.replace(/\s+/g, " ").trim() };
  const taken = await maybeOne(
    tx,
    sql`insert into mails (id, recipient, subject, body_text, letter, kind, person_id, headers, message_id, created_at)
        values (${id}, ${mail.to}, ${letter.subject}, ${textOf(letter)}, ${JSON.stringify(letter)}, ${mail.kind ?? "account"},
          ${mail.personId ?? null}, ${JSON.stringify(headers)}, ${mail.messageId ?? null}, ${tx.now})
        on conflict (message_id) where message_id is not null do nothing returning id`,
  );
  if (!taken) return false;
  await later(tx, { task: "mail", payload: { mailId: id }, key: `mail:${id}`, mostAttempts: MOST_ATTEMPTS });
  return true;
}
