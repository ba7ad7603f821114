import { z } from "zod";
import { isUniqueViolation, limit, many, maybeOne, one, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { invalid, Refusal } from "#platform/refusal";
import { LONGEST, type Mails, type Words } from "./mails.ts";

const MOST = 500;

export type Template = Words & { id: string; name: string; updatedAt: Date };
export type TemplateLine = Pick<Template, "id" | "name" | "subject" | "updatedAt">;

const words = (most: number) =>
  z
    .string()
    .transform((it) => it.replaceAll("\0", "").toWellFormed())
    .pipe(z.string().max(most, `Please keep it under ${most} characters.`));
const line = (most: number) => words(most).transform((it) => it.replace(/\s+/g, " ").trim());

/** Input for a template. Its text may have half the maximum length, leaving the rest for values. */
export const NewTemplate = z.object({
  name: line(100).pipe(z.string().min(1, "Give the template a name.")),
  subject: line(LONGEST.subject).pipe(z.string().min(1, "A mail has a subject.")),
  text: words(LONGEST.text / 2).default(""),
  html: words(LONGEST.html / 2).default(""),
});
export type NewTemplate = z.output<typeof NewTemplate>;

/** @throws `invalid` for an empty template */
function assertSays({ text, html }: NewTemplate): void {
  if (text.trim() === "" && html.trim() === "") throw invalid("text", "A mail says something: as text, as HTML, or as both.");
}

const columns = sql`id, name, subject, body_text as text, body_html as html, updated_at as "updatedAt"`;

export const listTemplates = ({ db }: Mails): Promise<TemplateLine[]> =>
  many(db, sql<TemplateLine>`select id, name, subject, updated_at as "updatedAt" from mail_templates order by name ${limit(MOST)}`);

/** @throws `not-found` */
export async function templateFor({ db }: Mails, id: string): Promise<Template> {
  const found = isId(id) ? await maybeOne(db, sql<Template>`select ${columns} from mail_templates where id = ${id}`) : undefined;
  if (!found) throw new Refusal("not-found", "There is no such template.");
  return found;
}

/** @throws `not-found` with the code that clients expect */
export async function templateNamed({ db }: Mails, name: string): Promise<Template> {
  const found = await maybeOne(db, sql<Template>`select ${columns} from mail_templates where name = ${name}`);
  if (found) return found;
  throw new Refusal("not-found", `Email Template with name '${name.slice(0, 100)}' doesn't exist.`, { kind: "no-such-mail-template" });
}

/**
 * Creates a template and returns its id.
 * @throws `invalid`, also for a name in use, `too-large` when there are too many
 */
export async function addTemplate(mails: Mails, template: NewTemplate): Promise<string> {
  assertSays(template);
  const { name, subject, text, html } = template;
  return unlessTaken(() =>
    mails.inTransaction(async (tx) => {
      const { n } = await one(tx, sql<{ n: number }>`select count(*)::int as n from mail_templates`);
      if (n >= MOST) throw new Refusal("too-large", `There are ${MOST} templates, as many as can be.`);
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

/** @throws `not-found`, `invalid`, also for a name in use */
export async function changeTemplate(mails: Mails, id: string, template: NewTemplate): Promise<void> {
  await templateFor(mails, id);
  assertSays(template);
  const { name, subject, text, html } = template;
  await unlessTaken(() =>
    mails.inTransaction((tx) =>
      run(
        tx,
        sql`update mail_templates set name = ${name}, subject = ${subject}, body_text = ${text}, body_html = ${html}, updated_at = ${tx.now}
            where id = ${id}`,
      ),
    ),
  );
}

/**
 * Deletes a template; emails sent with it are not affected.
 * @throws `not-found`
 */
export async function removeTemplate(mails: Mails, id: string): Promise<void> {
  await templateFor(mails, id);
  await run(mails.db, sql`delete from mail_templates where id = ${id}`);
}

async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("name", "There is a template of this name already.");
    throw error;
  }
}
