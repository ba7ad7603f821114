import type { Filter } from "../search-engine.ts";

/** A filter that never matches. A condition that always matches is null. */
const NO_MATCH = "id:=none";

/** Quotes a literal in backticks. Backticks in it are removed, because they cannot be escaped. */
export const quoteLiteral = (value: string) => `\`${value.replaceAll("`", "").replaceAll("\0", "")}\``;

/**
 * Attributes with current names. PostgreSQL answers queries about them, because names in Typesense may be
 * outdated.
 */
export const LOCAL_FACETS: readonly string[] = ["groupName", "authorName", "place.lvl0", "place.lvl1"];

const FACET_FIELDS: Record<string, string> = {
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
const NUMBER_FIELDS: Record<string, string> = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  likes: "likes",
  commentCount: "comments",
  memberCount: "members",
  number: "number",
};

/** The Typesense field of a facet or numeric attribute; undefined if the collection has none. */
export const fieldName = (attribute: string): string | undefined =>
  Object.hasOwn(FACET_FIELDS, attribute)
    ? FACET_FIELDS[attribute]
    : Object.hasOwn(NUMBER_FIELDS, attribute)
      ? NUMBER_FIELDS[attribute]
      : undefined;
export const isNumericAttribute = (attribute: string) => Object.hasOwn(NUMBER_FIELDS, attribute);

/** Whether Typesense can evaluate a filter. Current names and read positions exist only in PostgreSQL. */
export function canTranslateFilter(filter: Filter | null | undefined): boolean {
  if (!filter) return true;
  if ("and" in filter) return filter.and.every(canTranslateFilter);
  if ("or" in filter) return filter.or.every(canTranslateFilter);
  if ("not" in filter) return canTranslateFilter(filter.not);
  return !("own" in filter) && !("facet" in filter && LOCAL_FACETS.includes(filter.facet));
}

/**
 * Translates a filter to `filter_by`. That syntax cannot negate a group of conditions, so `not` is applied
 * to each comparison. Null without a condition.
 */
export function translateFilter(filter: Filter | null | undefined, not = false): string | null {
  if (!filter) return null;
  if ("not" in filter) return translateFilter(filter.not, !not);
  if ("and" in filter || "or" in filter) {
    const [parts, all] = "and" in filter ? [filter.and, !not] : [filter.or, not];
    return joinConditions(
      parts.map((part) => translateFilter(part, not)),
      all,
    );
  }
  if ("facet" in filter) return translateFacet(filter.facet, filter.value, not);
  if ("number" in filter) return translateNumber(filter, not);
  return not ? null : NO_MATCH;
}

/** Joins conditions. An empty "and" always matches, an empty "or" never. */
function joinConditions(parts: (string | null)[], all: boolean): string | null {
  const clauses = parts.filter((it) => it !== null);
  if (parts.length === 0) return all ? null : NO_MATCH;
  if (clauses.length === 0 || (!all && clauses.length < parts.length)) return null;
  return clauses.length === 1 ? clauses[0]! : `(${clauses.join(all ? " && " : " || ")})`;
}

function translateFacet(facet: string, value: string, not: boolean): string | null {
  if (isNumericAttribute(facet) && /^-?\d+(\.\d+)?$/.test(value))
    return translateNumber({ number: facet, is: "=", to: Number(value) }, not);
  const field = Object.hasOwn(FACET_FIELDS, facet) ? FACET_FIELDS[facet]! : undefined;
  if (field === undefined || value === "" || (field === "open" && !/^(true|false)$/i.test(value)))
    return not ? null : NO_MATCH;
  return `${field}:${not ? "!=" : "="}${field === "open" ? value.toLowerCase() : quoteLiteral(value)}`;
}

const OPPOSITE = { "<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<=" } as const;

/**
 * Translates a numeric comparison. Typesense compares integer fields with integers only. A missing number is
 * stored as a negative number, and comparisons with it must be false.
 */
function translateNumber(
  { number, is, to }: Extract<Filter, { number: string }>,
  not: boolean,
): string | null {
  const field = Object.hasOwn(NUMBER_FIELDS, number) ? NUMBER_FIELDS[number]! : undefined;
  if (field === undefined || !Number.isFinite(to)) return not ? null : NO_MATCH;
  const sign = not ? OPPOSITE[is] : is;
  if (!Number.isInteger(to) && (sign === "=" || sign === "!=")) return sign === "=" ? NO_MATCH : null;
  const bound = sign === "<" || sign === ">=" ? Math.ceil(to) : Math.floor(to);
  const condition = `${field}:${sign}${bound}`;
  if (number !== "number") return condition;
  return not ? `(${condition} || ${field}:<0)` : `(${condition} && ${field}:>=0)`;
}
