import { sql } from "#platform/database";
import { isId } from "#platform/ids";
import { isSignedIn, type Viewer } from "#community/rules";
import { isKeyOf } from "#platform/objects";
import type { Facet, Filter, Index, NumericAttribute } from "../search-engine.ts";

type Sql = ReturnType<typeof sql>;

/** Maximum number of conditions per query. A query with more finds nothing. */
const MAX_CONDITIONS = 1_000;
const NEVER = sql`false`;

/**
 * SQL condition of a filter on the documents `s`. Unknown attributes and filters with too many conditions
 * are false.
 */
export function filterSql(filter: Filter | null | undefined, index: Index, viewer: Viewer): Sql {
  if (!filter) return sql`true`;
  return countConditions(filter) > MAX_CONDITIONS ? NEVER : conditionSql(filter, index, viewer);
}

const countConditions = (filter: Filter): number => {
  const parts =
    "and" in filter ? filter.and : "or" in filter ? filter.or : "not" in filter ? [filter.not] : [];
  return 1 + parts.reduce((sum, part) => sum + countConditions(part), 0);
};

function conditionSql(filter: Filter, index: Index, viewer: Viewer): Sql {
  const each = (parts: Filter[]) => parts.map((part) => conditionSql(part, index, viewer));
  if ("and" in filter)
    return filter.and.length === 0 ? sql`true` : sql`(${sql.join(each(filter.and), sql` and `)})`;
  if ("or" in filter) return filter.or.length === 0 ? NEVER : sql`(${sql.join(each(filter.or), sql` or `)})`;
  if ("not" in filter) return sql`(not coalesce(${conditionSql(filter.not, index, viewer)}, false))`;
  if ("facet" in filter) return facetCondition(filter.facet, filter.value.replaceAll("\0", ""), index);
  if ("own" in filter) return unreadCondition(index, viewer);
  return comparisonSql(filter);
}

const equalsId = (column: Sql) => (value: string) =>
  isId(value) ? sql`coalesce(${column} = ${value}::uuid, false)` : NEVER;
const inArray = (column: Sql) => (value: string) => sql`${value.toLowerCase()} = any(${column})`;
const equalsBoolean = (column: Sql) => (value: string) =>
  /^(true|false)$/i.test(value) ? sql`${column} = ${value.toLowerCase() === "true"}` : NEVER;

const isPublic = sql`(s.audience = 'group' and s.in_index not in ('people', 'messages')
  and (s.group_id is null or exists (select from groups pg
    where pg.id = s.group_id and pg.visibility = 'public' and pg.state <> 'pending')))`;

const FACET_CONDITIONS: Record<Facet, (value: string, index: Index) => Sql> = {
  type: (value, index) => (value.toLowerCase() === index ? sql`true` : NEVER),
  kind: (value) => sql`s.kind = ${value.toLowerCase()}`,
  tags: inArray(sql`s.tags`),
  _tags: inArray(sql`s.tags`),
  groupId: equalsId(sql`s.group_id`),
  groupName: (value) =>
    sql`coalesce(s.group_id = any(array(select n.id from groups n where lower(n.name) = lower(${value}))),
      false)`,
  authorId: equalsId(sql`s.author_id`),
  authorName: (value) =>
    sql`coalesce(s.author_id = any(array(select n.id from people n
      where lower(n.display_name) = lower(${value}))), false)`,
  discussionId: (value, index) =>
    index === "discussions" || index === "posts" ? equalsId(sql`s.place_id`)(value) : NEVER,
  resourceId: (value, index) =>
    index === "resources" || index === "posts" ? equalsId(sql`s.place_id`)(value) : NEVER,
  conversationId: (value, index) => (index === "messages" ? equalsId(sql`s.place_id`)(value) : NEVER),
  language: (value) => sql`s.language = ${value.toLowerCase()}`,
  is: inArray(sql`s.states`),
  has: inArray(sql`s.has`),
  isPublic: equalsBoolean(isPublic),
  "place.lvl0": (value) => FACET_CONDITIONS.groupName(value, "posts"),
  "place.lvl1": (value, index) =>
    ["discussions", "posts", "resources"].includes(index) ? inContainer(value) : NEVER,
};

/** Matches `Group > Title`: the current names of a group and of a discussion or resource in it. */
const inContainer = (value: string) => sql`coalesce(s.place_id = any(array(
  select it.id from groups n join lateral (
    select d.id, d.title from discussions d where d.group_id = n.id union all select r.id, r.title
      from resources r where r.group_id = n.id) it on true
  where starts_with(lower(${value}), lower(n.name) || ' > ')
    and lower(n.name || ' > ' || it.title) = lower(${value}))), false)`;

const facetCondition = (facet: string, value: string, index: Index): Sql =>
  facet === "objectID"
    ? equalsId(sql`s.id`)(value)
    : isKeyOf(FACET_CONDITIONS, facet)
      ? FACET_CONDITIONS[facet](value, index)
      : numberEquals(facet, value);

/** Compares a numeric attribute that is filtered as a facet value. */
const numberEquals = (attribute: string, value: string): Sql =>
  /^-?\d+(\.\d+)?$/.test(value) ? comparisonSql({ number: attribute, is: "=", to: Number(value) }) : NEVER;

export const NUMBER_COLUMNS: Record<NumericAttribute, Sql> = {
  createdAt: sql`floor(extract(epoch from s.created_at))`,
  updatedAt: sql`floor(extract(epoch from s.updated_at))`,
  likes: sql`s.likes`,
  commentCount: sql`s.comments`,
  memberCount: sql`s.members`,
  number: sql`s.number`,
  startsAt: sql`floor(extract(epoch from s.starts_at) * 1000)`,
  endsAt: sql`floor(extract(epoch from s.ends_at) * 1000)`,
};
const SIGNS = { "<": sql`<`, "<=": sql`<=`, "=": sql`=`, "!=": sql`<>`, ">=": sql`>=`, ">": sql`>` };

function comparisonSql({ number, is, to }: Extract<Filter, { number: string }>): Sql {
  if (!isKeyOf(NUMBER_COLUMNS, number) || !Object.hasOwn(SIGNS, is) || !Number.isFinite(to)) return NEVER;
  return sql`coalesce(${NUMBER_COLUMNS[number]}::float8 ${SIGNS[is]} ${to}::float8,
    false)`;
}

/** Matches documents after the viewer's read position. */
function unreadCondition(index: Index, viewer: Viewer): Sql {
  if (!isSignedIn(viewer)) return NEVER;
  const upTo = sql`coalesce((select rs.last_read_number from read_positions rs
    where rs.person_id = ${viewer.id} and rs.discussion_id = s.place_id), 0)`;
  if (index === "posts") return sql`(s.kind = 'post' and s.number > ${upTo})`;
  if (index === "discussions")
    return sql`exists (select from discussions od where od.id = s.id and od.last_number > ${upTo})`;
  if (index === "messages")
    return sql`(s.author_id <> ${viewer.id}
      and exists (select from participants op
        where op.conversation_id = s.place_id and op.person_id = ${viewer.id}
          and op.last_read_seq < s.number))`;
  return NEVER;
}
