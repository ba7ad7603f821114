import type { Words } from "./mails.ts";
import { wrong } from "./mails.ts";

/** `{name}`; other braces, such as those of CSS, stay unchanged. */
const PLACEHOLDER = /\{([A-Za-z_][\w.-]{0,63})\}/g;

/** Values of placeholders; null leaves one empty. */
export type Values = Record<string, string | number | boolean | null>;

/** Names of placeholders in a template, each once, in order. */
export const placeholdersIn = ({ subject, text, html }: Words): string[] => [
  ...new Set([subject, text, html].flatMap((part) => [...part.matchAll(PLACEHOLDER)].map(([, name]) => name!))),
];

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (value: string) => value.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);

/**
 * Fills a template.
 * @throws `invalid` naming the missing values
 */
export function filled(template: Words, values: Values): Words {
  const missing = placeholdersIn(template).filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0) throw wrong("template-values", `These values of the template are missing: ${missing.slice(0, 20).join(", ")}.`);
  return filledSoFar(template, values);
}

/**
 * Fills a template for a preview: placeholders without a value stay. Placeholders within values are not
 * filled.
 */
export function filledSoFar({ subject, text, html }: Words, values: Values): Words {
  const fill = (part: string, as: (value: string) => string) =>
    part.replace(PLACEHOLDER, (place, name: string) => (Object.hasOwn(values, name) ? as(String(values[name] ?? "")) : place));
  return {
    subject: fill(subject, (value) => value)
      .replace(/\s+/g, " ")
      .trim(),
    text: fill(text, (value) => value),
    html: fill(html, escaped),
  };
}
