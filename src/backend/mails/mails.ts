import type { Database } from "#platform/database";
import { Refusal } from "#platform/refusal";

export type MailRules = {
  /** Copies that programs may send in an hour, all of them together; 0 for any number. */
  perHour: number;
};

/** Mail that programs send, by the way on which the community's own goes. */
export type Mails = Pick<Database, "db" | "inTransaction"> & { rules: () => Promise<MailRules> };

/** In whose name something is sent: a person, or a program that nobody is signed in with. `trusted` takes back what others have sent, too. */
export type Sender = { personId: string | null; trusted: boolean };

type Given = { database: Pick<Database, "db" | "inTransaction">; rules: Mails["rules"] };

/** Opens the mail of programs. Nothing is read before something is sent. */
export const openMails = ({ database: { db, inTransaction }, rules }: Given): Mails => ({ db, inTransaction, rules });

/** Characters of a subject; of the words as text, and as HTML. */
export const LONGEST = { subject: 250, text: 200_000, html: 500_000 } as const;

/** What a mail says; either of text and HTML may be empty. */
export type Words = { subject: string; text: string; html: string };

/** Throws `invalid` or `too-large` for words that no mail has, whether they were given so or came to be so from a template. */
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
