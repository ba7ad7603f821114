import type { Filter } from "../engine.ts";

/** A filter that never matches. An empty condition, which always matches, is null. */
const NEVER = "id:=none";

/** Quotes a literal in backticks, which it cannot contain itself. */
export const literal = (value: string) => `\`${value.replaceAll("`", "").replaceAll("\0", "")}\``;

/** Attributes with current names: PostgreSQL answers queries about them. */
export const OWN_FACETS: readonly string[] = ["groupName", "authorName", "place.lvl0", "place.lvl1"];

const FACETS: Record<string, string> = {
  objectID: "id",
  type: "index",
  kind: "kind",
  tags: "tags",
  _tags: "tags",
  groupId: "group",
  authorId: "author",
  discussionId: "discussion",
  resourceId: "resource",
  language: "language",
  is: "states",
  has: "has",
  isPublic: "open",
};
const NUMBERS: Record<string, string> = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  likes: "likes",
  commentCount: "comments",
  memberCount: "members",
  number: "number",
};

/** Field of a countable or comparable attribute; undefined for one the collection lacks. */
export const fieldOf = (attribute: string): string | undefined =>
  Object.hasOwn(FACETS, attribute) ? FACETS[attribute] : Object.hasOwn(NUMBERS, attribute) ? NUMBERS[attribute] : undefined;
export const isNumber = (attribute: string) => Object.hasOwn(NUMBERS, attribute);

/** Whether a filter can be translated: current names and read positions exist only in PostgreSQL. */
export function canSay(filter: Filter | null | undefined): boolean {
  if (!filter) return true;
  if ("and" in filter) return filter.and.every(canSay);
  if ("or" in filter) return filter.or.every(canSay);
  if ("not" in filter) return canSay(filter.not);
  return !("own" in filter) && !("facet" in filter && OWN_FACETS.includes(filter.facet));
}

/**
 * Translates a filter to `filter_by`. That syntax cannot negate a group, so `not` is pushed down to the
 * comparisons. Null for no condition.
 */
export function filterBy(filter: Filter | null | undefined, not = false): string | null {
  if (!filter) return null;
  if ("not" in filter) return filterBy(filter.not, !not);
  if ("and" in filter || "or" in filter) {
    const [parts, all] = "and" in filter ? [filter.and, !not] : [filter.or, not];
    return joined(
      parts.map((part) => filterBy(part, not)),
      all,
    );
  }
  if ("facet" in filter) return facetBy(filter.facet, filter.value, not);
  if ("number" in filter) return numberBy(filter, not);
  return not ? null : NEVER;
}

/** An empty "and" always holds, an empty "or" never does. */
function joined(parts: (string | null)[], all: boolean): string | null {
  const said = parts.filter((it) => it !== null);
  if (parts.length === 0) return all ? null : NEVER;
  if (said.length === 0 || (!all && said.length < parts.length)) return null;
  return said.length === 1 ? said[0]! : `(${said.join(all ? " && " : " || ")})`;
}

function facetBy(facet: string, value: string, not: boolean): string | null {
  if (isNumber(facet) && /^-?\d+(\.\d+)?$/.test(value)) return numberBy({ number: facet, is: "=", to: Number(value) }, not);
  const field = Object.hasOwn(FACETS, facet) ? FACETS[facet]! : undefined;
  if (field === undefined || value === "" || (field === "open" && !/^(true|false)$/i.test(value))) return not ? null : NEVER;
  return `${field}:${not ? "!=" : "="}${field === "open" ? value.toLowerCase() : literal(value)}`;
}

const OPPOSITE = { "<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<=" } as const;

/** Integers are compared with integers. A missing number is stored below zero and must compare as false. */
function numberBy({ number, is, to }: Extract<Filter, { number: string }>, not: boolean): string | null {
  const field = Object.hasOwn(NUMBERS, number) ? NUMBERS[number]! : undefined;
  if (field === undefined || !Number.isFinite(to)) return not ? null : NEVER;
  const sign = not ? OPPOSITE[is] : is;
  if (!Number.isInteger(to) && (sign === "=" || sign === "!=")) return sign === "=" ? NEVER : null;
  const bound = sign === "<" || sign === ">=" ? Math.ceil(to) : Math.floor(to);
  const said = `${field}:${sign}${bound}`;
  if (number !== "number") return said;
  return not ? `(${said} || ${field}:<0)` : `(${said} && ${field}:>=0)`;
}
