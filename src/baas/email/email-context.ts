import type { Database } from "#platform/database";
import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

export type EmailRules = {
  /** Maximum emails that all API clients together may send per hour; 0 for no limit. */
  perHour: number;
};

/** Email of API clients, sent through the same transport as the community's. */
export type EmailContext = Pick<Database, "db" | "inTransaction"> & { rules: () => Promise<EmailRules> };

/** The sender: a person, or an anonymous client. `trusted` may cancel emails of others. */
export type EmailSender = { personId: string | null; trusted: boolean };

type EmailOptions = { database: Pick<Database, "db" | "inTransaction">; rules: EmailContext["rules"] };

/** Creates the context for email of API clients. Nothing is read before the first email. */
export const createEmailContext = ({
  database: { db, inTransaction },
  rules,
}: EmailOptions): EmailContext => ({
  db,
  inTransaction,
  rules,
});

/** Maximum characters of a subject, of the text and of the HTML. */
export const MAX_EMAIL_LENGTHS = { subject: 250, text: 200_000, html: 500_000 } as const;

/** The content of an email; either text or HTML may be empty. */
export type EmailText = { subject: string; text: string; html: string };

/**
 * Checks the content of an email, after the placeholders of a template are filled.
 * @throws `invalid` or `too-large`
 */
export function assertEmailText({ subject, text, html }: EmailText): void {
  if (subject.trim() === "") throw invalidEmail("subject", "An email needs a subject.");
  if (subject.length > MAX_EMAIL_LENGTHS.subject)
    throw invalidEmail(
      "subject",
      msg("A subject can have at most {count} characters.", { count: MAX_EMAIL_LENGTHS.subject }),
    );
  if (text.trim() === "" && html.trim() === "")
    throw invalidEmail("text", "An email needs text, HTML or both.");
  for (const part of ["text", "html"] as const)
    if ({ text, html }[part].length > MAX_EMAIL_LENGTHS[part])
      throw new Refusal(
        "too-large",
        msg("The {part} of an email can have at most {count} characters.", {
          part,
          count: MAX_EMAIL_LENGTHS[part],
        }),
        {
          kind: "mail-too-large",
        },
      );
}

export const invalidEmail = (field: string, message: Message) =>
  new Refusal("invalid", message, { kind: "bad-mail", fields: { [field]: message } });
