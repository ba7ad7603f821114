import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { isGroupVisible, viewerMembership } from "#community/groups";
import { isPersonVisible } from "#community/accounts";
import { isSignedIn, type Viewer } from "#community/rules";
import { getOwnProperty } from "#platform/objects";
import { type Filter, type Index, INDICES, type Sort } from "./search-engine.ts";

/** The parsed text of a search box: words, and operators for group, author, time and kind. */
export type SearchInput = { words: string; phrases: string[]; without: string[]; operators: OperatorValue[] };
export type OperatorValue = { name: OperatorName; value: string };
const OPERATORS = ["in", "from", "tag", "after", "before", "has", "is", "type", "language", "sort"] as const;
export type OperatorName = (typeof OPERATORS)[number];

/** Longer input is cut: no one types that much. */
const MAX_LENGTH = 500;
const MAX_OPERATORS = 12;
const INPUT_PART = /(-?)(?:(\w+):)?(?:"([^"]*)"?|(\S+))/gu;

/**
 * Parses the text of a search box, such as `tomato in:long-beds from:@mira after:2026-01-01 has:link "slow
 * water" -hose`. Everything except operators becomes words.
 */
export function parseSearchInput(text: string): SearchInput {
  const typed: SearchInput = { words: "", phrases: [], without: [], operators: [] };
  const words: string[] = [];
  for (const [whole, minus, name, quoted, bare] of text.slice(0, MAX_LENGTH).matchAll(INPUT_PART)) {
    const value = (quoted ?? bare ?? "").replaceAll("\0", "").trim();
    const operator = OPERATORS.find((it) => it === name?.toLowerCase());
    if (operator && value !== "" && typed.operators.length < MAX_OPERATORS)
      typed.operators.push({ name: operator, value });
    else if (name !== undefined) words.push(whole);
    else if (minus && value !== "") typed.without.push(value);
    else {
      if (quoted !== undefined) typed.phrases.push(value);
      words.push(value);
    }
  }
  return { ...typed, words: words.join(" ").trim() };
}

/** Converts parsed input back to text, for links that change an operator. */
export const formatSearchInput = ({ words, phrases, without, operators }: SearchInput): string =>
  [
    phrases.reduce((text, phrase) => text.replace(phrase, `"${phrase}"`), words),
    ...without.map((it) => `-${it.includes(" ") ? `"${it}"` : it}`),
    ...operators.map(({ name, value }) => `${name}:${/\s/.test(value) ? `"${value}"` : value}`),
  ]
    .filter(Boolean)
    .join(" ");

/**
 * The query for a search box. `unknown`: operators with a value that does not exist or is hidden from the
 * viewer.
 */
export type ResolvedInput = {
  filter: Filter | null;
  index: Index | null;
  sort: Sort;
  unknown: OperatorValue[];
};

export async function resolveFilters(
  db: Db,
  viewer: Viewer,
  { operators }: SearchInput,
  now: Date,
): Promise<ResolvedInput> {
  const parts: Filter[] = [];
  const resolvedInput: ResolvedInput = { filter: null, index: null, sort: "relevance", unknown: [] };
  for (const it of operators) {
    const { name, value } = it;
    if (name === "type") {
      const index = findIndex(value);
      if (index) resolvedInput.index = index;
      else resolvedInput.unknown.push(it);
    } else if (name === "sort") {
      const sort = getOwnProperty(SORTS, value.toLowerCase());
      if (sort) resolvedInput.sort = sort;
      else resolvedInput.unknown.push(it);
    } else {
      const filter = await RESOLVERS[name](value, { db, viewer, now });
      if (filter) parts.push(filter);
      else resolvedInput.unknown.push(it);
    }
  }
  // A value that does not exist finds nothing, so that it cannot be distinguished from a hidden value.
  if (resolvedInput.unknown.some(({ name }) => name !== "sort" && name !== "type")) parts.push({ or: [] });
  return { ...resolvedInput, filter: parts.length === 0 ? null : { and: parts } };
}

