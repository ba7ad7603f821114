import { said, type Visit } from "./visit.ts";
import { typedInto } from "./typed.ts";

/** A form as it came in, for the page that has to say that it came to nothing. */
export type Given = { to: string; fields: [name: string, value: string][] };

/** The fields that people write in, as their labels call them. Whatever else a form has goes along unseen. */
const WRITTEN: Record<string, (visit: Visit) => string> = {
  title: (visit) => said(visit, "Title"),
  pollOptions: (visit) => said(visit, "Options"),
  tags: (visit) => said(visit, "Tags (optional)"),
  reason: (visit) => said(visit, "Reason"),
};
/** What is one line where it was typed. */
const LINES = new Set(["title", "tags"]);
const TEXTS = new Set(["body", "text", "about", "note", "answer", "purpose", "rules", "why", ...Object.keys(WRITTEN)]);

/** What there is to give back of a form; null where nobody has written anything in it. */
export function givenIn(form: FormData, { pathname, search }: URL): Given | null {
  const kept = typedInto(form);
  const fields = [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string" && Object.hasOwn(kept, pair[0]));
  return fields.some(isWritten) ? { to: pathname + search, fields } : null;
}

const isWritten = ([name, value]: [string, string]) => TEXTS.has(name) && value.trim() !== "";

/**
 * What was written, in a form that sends all of it again: for the page of an error, without scripts and before the app is there. As
 * HTML, so that its words and its code come with such a page only.
 */
export function givenBack(visit: Visit, { to, fields }: Given): string {
  const parts = fields.map((field, at) => (isWritten(field) ? written(visit, field, at) : hidden(field)));
  const lead = said(visit, "What you wrote is still here. Files that went with it have to be chosen anew on the page itself.");
  return `<form method="post" action="${escaped(to)}" class="mt-6 grid max-w-2xl grid-cols-1 gap-4"><p>${escaped(lead)}</p>${parts.join("")}<p><button class="button">${escaped(said(visit, "Send it again"))}</button></p></form>`;
}

function written(visit: Visit, [name, value]: [string, string], at: number): string {
  const label = `<label for="given-${at}">${escaped(WRITTEN[name]?.(visit) ?? said(visit, "What you wrote"))}</label>`;
  const called = `id="given-${at}" name="${escaped(name)}" dir="auto" class="input"`;
  if (LINES.has(name)) return `<div class="field">${label}<input ${called} value="${escaped(value)}"></div>`;
  const rows = Math.min(12, value.split("\n").length + Math.ceil(value.length / 80));
  // A line break that a text begins with is none of the text, as HTML reads it: it has one more.
  return `<div class="field">${label}<textarea ${called} rows="${rows}">\n${escaped(value)}</textarea></div>`;
}

const hidden = ([name, value]: [string, string]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
