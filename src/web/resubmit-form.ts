import type { RequestContext } from "./request-context.ts";
import { translateFor } from "./translate-for.ts";
import { readTypedValues } from "./typed-values.ts";

/** A submitted form, which an error page offers to send again. */
export type SubmittedForm = { to: string; fields: [name: string, value: string][] };

/** Labels of the fields that contain written text. Other fields are resubmitted as hidden fields. */
const FIELD_LABELS: Record<string, (ctx: RequestContext) => string> = {
  title: (ctx) => translateFor(ctx, "Title"),
  pollOptions: (ctx) => translateFor(ctx, "Options"),
  tags: (ctx) => translateFor(ctx, "Tags (optional)"),
  reason: (ctx) => translateFor(ctx, "Reason"),
};
/** Fields that are single-line inputs. */
const SINGLE_LINE_FIELDS = new Set(["title", "tags"]);
const TEXT_FIELDS = new Set([
  "body",
  "text",
  "about",
  "note",
  "answer",
  "purpose",
  "rules",
  "why",
  ...Object.keys(FIELD_LABELS),
]);

/** Reads a submitted form, so that it can be sent again; null if it contains no written text. */
export function readSubmittedForm(form: FormData, { pathname, search }: URL): SubmittedForm | null {
  const typedValues = readTypedValues(form);
  const fields = [...form].filter(
    (pair): pair is [string, string] => typeof pair[1] === "string" && Object.hasOwn(typedValues, pair[0]),
  );
  return fields.some(isNonEmptyText) ? { to: pathname + search, fields } : null;
}

const isNonEmptyText = ([name, value]: [string, string]) => TEXT_FIELDS.has(name) && value.trim() !== "";

/**
 * Returns a form for an error page that submits the same values again. It is plain HTML: it works without
 * scripts and before hydration, and other pages need no code for it.
 */
export function renderSubmittedForm(ctx: RequestContext, { to, fields }: SubmittedForm): string {
  const parts = fields.map((field, at) =>
    isNonEmptyText(field) ? renderTextField(ctx, field, at) : renderHiddenField(field),
  );
  const lead = translateFor(ctx, "Your text is still here. Choose files again on the page itself.");
  return (
    `<form method="post" action="${escapeHtml(to)}" class="mt-6 grid max-w-2xl grid-cols-1 ` +
    `gap-4"><p>${escapeHtml(lead)}</p>${parts.join("")}<p><button ` +
    `class="button">${escapeHtml(translateFor(ctx, "Send again"))}</button></p></form>`
  );
}

function renderTextField(ctx: RequestContext, [name, value]: [string, string], at: number): string {
  const text = FIELD_LABELS[name]?.(ctx) ?? translateFor(ctx, "Your text");
  const label = `<label for="given-${at}">${escapeHtml(text)}</label>`;
  const called = `id="given-${at}" name="${escapeHtml(name)}" dir="auto" class="input"`;
  if (SINGLE_LINE_FIELDS.has(name))
    return `<div class="field">${label}<input ${called} value="${escapeHtml(value)}"></div>`;
  const rows = Math.min(12, value.split("\n").length + Math.ceil(value.length / 80));
  // HTML ignores the first line break in a textarea, so an additional one is written.
  return `<div class="field">${label}<textarea ${called} rows="${rows}">\n${escapeHtml(value)}</textarea></div>`;
}

const renderHiddenField = ([name, value]: [string, string]) =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
