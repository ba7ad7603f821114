import { msg } from "#platform/messages";
import type { EmailText } from "./email-context.ts";
import { invalidEmail } from "./email-context.ts";

/** Matches `{name}`, but not other braces, such as those of CSS. */
const PLACEHOLDER = /\{([A-Za-z_][\w.-]{0,63})\}/g;

/** Values by the name of their placeholder; null stands for an empty text. */
export type PlaceholderValues = Record<string, string | number | boolean | null>;

/** Lists the names of placeholders in a template in order, each once. */
export const listPlaceholders = ({ subject, text, html }: EmailText): string[] => [
  ...new Set(
    [subject, text, html].flatMap((part) => [...part.matchAll(PLACEHOLDER)].map(([, name]) => name!)),
  ),
];

const HTML_ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (sign) => HTML_ENTITIES[sign]!);

/**
 * Fills the placeholders of a template.
 * @throws `invalid`, naming the missing values
 */
export function fillPlaceholders(template: EmailText, values: PlaceholderValues): EmailText {
  const missing = listPlaceholders(template).filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0)
    throw invalidEmail(
      "template-values",
      msg("Missing template values: {missing}.", { missing: missing.slice(0, 20).join(", ") }),
    );
  return previewPlaceholders(template, values);
}

/**
 * Fills a template for a preview; placeholders without a value are left unchanged. Placeholders inside
 * values are not filled.
 */
export function previewPlaceholders(
  { subject, text, html }: EmailText,
  values: PlaceholderValues,
): EmailText {
  const fill = (part: string, as: (value: string) => string) =>
    part.replace(PLACEHOLDER, (place, name: string) =>
      Object.hasOwn(values, name) ? as(String(values[name] ?? "")) : place,
    );
  return {
    subject: fill(subject, (value) => value)
      .replace(/\s+/g, " ")
      .trim(),
    text: fill(text, (value) => value),
    html: fill(html, escapeHtml),
  };
}
