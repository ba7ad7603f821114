import type { Database } from "#platform/database";
import { Refusal } from "#platform/refusal";

export type MailRules = {
  /** Emails that all API clients together may send per hour; 0 for no limit. */
  perHour: number;
};

/** Email of API clients, sent through the same transport as the community's. */
export type Mails = Pick<Database, "db" | "inTransaction"> & { rules: () => Promise<MailRules> };

/** The sender: a person, or an anonymous client. `trusted` may cancel what others have sent. */
export type Sender = { personId: string | null; trusted: boolean };

type Given = { database: Pick<Database, "db" | "inTransaction">; rules: Mails["rules"] };

/** Nothing is read before the first email. */
export const openMails = ({ database: { db, inTransaction }, rules }: Given): Mails => ({ db, inTransaction, rules });

/** Characters of a subject, of the text and of the HTML. */
export const LONGEST = { subject: 250, text: 200_000, html: 500_000 } as const;

/** The content of an email; either text or HTML may be empty. */
export type Words = { subject: string; text: string; html: string };

/** @throws `invalid` or `too-large` for invalid content, whether written so or filled from a template */
export function assertWords({ subject, text, html }: Words): void {
  if (subject.trim() === "") throw wrong("subject", "A mail has a subject.");
  if (subject.length > LONGEST.subject) throw wrong("subject", `A subject has ${LONGEST.subject} characters at the most.`);
  if (text.trim() === "" && html.trim() === "") throw wrong("text", "A mail says something: as text, as HTML, or as both.");
  for (const part of ["text", "html"] as const)
    if ({ text, html }[part].length > LONGEST[part])
      throw new Refusal("too-large", `The ${part} of a mail has ${LONGEST[part]} characters at the most.`, { kind: "mail-too-large" });
}

export const wrong = (field: string, sentence: string) =>
  new Refusal("invalid", sentence, { kind: "bad-mail", fields: { [field]: sentence } });
