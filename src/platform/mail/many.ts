import { later, MINUTE } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import { laterAll } from "#platform/jobs";
import { MOST_ATTEMPTS, storable } from "./post.ts";

/** One of those who get a mail that goes to many. */
export type MailCopy = {
  to: string;
  /** Its head names all to whom the mail openly goes, and it bears one name with the other such copies; otherwise it names this one alone. */
  shared: boolean;
  personId?: string;
  /** Where one request, without signing in, ends mail of this kind. */
  unsubscribe?: string;
};

export type MailAttachment = { name: string; mime: string; bytes: Buffer };

/** Words that go to many, as they are: without a letter's face. Either part may be empty. */
export type MailToMany = {
  id: string;
  subject: string;
  text: string;
  html: string;
  /** What stands in the heads of shared copies. */
  to: string[];
  cc: string[];
  attachments: MailAttachment[];
  copies: MailCopy[];
};

/** Copies to one host in a minute: half of what goes there, so that what the community has to say does not wait behind them. */
const TO_A_HOST = 30;
/** Copies in one statement: no machine is too slow for that. */
const SHARE = 500;
/** Whatever else is to be mailed goes first. */
export const AFTER_OTHERS = 10;

/** Takes a mail in for many, in one transaction. Each copy leaves by a job of its own, so that each is sent once, whatever becomes of the others. */
export async function postToMany(tx: Tx, { id, to, cc, attachments, copies, ...given }: MailToMany): Promise<void> {
  const { subject, text, html } = storable(given);
  await run(
    tx,
    sql`insert into mail_bodies (id, body_text, body_html, to_line, cc_line, created_at)
        values (${id}, ${text}, ${html}, ${to}::text[], ${cc}::text[], ${tx.now})`,
  );
  for (const [position, { name, mime, bytes }] of attachments.entries())
    await run(
      tx,
      sql`insert into mail_attachments (body_id, position, name, mime, size, bytes)
          values (${id}, ${position}, ${name}, ${mime}, ${bytes.length}, ${bytes})`,
    );
  const rows = copies.map((copy) => rowOf(copy, tx.newId()));
  const jobs = spread(rows, tx.now);
  for (let at = 0; at < rows.length; at += SHARE) {
    await addCopies(tx, { id, subject: subject.replace(/\s+/g, " ").trim() }, rows.slice(at, at + SHARE));
    await laterAll(tx, jobs.slice(at, at + SHARE));
  }
}

const addCopies = (tx: Tx, { id, subject }: Pick<MailToMany, "id" | "subject">, rows: Row[]) =>
  run(
    tx,
    sql`insert into mails (id, body_id, kind, subject, body_text, recipient, person_id, headers, created_at)
        select c.id, ${id}, 'program', ${subject}, '', c.recipient, c."personId", c.headers, ${tx.now}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, recipient text, "personId" uuid, headers jsonb)`,
  );

type Row = { id: string; recipient: string; personId: string | null; headers: object };

const rowOf = ({ to, shared, personId, unsubscribe }: MailCopy, id: string): Row => ({
  id,
  recipient: to,
  personId: personId ?? null,
  headers: { ...(shared && { shared }), ...(unsubscribe && { unsubscribe }) },
});

/** A job for each, those to one host some minutes apart. */
function spread(rows: Row[], now: Date) {
  const toHost = new Map<string, number>();
  return rows.map(({ id, recipient }) => {
    const host = recipient.slice(recipient.lastIndexOf("@") + 1).toLowerCase();
    const before = toHost.get(host) ?? 0;
    toHost.set(host, before + 1);
    const minutes = Math.floor(before / TO_A_HOST);
    return {
      task: "mail",
      payload: { mailId: id },
      key: `mail:${id}`,
      mostAttempts: MOST_ATTEMPTS,
      priority: AFTER_OTHERS,
      ...(minutes > 0 && { runAt: later(now, minutes * MINUTE) }),
    };
  });
}
