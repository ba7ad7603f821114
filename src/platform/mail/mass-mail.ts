import { addMilliseconds, MINUTE } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import { enqueueJobs } from "#platform/jobs";
import { BULK_MAIL_PRIORITY, MAX_MAIL_ATTEMPTS, toStorableMail } from "./queue-mail.ts";

/** One recipient of a mass mail. */
export type MailCopy = {
  to: string;
  /**
   * True: the headers name all visible recipients, and the copies share one Message-ID. False: the headers
   * name this recipient alone.
   */
  shared: boolean;
  personId?: string;
  /** URL for one-click unsubscribe without signing in. */
  unsubscribe?: string;
};

export type MailAttachment = { name: string; mime: string; bytes: Buffer };

/** A mail for many recipients with text and HTML of its own, without a template. Either part may be empty. */
export type MassMail = {
  id: string;
  subject: string;
  text: string;
  html: string;
  /** Recipients named in the headers of shared copies. */
  to: string[];
  cc: string[];
  attachments: MailAttachment[];
  copies: MailCopy[];
};

/**
 * Maximum copies per minute to one host: half of the limit, so that the community's own mail does not wait
 * behind them.
 */
const MAX_PER_HOST = 30;
/** Maximum copies per statement, few enough for slow machines. */
const BATCH_SIZE = 500;

/**
 * Queues a mail for many recipients in one transaction. Each copy has its own job, so it is sent once even
 * if other copies fail.
 */
export async function queueMassMail(
  tx: Tx,
  { id, to, cc, attachments, copies, ...given }: MassMail,
): Promise<void> {
  const { subject, text, html } = toStorableMail(given);
  await run(
    tx,
    sql`insert into mail_bodies (id, body_text, body_html, to_header, cc_header, created_at)
        values (${id}, ${text}, ${html}, ${to}::text[], ${cc}::text[], ${tx.now})`,
  );
  for (const [position, { name, mime, bytes }] of attachments.entries())
    await run(
      tx,
      sql`insert into mail_attachments (body_id, position, name, mime, size, bytes)
          values (${id}, ${position}, ${name}, ${mime}, ${bytes.length}, ${bytes})`,
    );
  const rows = copies.map((copy) => toCopyRow(copy, tx.newId()));
  const jobs = spreadByHost(rows, tx.now);
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    await insertCopies(
      tx,
      { id, subject: subject.replace(/\s+/g, " ").trim() },
      rows.slice(at, at + BATCH_SIZE),
    );
    await enqueueJobs(tx, jobs.slice(at, at + BATCH_SIZE));
  }
}

const insertCopies = (tx: Tx, { id, subject }: Pick<MassMail, "id" | "subject">, rows: CopyRow[]) =>
  run(
    tx,
    sql`insert into mails (id, body_id, kind, subject, body_text, recipient, person_id, headers, created_at)
        select c.id, ${id}, 'program', ${subject}, '', c.recipient, c."personId", c.headers, ${tx.now}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, recipient text, "personId" uuid,
          headers jsonb)`,
  );

type CopyRow = { id: string; recipient: string; personId: string | null; headers: object };

const toCopyRow = ({ to, shared, personId, unsubscribe }: MailCopy, id: string): CopyRow => ({
  id,
  recipient: to,
  personId: personId ?? null,
  headers: { ...(shared && { shared }), ...(unsubscribe && { unsubscribe }) },
});

/** Creates one job per copy; copies to the same host are spread over minutes. */
function spreadByHost(rows: CopyRow[], now: Date) {
  const toHost = new Map<string, number>();
  return rows.map(({ id, recipient }) => {
    const host = recipient.slice(recipient.lastIndexOf("@") + 1).toLowerCase();
    const before = toHost.get(host) ?? 0;
    toHost.set(host, before + 1);
    const minutes = Math.floor(before / MAX_PER_HOST);
    return {
      task: "mail",
      payload: { mailId: id },
      key: `mail:${id}`,
      mostAttempts: MAX_MAIL_ATTEMPTS,
      priority: BULK_MAIL_PRIORITY,
      ...(minutes > 0 && { runAt: addMilliseconds(now, minutes * MINUTE) }),
    };
  });
}
