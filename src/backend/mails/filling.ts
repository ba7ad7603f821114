import type { Words } from "./mails.ts";
import { wrong } from "./mails.ts";

/** `{name}`: anything else in braces, such as a rule of a style sheet, is what it is. */
const PLACEHOLDER = /\{([A-Za-z_][\w.-]{0,63})\}/g;

/** What stands in the places of a template; null leaves its place empty. */
export type Values = Record<string, string | number | boolean | null>;

/** The names of what a template has places for, each once, in the order in which they come. */
export const placeholdersIn = ({ subject, text, html }: Words): string[] => [
  ...new Set([subject, text, html].flatMap((part) => [...part.matchAll(PLACEHOLDER)].map(([, name]) => name!))),
];

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (value: string) => value.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);

/** A template with its values. Throws `invalid`, naming those that are missing. */
export function filled(template: Words, values: Values): Words {
  const missing = placeholdersIn(template).filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0) throw wrong("template-values", `These values of the template are missing: ${missing.slice(0, 20).join(", ")}.`);
  return filledSoFar(template, values);
}

/** The same for whoever looks at it: what is not there yet keeps its place. A value is what it is: no place in it is filled. */
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
