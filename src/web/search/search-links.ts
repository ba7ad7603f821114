import {
  type SearchResultPage,
  type OperatorName,
  parseSearchInput,
  type OperatorValue,
  type SearchInput,
  formatSearchInput,
} from "#community/search";
import { urls } from "../urls.ts";

/** A link to the same search with one operator changed. */
export type SearchLink = { value: string; to: string; current: boolean; count?: number };
export type SearchLinks = {
  types: SearchLink[];
  sorts: SearchLink[];
  facets: { name: string; values: SearchLink[] }[];
  operators: (OperatorValue & { without: string })[];
};

const TYPES = ["people", "groups", "events", "discussions", "posts", "resources", "messages"];
const SORTS = ["best", "new", "old", "liked"];
/** The operator for each facet. */
const FACET_OPERATORS: Record<string, OperatorName> = {
  groupName: "in",
  tags: "tag",
  has: "has",
  language: "language",
};

/** Adds the values of the form's fields to the search text, as operators. */
export function addFieldOperators(text: string, url: URL): string {
  const typed = parseSearchInput(text);
  for (const name of ["type", "in", "from", "tag", "after", "before", "has", "is", "sort"] as const) {
    const value = (url.searchParams.get(name) ?? "").trim().slice(0, 80);
    if (value !== "") setOperator(typed, name, value);
  }
  return formatSearchInput(typed);
}

const setOperator = (typed: SearchInput, name: OperatorName, value: string | null) => {
  typed.operators = typed.operators.filter((it) => it.name !== name);
  if (value !== null) typed.operators.push({ name, value });
};

/**
 * Creates links from a search: to one kind, to another order, to one value of a facet, and without one of
 * its operators.
 */
export function createSearchLinks(
  text: string,
  found: SearchResultPage | null,
  member: boolean,
): SearchLinks {
  const typed = parseSearchInput(text);
  const now = (name: OperatorName) => typed.operators.find((it) => it.name === name)?.value ?? null;
  const urlWith = (name: OperatorName, value: string | null) => {
    const other = { ...typed, said: [...typed.operators] };
    setOperator(other, name, value);
    return urls.search({ q: formatSearchInput(other) });
  };
  const kinds = TYPES.filter((it) => member || (it !== "people" && it !== "messages"));
  const facets = Object.entries(found?.facets ?? {}).flatMap(([name, values]) => {
    const operator = FACET_OPERATORS[name];
    if (!operator || values.length === 0) return [];
    const each = values.map(({ value, count }) => ({
      value,
      count,
      to: urlWith(operator, value),
      current: now(operator)?.toLowerCase() === value.toLowerCase(),
    }));
    return [{ name, values: each }];
  });
  return {
    types: ["", ...kinds].map((value) => ({
      value,
      to: urlWith("type", value || null),
      current: (now("type") ?? "") === value,
    })),
    sorts: SORTS.map((value) => ({
      value,
      to: urlWith("sort", value === "best" ? null : value),
      current: (now("sort") ?? "best") === value,
    })),
    facets,
    operators: typed.operators
      .filter(({ name }) => name !== "type" && name !== "sort")
      .map((operatorValue) => ({
        ...operatorValue,
        without: urls.search({
          q: formatSearchInput({
            ...typed,
            operators: typed.operators.filter((other) => other !== operatorValue),
          }),
        }),
      })),
  };
}
