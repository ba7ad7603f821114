import type { z } from "zod";
import { notFound, Refusal } from "#platform/refusal";

/** What a form holds under each name, collected in one pass: looking up each name by itself takes quadratic time. */
export function fieldsByName(form: FormData): Map<string, FormDataEntryValue[]> {
  const fields = new Map<string, FormDataEntryValue[]>();
  for (const [name, value] of form) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/**
 * A form's fields through a schema. Each field's first fault becomes the sentence beside it. Fields that end in `[]`
 * arrive as lists.
 */
export function parseForm<S extends z.ZodType>(schema: S, form: FormData): z.output<S> {
  const input = [...fieldsByName(form)].map(([name, values]): [string, unknown] =>
    name.endsWith("[]") ? [name.slice(0, -2), values.map(cleanValue)] : [name, cleanValue(values[0]!)],
  );
  const read = schema.safeParse(Object.fromEntries(input));
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const issue of read.error.issues) fields[String(issue.path[0] ?? "form")] ??= issue.message;
  throw new Refusal("invalid", "Please look at the marked fields.", { fields });
}

/** What a field holds as JSON; `otherwise` for what is none. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** The one of these that the form names as its `intent`. `not-found` for any other name, those that every object has (`constructor`) too. */
export function verbIn<Verb>(verbs: Readonly<Record<string, Verb>>, form: FormData): Verb {
  const intent = String(form.get("intent") ?? "");
  if (!Object.hasOwn(verbs, intent)) throw notFound();
  return verbs[intent]!;
}

/** Text as the database can hold it: no zero bytes, no broken characters, one kind of line end. */
export const clean = (text: string) => text.toWellFormed().replaceAll("\u0000", "").replace(/\r\n?/g, "\n");

const cleanValue = (value: FormDataEntryValue) => (typeof value === "string" ? clean(value) : value);

/** A value of the query string, cleaned and cut: what is in an address is anybody's. */
export const asked = (url: URL, name: string, most = 200): string =>
  clean(url.searchParams.get(name) ?? "")
    .slice(0, most)
    .trim();
