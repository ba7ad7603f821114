import { z } from "zod";
import { isUniqueViolation, limit, many, maybeOne, one, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { MAX_EMAIL_LENGTHS, type EmailContext, type EmailText } from "./email-context.ts";

const MAX_TEMPLATES = 500;

export type EmailTemplate = EmailText & { id: string; name: string; updatedAt: Date };
export type EmailTemplateRow = Pick<EmailTemplate, "id" | "name" | "subject" | "updatedAt">;

const boundedText = (most: number) =>
  z
    .string()
    .transform((it) => it.replaceAll("\0", "").toWellFormed())
    .pipe(z.string().max(most, "At most {count, number} characters."));
const singleLine = (most: number) => boundedText(most).transform((it) => it.replace(/\s+/g, " ").trim());

/** Input for a template. Its text may have half the maximum length of an email, so that the values fit in. */
export const NewEmailTemplate = z.object({
  name: singleLine(100).pipe(z.string().min(1, "Give the template a name.")),
  subject: singleLine(MAX_EMAIL_LENGTHS.subject).pipe(z.string().min(1, "An email needs a subject.")),
  text: boundedText(MAX_EMAIL_LENGTHS.text / 2).default(""),
  html: boundedText(MAX_EMAIL_LENGTHS.html / 2).default(""),
});
export type NewEmailTemplate = z.output<typeof NewEmailTemplate>;

/**
 * Refuses an empty template.
 * @throws `invalid`
 */
function assertNotEmpty({ text, html }: NewEmailTemplate): void {
  if (text.trim() === "" && html.trim() === "") throw invalid("text", "An email needs text, HTML or both.");
}

const templateColumns = sql`id, name, subject, body_text as text, body_html as html,
  updated_at as "updatedAt"`;

export const listEmailTemplates = ({ db }: EmailContext): Promise<EmailTemplateRow[]> =>
  many(
    db,
    sql<EmailTemplateRow>`select id, name, subject, updated_at as "updatedAt" from mail_templates
      order by name ${limit(MAX_TEMPLATES)}`,
  );

/**
 * Returns a template by id.
 * @throws `not-found`
 */
export async function getEmailTemplate({ db }: EmailContext, id: string): Promise<EmailTemplate> {
  const found = isId(id)
    ? await maybeOne(db, sql<EmailTemplate>`select ${templateColumns} from mail_templates where id = ${id}`)
    : undefined;
  if (!found) throw new Refusal("not-found", "This template does not exist.");
  return found;
}

/**
 * Returns a template by name.
 * @throws `not-found` with the code that clients expect
 */
export async function getEmailTemplateByName({ db }: EmailContext, name: string): Promise<EmailTemplate> {
  const found = await maybeOne(
    db,
    sql<EmailTemplate>`select ${templateColumns} from mail_templates where name = ${name}`,
  );
  if (found) return found;
  throw new Refusal(
    "not-found",
    msg("Email Template with name ''{name}'' doesn't exist.", { name: name.slice(0, 100) }),
    {
      kind: "no-such-mail-template",
    },
  );
}

/**
 * Creates a template and returns its id.
 * @throws `invalid`, also for a name in use, `too-large` when there are too many
 */
export async function createEmailTemplate(mails: EmailContext, template: NewEmailTemplate): Promise<string> {
  assertNotEmpty(template);
  const { name, subject, text, html } = template;
  return catchNameTaken(() =>
    mails.inTransaction(async (tx) => {
      const { n } = await one(tx, sql<{ n: number }>`select count(*)::int as n from mail_templates`);
      if (n >= MAX_TEMPLATES)
        throw new Refusal(
          "too-large",
          msg("There are {count} templates, the maximum.", { count: MAX_TEMPLATES }),
        );
      const id = tx.newId();
      await run(
        tx,
        sql`insert into mail_templates (id, name, subject, body_text, body_html, created_at, updated_at)
            values (${id}, ${name}, ${subject}, ${text}, ${html}, ${tx.now}, ${tx.now})`,
      );
      return id;
    }),
  );
}

/**
 * Changes a template.
 * @throws `not-found`, `invalid`, also for a name in use
 */
export async function changeEmailTemplate(
  mails: EmailContext,
  id: string,
  template: NewEmailTemplate,
): Promise<void> {
  await getEmailTemplate(mails, id);
  assertNotEmpty(template);
  const { name, subject, text, html } = template;
  await catchNameTaken(() =>
    mails.inTransaction((tx) =>
      run(
        tx,
        sql`update mail_templates
          set name = ${name}, subject = ${subject}, body_text = ${text}, body_html = ${html},
            updated_at = ${tx.now}
            where id = ${id}`,
      ),
    ),
  );
}

/**
 * Deletes a template; emails already sent or queued with it are not affected.
 * @throws `not-found`
 */
export async function deleteEmailTemplate(mails: EmailContext, id: string): Promise<void> {
  await getEmailTemplate(mails, id);
  await run(mails.db, sql`delete from mail_templates where id = ${id}`);
}

async function catchNameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("name", "A template with this name already exists.");
    throw error;
  }
}
