import { Refusal } from "#platform/refusal";
import { BOUNDS } from "./bounds.ts";

/** Names available to the templates and conditions of a run. */
export type Scope = Readonly<Record<string, unknown>>;

const TEMPLATE = /\{\{([^{}]{1,300})\}\}/g;
const WHOLE = /^\s*\{\{([^{}]{1,300})\}\}\s*$/;
const PATH = /^[A-Za-z_]\w*(?:\.[\w$-]+|\[\d{1,6}\])*$/;
const PART = /[^.[\]]+/g;

/** The first template in a text that is not a path, such as `{{2 + 2}}`; null if all are valid. */
export function badTemplate(text: string): string | null {
  for (const [whole, path] of text.matchAll(TEMPLATE)) if (!PATH.test(path!.trim())) return whole;
  return null;
}

/** The value at a path, by own properties only; null if there is none. */
export function lookUp(scope: Scope, path: string): unknown {
  let at: unknown = scope;
  for (const [name] of path.matchAll(PART)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return null;
    at = (at as Record<string, unknown>)[name];
  }
  return at ?? null;
}

/**
 * Fills the templates of a value: a text that is one template becomes the value itself, of any type; within
 * other text values are written out, and null as empty.
 * @throws `too-large` if the result exceeds the data a run may hold
 */
export const filled = (value: unknown, scope: Scope): unknown => within(value, new Filling(scope));

function within(value: unknown, filling: Filling): unknown {
  if (typeof value === "string") return filling.text(value);
  if (Array.isArray(value)) return value.map((it) => within(it, filling));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, within(it, filling)]));
}

/** A class, because it counts how much was filled in: a few templates could repeat the same long value. */
class Filling {
  readonly #scope: Scope;
  #left: number = BOUNDS.context;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  text(text: string): unknown {
    const [, only] = WHOLE.exec(text) ?? [];
    if (only !== undefined) return this.#found(only)[0];
    return text.replace(TEMPLATE, (_whole, path: string) => this.#found(path)[1]);
  }

  /** The value at a path, and its text. */
  #found(path: string): [unknown, string] {
    const value = lookUp(this.#scope, path.trim());
    const text = written(value);
    this.#left -= text.length;
    if (this.#left < 0) throw new Refusal("too-large", `What is filled in here has more than ${BOUNDS.context} characters.`);
    return [value, text];
  }
}

function written(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Like `fillTemplates`, for a text that must not be empty.
 * @throws `invalid` if it is
 */
export function filledLine(text: string, scope: Scope, what: string, most = 1_000): string {
  const line = written(filled(text, scope)).trim();
  if (line === "" || line.length > most)
    throw new Refusal("invalid", `${what}: there have to be 1 to ${most} characters, once it is filled in.`);
  return line;
}

/** Fills the templates of a clause with literals, so that no value can become part of the condition. */
export const filledClause = (clause: string, scope: Scope): string =>
  clause.replace(TEMPLATE, (_whole, path: string) => literal(lookUp(scope, path.trim())));

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `'${text.toWellFormed().replaceAll("\0", "").replaceAll("'", "''")}'`;
}
