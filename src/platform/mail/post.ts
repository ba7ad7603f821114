import { createTransport } from "nodemailer";
import { type Db, type Tx, maybeOne, run, sql } from "#platform/database";
import { later } from "#platform/jobs";

export type Mail = { to: string; subject: string; text: string; html: string };

/** Takes a mail in, in the transaction of what it tells of. It leaves by a job, and is tried again when that fails. */
export async function post(tx: Tx, mail: Mail): Promise<void> {
  const id = tx.newId();
  await run(
    tx,
    sql`insert into mails (id, recipient, subject, body_text, body_html, created_at)
        values (${id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${tx.now})`,
  );
  await later(tx, { task: "mail", payload: { mailId: id }, key: `mail:${id}` });
}

export type Post = { deliver: (db: Db, mailId: string, now: Date) => Promise<void> };

/**
 * The way out for mail: an SMTP server, or, without one, the development mailbox (the table itself).
 * What was sent by SMTP keeps its row but not its words: they can hold links that sign somebody in.
 */
export function openPost({ smtpUrl, from }: { smtpUrl: string | null; from: string }): Post {
  const transport = smtpUrl ? createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 20_000 }, { from }) : null;
  return {
    async deliver(db, mailId, now) {
      const mail = await maybeOne(
        db,
        sql<Mail>`select recipient as "to", subject, body_text as text, body_html as html from mails where id = ${mailId} and sent_at is null`,
      );
      if (!mail) return;
      // A stable id lets the receiving server recognise a mail that is sent again after a lost answer.
      if (transport) await transport.sendMail({ ...mail, messageId: `<${mailId}@kith>` });
      await run(
        db,
        transport
          ? sql`update mails set sent_at = ${now}, body_text = '', body_html = '' where id = ${mailId}`
          : sql`update mails set sent_at = ${now} where id = ${mailId}`,
      );
    },
  };
}
