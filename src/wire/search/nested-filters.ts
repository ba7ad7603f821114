import type { Filter } from "#community/search";
import { Fault } from "./fault.ts";
import { between, both, compared, either, facet, MOST_FILTERS, numberOf, TAGS } from "./filters.ts";

/** An outer list is a conjunction; inner lists are disjunctions. */
export type Nested = (string | string[])[];

type One = (text: string) => Filter;

/**
 * `attribute:value`, split at the first colon; a minus before the value negates, unless escaped with a
 * backslash.
 */
const facetFilter: One = (text) => {
  const at = text.indexOf(":");
  if (at < 1) throw new Fault(400, `facetFilters: "${text.slice(0, 60)}" should be attribute:value`);
  const attribute = text.slice(0, at).trim();
  return negatable(text.slice(at + 1).trim(), (value) => facet(attribute, value));
};

const tagFilter: One = (text) => negatable(text.trim(), (value) => facet(TAGS, value));

const negatable = (text: string, of: One): Filter =>
  text.startsWith("-") ? { not: of(text.slice(1)) } : of(text.startsWith("\\-") ? text.slice(1) : text);

const COMPARED = /^\s*([^<>=!:]+?)\s*(<=|>=|!=|<|>|=)\s*(\S+)\s*$/;
const RANGED = /^\s*([^:]+?)\s*:\s*(\S+)\s+TO\s+(\S+)\s*$/;

const numericFilter: One = (text) => {
  const fault = () =>
    new Fault(400, `numericFilters: "${text.slice(0, 60)}" should be attribute, operator and number, or attribute:low TO high`);
  const number = (word: string) => {
    const value = numberOf(word);
    if (value === null) throw fault();
    return value;
  };
  if (text.length > 1_000) throw fault();
  const ranged = RANGED.exec(text);
  if (ranged) return between(ranged[1]!, number(ranged[2]!), number(ranged[3]!));
  const found = COMPARED.exec(text);
  if (!found) throw fault();
  return compared(found[1]!, found[2] as "=", number(found[3]!));
};

const KINDS = { facetFilters: facetFilter, tagFilters: tagFilter, numericFilters: numericFilter, optionalFilters: facetFilter };

/** Parses a parameter of nested lists. Null for no condition. */
export function parseNested(name: keyof typeof KINDS, nested: Nested): Filter | null {
  if (nested.flat().length > MOST_FILTERS) throw new Fault(400, `${name}: Too many filters, at most ${MOST_FILTERS}`);
  const parts = nested
    .map((part) => (typeof part === "string" ? [part] : part).filter((text) => text.trim() !== ""))
    .filter((part) => part.length > 0)
    .map((part) => either(part.map(KINDS[name])));
  return parts.length === 0 ? null : both(parts);
}

/** The older text form: commas for conjunctions, parentheses around disjunctions. */
export const nestedOf = (text: string): Nested =>
  [...text.matchAll(/\(([^()]*)\)|[^,()]+/g)].map(([part, inner]) => (inner === undefined ? part : inner.split(",")));
