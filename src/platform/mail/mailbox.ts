import { type Db, many, maybeOne, sql } from "#platform/database";
import type { EmailContent } from "./email-content.ts";

/** `letter` is missing when the text was deleted after sending, or when the mail has its own HTML. */
export type MailboxEntry = {
  id: string;
  to: string;
  subject: string;
  text: string;
  letter: EmailContent | null;
  html: string;
  /** Names of the attachments. */
  attachments: string[];
  at: Date;
};

const mailboxColumns = sql`m.id, m.recipient as "to", m.subject, coalesce(b.body_text, m.body_text) as text,
  m.letter, coalesce(b.body_html, m.body_html) as html,
  array(select a.name from mail_attachments a where a.body_id = b.id order by a.position) as attachments,
  m.created_at as at`;
const mailboxTables = sql`mails m left join mail_bodies b on b.id = m.body_id`;

/** The latest mails of the development mailbox, newest first; optionally those to one address. */
export const listMailbox = (db: Db, to?: string): Promise<MailboxEntry[]> =>
  many(
    db,
    sql<MailboxEntry>`
    select ${mailboxColumns} from ${mailboxTables}
    where ${to ?? null}::text is null or lower(m.recipient) = lower(${to ?? null}::text)
    order by m.created_at desc, m.id desc limit 100`,
  );

export const getMailboxEntry = (db: Db, id: string): Promise<MailboxEntry | undefined> =>
  maybeOne(db, sql<MailboxEntry>`select ${mailboxColumns} from ${mailboxTables} where m.id = ${id}`);
