import type { Filter } from "#community/search";
import { isOneOf } from "#platform/objects";
import { SearchApiError } from "../search-api-error.ts";
import {
  rangeFilter,
  allFilters,
  COMPARISONS,
  comparisonFilter,
  anyFilter,
  facetFilter,
  MAX_FILTERS,
  parseNumber,
  TAGS_ATTRIBUTE,
} from "./filter-parser.ts";

/**
 * Filters as nested lists: entries of the outer list are combined with AND, those of an inner list with OR.
 */
export type NestedFilters = (string | string[])[];

type FilterParser = (text: string) => Filter;

/**
 * Parses `attribute:value`, split at the first colon. A minus before the value negates it, unless escaped
 * with a backslash.
 */
const parseFacetFilter: FilterParser = (text) => {
  const at = text.indexOf(":");
  if (at < 1) throw new SearchApiError(400, `facetFilters: "${text.slice(0, 60)}" should be attribute:value`);
  const attribute = text.slice(0, at).trim();
  return parseNegatable(text.slice(at + 1).trim(), (value) => facetFilter(attribute, value));
};

const parseTagFilter: FilterParser = (text) =>
  parseNegatable(text.trim(), (value) => facetFilter(TAGS_ATTRIBUTE, value));

const parseNegatable = (text: string, of: FilterParser): Filter =>
  text.startsWith("-") ? { not: of(text.slice(1)) } : of(text.startsWith("\\-") ? text.slice(1) : text);

const COMPARISON_PATTERN = /^\s*([^<>=!:]+?)\s*(<=|>=|!=|<|>|=)\s*(\S+)\s*$/;
const RANGE_PATTERN = /^\s*([^:]+?)\s*:\s*(\S+)\s+TO\s+(\S+)\s*$/;

const parseNumericFilter: FilterParser = (text) => {
  const fault = () =>
    new SearchApiError(
      400,
      `numericFilters: "${text.slice(0, 60)}" should be attribute, operator and number, or attribute:low TO high`,
    );
  const number = (word: string) => {
    const value = parseNumber(word);
    if (value === null) throw fault();
    return value;
  };
  if (text.length > 1_000) throw fault();
  const ranged = RANGE_PATTERN.exec(text);
  if (ranged) return rangeFilter(ranged[1]!, number(ranged[2]!), number(ranged[3]!));
  const [, attribute = "", operator, to = ""] = COMPARISON_PATTERN.exec(text) ?? [];
  if (!isOneOf(COMPARISONS, operator)) throw fault();
  return comparisonFilter(attribute, operator, number(to));
};

const PARSERS = {
  facetFilters: parseFacetFilter,
  tagFilters: parseTagFilter,
  numericFilters: parseNumericFilter,
  optionalFilters: parseFacetFilter,
};

/** Parses a parameter of nested lists; null if it has no conditions. */
export function parseNested(name: keyof typeof PARSERS, nested: NestedFilters): Filter | null {
  if (nested.flat().length > MAX_FILTERS)
    throw new SearchApiError(400, `${name}: Too many filters, at most ${MAX_FILTERS}`);
  const parts = nested
    .map((part) => (typeof part === "string" ? [part] : part).filter((text) => text.trim() !== ""))
    .filter((part) => part.length > 0)
    .map((part) => anyFilter(part.map(PARSERS[name])));
  return parts.length === 0 ? null : allFilters(parts);
}

/** Parses the older text form: commas mean AND, and parentheses enclose alternatives (OR). */
export const parseNestedText = (text: string): NestedFilters =>
  [...text.matchAll(/\(([^()]*)\)|[^,()]+/g)].map(([part, inner]) =>
    inner === undefined ? part : inner.split(","),
  );
