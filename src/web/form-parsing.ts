import type { z } from "zod";
import { issueMessage, type Message } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";

/** Collects the values of a form by name, in one pass: a lookup for each name would take quadratic time. */
export function fieldsByName(form: FormData): Map<string, FormDataEntryValue[]> {
  const fields = new Map<string, FormDataEntryValue[]>();
  for (const [name, value] of form) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/** Message for fields whose schema has none. Pages of Kith never send such values. */
const INVALID_VALUE = { text: "This value is not valid here." };

/**
 * Parses a form's fields with a schema. The first error of each field becomes the message beside it. Fields
 * ending in `[]` are lists.
 * @throws `invalid`
 */
export function parseForm<S extends z.ZodType>(schema: S, form: FormData): z.output<S> {
  const input = [...fieldsByName(form)].map(([name, values]): [string, unknown] =>
    name.endsWith("[]") ? [name.slice(0, -2), values.map(cleanValue)] : [name, cleanValue(values[0]!)],
  );
  const parsed = schema.safeParse(Object.fromEntries(input), { error: () => INVALID_VALUE.text });
  if (parsed.success) return parsed.data;
  const fields: Record<string, Message> = {};
  for (const issue of parsed.error.issues) fields[String(issue.path[0] ?? "form")] ??= issueMessage(issue);
  throw new Refusal("invalid", "Check the marked fields.", { fields });
}

/** Parses a field as JSON; returns `otherwise` if it is not valid JSON. */
export function parseJsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/**
 * Returns the command that the form names as its `intent`.
 * @throws `not-found` for any other name, including inherited properties such as `constructor`
 */
export function chooseAction<Verb>(verbs: Readonly<Record<string, Verb>>, form: FormData): Verb {
  const intent = String(form.get("intent") ?? "");
  if (!Object.hasOwn(verbs, intent)) throw notFound();
  return verbs[intent]!;
}

/** Cleans text for the database: no zero bytes, no lone surrogates, line feeds as the only line breaks. */
export const cleanText = (text: string) =>
  text.toWellFormed().replaceAll("\u0000", "").replace(/\r\n?/g, "\n");

const cleanValue = (value: FormDataEntryValue) => (typeof value === "string" ? cleanText(value) : value);

/** Reads a query parameter, cleaned and limited to `most` characters, since anybody can write an address. */
export const readQueryParam = (url: URL, name: string, most = 200): string =>
  cleanText(url.searchParams.get(name) ?? "")
    .slice(0, most)
    .trim();
