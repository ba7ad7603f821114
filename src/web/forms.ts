import type { z } from "zod";
import { notFound, Refusal } from "#platform/refusal";

/** The form in a request. What is no form, or a broken one, is refused in words. */
export async function typedIn(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new Refusal("wrong-type", "That is not a form this page can read.");
  let form: FormData;
  try {
    form = await request.formData();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw error instanceof Error && error.cause instanceof Refusal
      ? error.cause
      : new Refusal("invalid", "That form arrived broken. Please send it again.");
  }
  return form;
}

/**
 * A form's fields through a schema. Each field's first fault becomes the sentence beside it. Fields that end in `[]`
 * arrive as lists.
 */
export function parseForm<S extends z.ZodType>(schema: S, form: FormData): z.output<S> {
  const given: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => (typeof value === "string" ? clean(value) : value));
    if (name.endsWith("[]")) given[name.slice(0, -2)] = values;
    else given[name] = values[0];
  }
  const read = schema.safeParse(given);
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

/** A value of the query string, cleaned and cut: what is in an address is anybody's. */
export const asked = (url: URL, name: string, most = 200): string =>
  clean(url.searchParams.get(name) ?? "")
    .slice(0, most)
    .trim();
