import { HOUR, later } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { type MailAttachment, type MailCopy, plainOfHtml, postToMany, waitingBytes } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { assertWords, type Mails, type Sender, type Words } from "./mails.ts";
import { infoOf, type MailInfo } from "./status.ts";

/** Somebody who is written to because a condition found them. */
export type Found = { personId: string; address: string; unsubscribe: string };

export type NewMail = Words & {
  to: string[];
  cc: string[];
  bcc: string[];
  /** Nobody's address is shown to them, nor theirs to anybody. */
  people: Found[];
  /** Everybody gets a mail that names them alone. */
  unique: boolean;
  attachments: MailAttachment[];
  /** The name of the template that the words come from. */
  template: string | null;
};

/** Bytes that all mail together may have attached to it while it waits. */
const MOST_WAITING = 200_000_000;

/**
 * Takes a mail in, for each of those it is for; it leaves by the jobs that the community's mail leaves by. No address gets it twice. Throws
 * `invalid` and `too-large` for what is in it, `too-many` where programs have sent as much in an hour as they may.
 */
export async function sendMail(mails: Mails, by: Sender, mail: NewMail): Promise<MailInfo> {
  assertWords(mail);
  const copies = copiesOf(mail);
  const { perHour } = await mails.rules();
  // Whoever reads mail as text is not sent away.
  const text = mail.text.trim() === "" ? plainOfHtml(mail.html) : mail.text;
  return mails.inTransaction(async (tx) => {
    // What is refused in any case is not written down first.
    await mindHour(tx, perHour, copies.length);
    await mindBytes(tx, bytesOf(mail));
    const id = tx.newId();
    const error = copies.length === 0 ? "There is nobody to write to." : null;
    await run(
      tx,
      sql`insert into program_mails (id, person_id, subject, template, error, created_at)
          values (${id}, ${by.personId}, ${mail.subject}, ${mail.template}, ${error}, ${tx.now})`,
    );
    if (error === null) await postToMany(tx, { ...mail, id, text, copies });
    // Counted once more, one after the other, with what others have stored meanwhile: held for as long as that takes and no longer.
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('program-mails', 0))`);
    await mindHour(tx, perHour, 0);
    await mindBytes(tx, 0);
    return infoOf({ id, error, cancelled: false, sent: 0, failed: 0, waiting: copies.length });
  });
}

/** Who gets a copy. An address that was named is shown as it was named, though a condition found its person as well. */
function copiesOf({ to, cc, bcc, people, unique }: NewMail): MailCopy[] {
  const shared = !unique && to.length + cc.length > 0;
  const all = [...to, ...cc, ...bcc]
    .map((address): MailCopy => ({ to: address, shared }))
    .concat(people.map(({ personId, address, unsubscribe }) => ({ to: address, personId, unsubscribe, shared: false })));
  const seen = new Set<string>();
  return all.filter(({ to: address }) => {
    const key = address.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

/** Throws `too-many` where so many more than were stored in the last hour are more than may be. */
async function mindHour(tx: Tx, perHour: number, more: number): Promise<void> {
  if (perHour === 0) return;
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from mails where kind = 'program' and created_at > ${later(tx.now, -HOUR)}`,
  );
  if (n + more > perHour)
    throw new Refusal("too-many", `Programs send ${perHour} mails in an hour here, and this would be more.`, { retryAfter: HOUR / 1_000 });
}

const bytesOf = ({ attachments }: NewMail) => attachments.reduce((bytes, it) => bytes + it.bytes.length, 0);

async function mindBytes(tx: Tx, more: number): Promise<void> {
  if ((await waitingBytes(tx)) + more > MOST_WAITING)
    throw new Refusal("unavailable", "Too much waits to be sent already. Please come back in a while.", { retryAfter: 600 });
}
