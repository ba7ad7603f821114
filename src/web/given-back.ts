import { said, type Visit } from "./visit.ts";
import { typedInto } from "./typed.ts";

/** A form as it was submitted, for an error page that offers to send it again. */
export type Given = { to: string; fields: [name: string, value: string][] };

/** Labels of the fields in which people write text. All other fields are resubmitted as hidden ones. */
const WRITTEN: Record<string, (visit: Visit) => string> = {
  title: (visit) => said(visit, "Title"),
  pollOptions: (visit) => said(visit, "Options"),
  tags: (visit) => said(visit, "Tags (optional)"),
  reason: (visit) => said(visit, "Reason"),
};
/** Fields that are single-line inputs. */
const LINES = new Set(["title", "tags"]);
const TEXTS = new Set(["body", "text", "about", "note", "answer", "purpose", "rules", "why", ...Object.keys(WRITTEN)]);

/** Reads a submitted form, so that it can be sent again; null if nothing was written in it. */
export function givenIn(form: FormData, { pathname, search }: URL): Given | null {
  const kept = typedInto(form);
  const fields = [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string" && Object.hasOwn(kept, pair[0]));
  return fields.some(isWritten) ? { to: pathname + search, fields } : null;
}

const isWritten = ([name, value]: [string, string]) => TEXTS.has(name) && value.trim() !== "";

/**
 * A form that submits the same values again, for error pages. It is plain HTML, so that it works without
 * scripts and before hydration, and its texts are only sent with such a page.
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
  // HTML ignores the first line break in a textarea, so one is added.
  return `<div class="field">${label}<textarea ${called} rows="${rows}">\n${escaped(value)}</textarea></div>`;
}

const hidden = ([name, value]: [string, string]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
