import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";

/** Values by name that the templates and conditions of a run can use. */
export type RunScope = Readonly<Record<string, unknown>>;

const TEMPLATE_PATTERN = /\{\{([^{}]{1,300})\}\}/g;
const WHOLE_TEMPLATE = /^\s*\{\{([^{}]{1,300})\}\}\s*$/;
const PATH_PATTERN = /^[A-Za-z_]\w*(?:\.[\w$-]+|\[\d{1,6}\])*$/;
const PATH_PART = /[^.[\]]+/g;

/** Returns the first template in a text that is not a path, such as `{{2 + 2}}`; null if all are valid. */
export function findBadTemplate(text: string): string | null {
  for (const [whole, path] of text.matchAll(TEMPLATE_PATTERN))
    if (!PATH_PATTERN.test(path!.trim())) return whole;
  return null;
}

/** Returns the value at a path, by own properties only; null if there is none. */
export function lookUpPath(scope: RunScope, path: string): unknown {
  let at: unknown = scope;
  for (const [name] of path.matchAll(PATH_PART)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return null;
    at = Reflect.get(at, name);
  }
  return at ?? null;
}

/**
 * Fills the templates in a value. A text that consists of one template becomes the value itself, of any
 * type. Within a longer text values are inserted as text, and null as nothing.
 * @throws `too-large` if the result exceeds the size of a run's data
 */
export const fillTemplates = (value: unknown, scope: RunScope): unknown =>
  fillValue(value, new TemplateFiller(scope));

/** Fills the templates in the values of an object. */
export function fillObject(values: Record<string, unknown>, scope: RunScope): Record<string, unknown> {
  const filling = new TemplateFiller(scope);
  return Object.fromEntries(Object.entries(values).map(([name, it]) => [name, fillValue(it, filling)]));
}

function fillValue(value: unknown, filling: TemplateFiller): unknown {
  if (typeof value === "string") return filling.text(value);
  if (Array.isArray(value)) return value.map((it) => fillValue(it, filling));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, fillValue(it, filling)]));
}

/**
 * A class, because it counts the inserted characters: a few templates could insert the same long value many
 * times.
 */
class TemplateFiller {
  readonly #scope: RunScope;
  #left: number = AUTOMATION_LIMITS.context;

  constructor(scope: RunScope) {
    this.#scope = scope;
  }

  text(text: string): unknown {
    const [, only] = WHOLE_TEMPLATE.exec(text) ?? [];
    if (only !== undefined) return this.#found(only)[0];
    return text.replace(TEMPLATE_PATTERN, (_whole, path: string) => this.#found(path)[1]);
  }

  /** Returns the value at a path, and its text. */
  #found(path: string): [unknown, string] {
    const value = lookUpPath(this.#scope, path.trim());
    const text = valueToText(value);
    this.#left -= text.length;
    if (this.#left < 0)
      throw new Refusal(
        "too-large",
        msg("The filled-in template has more than {count} characters.", { count: AUTOMATION_LIMITS.context }),
      );
    return [value, text];
  }
}

function valueToText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Fills the templates in a text that must not become empty.
 * @throws `invalid` for an empty result
 */
export function fillText(text: string, scope: RunScope, what: string, most = 1_000): string {
  const line = valueToText(fillTemplates(text, scope)).trim();
  if (line === "" || line.length > most)
    throw new Refusal(
      "invalid",
      msg("{what}: must have 1 to {most} characters once its templates are filled in.", { what, most }),
    );
  return line;
}

/** Fills the templates of a clause with literals, so that no value can become part of the condition. */
export const fillClause = (clause: string, scope: RunScope): string =>
  clause.replace(TEMPLATE_PATTERN, (_whole, path: string) => toLiteral(lookUpPath(scope, path.trim())));

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `'${text.toWellFormed().replaceAll("\0", "").replaceAll("'", "''")}'`;
}