export const SORTS: Record<string, Sort> = {
  best: "relevance",
  new: { by: "createdAt", descending: true },
  old: { by: "createdAt", descending: false },
  liked: { by: "likes", descending: true },
  discussed: { by: "commentCount", descending: true },
};

/** Finds the index by one of its names, plural or singular. */
const findIndex = (value: string): Index | null => {
  const wanted = value.toLowerCase();
  return (
    INDICES.find((it) => it === wanted || it === `${wanted}s` || (it === "people" && wanted === "person")) ??
    null
  );
};

type ResolveContext = { db: Db; viewer: Viewer; now: Date };
type OperatorResolver = (value: string, asker: ResolveContext) => Promise<Filter | null> | Filter | null;
const RESOLVERS: Record<Exclude<OperatorName, "type" | "sort">, OperatorResolver> = {
  in: resolveGroup,
  from: resolvePerson,
  tag: (value) => ({ facet: "tags", value: value.replace(/^#/, "") }),
  after: (value, { now }) => resolveDate(value, ">=", now),
  before: (value, { now }) => resolveDate(value, "<", now),
  has: (value) => ({ facet: "has", value: getOwnProperty(PLURAL_FORMS, value.toLowerCase()) ?? value }),
  is: (value, { viewer }) =>
    value.toLowerCase() === "unread"
      ? { own: "unread" }
      : value.toLowerCase() === "mine"
        ? ownFilter(viewer)
        : { facet: "is", value },
  language: (value) => ({ facet: "language", value }),
};

const PLURAL_FORMS: Record<string, string> = {
  images: "image",
  picture: "image",
  pictures: "image",
  links: "link",
  files: "file",
  polls: "poll",
};
const ownFilter = (viewer: Viewer): Filter | null =>
  isSignedIn(viewer) ? { facet: "authorId", value: viewer.id } : null;

/** Finds a group by slug, id or name. */
async function resolveGroup(value: string, { db, viewer }: ResolveContext): Promise<Filter | null> {
  const found = await maybeOne(
    db,
    sql<{ id: string }>`select g.id from groups g ${viewerMembership(viewer, "g", "m")}
      where (g.slug = ${value.toLowerCase()} or lower(g.name) = ${value.toLowerCase()} ${
        isId(value)
          ? sql`or
        g.id = ${value}::uuid`
          : sql``
      }) and ${isGroupVisible("g", "m")}
      order by g.slug = ${value.toLowerCase()} desc, g.members_count desc, g.id limit 1`,
  );
  return found ? { facet: "groupId", value: found.id } : null;
}

async function resolvePerson(value: string, { db, viewer }: ResolveContext): Promise<Filter | null> {
  const name = value.replace(/^@/, "").toLowerCase();
  if (name === "me") return ownFilter(viewer);
  const found = await maybeOne(
    db,
    sql<{
      id: string;
    }>`select p.id from people p where (p.username = ${name} ${
      isId(value)
        ? sql`or p.id
      = ${value}::uuid`
        : sql``
    }) and ${isPersonVisible(viewer, "p")} limit 1`,
  );
  return found ? { facet: "authorId", value: found.id } : null;
}

/**
 * Parses a date: `2026`, `2026-05`, `2026-05-04`, or days, weeks, months or years ago (`7d`, `2w`, `3m`,
 * `1y`).
 */
function resolveDate(value: string, is: ">=" | "<", now: Date): Filter | null {
  const ago = /^(\d{1,4})([dwmy])$/i.exec(value);
  const at = ago
    ? now.getTime() - Number(ago[1]) * DAYS_PER_UNIT[ago[2]!.toLowerCase()]! * 86_400_000
    : /^\d{4}(-\d{1,2}){0,2}$/.test(value)
      ? Date.parse(value.replace(/-(\d)(?!\d)/g, "-0$1"))
      : Number.NaN;
  return Number.isNaN(at) ? null : { number: "createdAt", is, to: Math.floor(at / 1000) };
}
const DAYS_PER_UNIT: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 };
