import { sql } from "#platform/database";
import { isOneOf } from "#platform/objects";
import {
  type Facet,
  FACETS,
  type FacetValue,
  NUMERIC_ATTRIBUTES,
  type NumericAttribute,
  type Results,
} from "../search-engine.ts";
import { NUMBER_COLUMNS } from "./filter-sql.ts";

type Sql = ReturnType<typeof sql>;

/** SQL for the values of an attribute of `s`, as a text array. Names are looked up once per counted value. */
const FACET_VALUES: Record<Facet, Sql> = {
  type: sql`array[s.in_index]`,
  kind: sql`array_remove(array[s.kind], '')`,
  tags: sql`s.tags`,
  _tags: sql`s.tags`,
  groupId: sql`array_remove(array[s.group_id::text], null)`,
  groupName: sql`array_remove(array[s.group_id::text], null)`,
  authorId: sql`array_remove(array[s.author_id::text], null)`,
  authorName: sql`array_remove(array[s.author_id::text], null)`,
  discussionId: sql`case when s.in_index in ('discussions', 'posts')
    and s.kind <> 'comment' then array[s.place_id::text] else '{}' end`,
  resourceId: sql`case when s.in_index = 'resources' or s.kind = 'comment' then array[s.place_id::text]
    else '{}' end`,
  conversationId: sql`case when s.in_index = 'messages' then array[s.place_id::text] else '{}' end`,
  language: sql`array[s.language]`,
  is: sql`s.states`,
  has: sql`s.has`,
  isPublic: sql`array[(s.audience = 'group' and s.in_index not in ('people', 'messages')
    and (s.group_id is null or exists (select from groups pg
      where pg.id = s.group_id and pg.visibility = 'public' and pg.state <> 'pending')))::text]`,
  "place.lvl0": sql`array_remove(array[s.group_id::text], null)`,
  "place.lvl1": sql`case when s.group_id is not null
    and s.in_index in ('discussions', 'posts', 'resources') then array[s.place_id::text] else '{}' end`,
};

const FACET_LABELS: Partial<Record<string, Sql>> = {
  groupName: sql`(select n.name from groups n where n.id = counted.value::uuid)`,
  "place.lvl0": sql`(select n.name from groups n where n.id = counted.value::uuid)`,
  "place.lvl1": sql`(select n.name || ' > ' || it.title
    from (select group_id, title from discussions where id = counted.value::uuid
      union all select group_id, title from resources where id = counted.value::uuid) it
      join groups n on n.id = it.group_id)`,
  authorName: sql`(select n.display_name from people n where n.id = counted.value::uuid)`,
};

/** An attribute whose values can be counted. */
export type CountableFacet = Facet | NumericAttribute;
const isFacet = (name: string): name is Facet => isOneOf(FACETS, name);
const isNumber = (name: string): name is NumericAttribute => isOneOf(NUMERIC_ATTRIBUTES, name);

/** The requested names that can be counted, without duplicates. `*` means every facet. */
export const listCountableFacets = (requested: readonly string[]): CountableFacet[] =>
  [
    ...new Set(requested.flatMap((name) => (name === "*" ? [...FACETS, ...NUMERIC_ATTRIBUTES] : [name]))),
  ].filter((name) => isFacet(name) || isNumber(name));

/** SQL: columns `f0`, `f1` … of the hits, each with a leading comma. */
export const facetColumns = (names: readonly CountableFacet[]): Sql =>
  sql.join(
    names.map((name, i) => {
      const values = isFacet(name) ? FACET_VALUES[name] : sql`array[${NUMBER_COLUMNS[name]}]::text[]`;
      return sql`, ${values} as ${sql.ref(`f${i}`)}`;
    }),
    sql``,
  );

/**
 * Counts of one attribute, most frequent value first, up to the requested number. For a numeric attribute,
 * also sums over all hits.
 */
export type FacetCounts = { values: (FacetValue & { value: string | null })[]; sums: Sums | null };
/** `min` and `max` are null if no document has a value. */
type Sums = { min: number | null; max: number | null; sum: number | null; count: number };

/** SQL: counts of each name as a JSON list. The table `found` must have the columns of `facetColumns`. */
export const facetCountsSql = (names: readonly string[], most: number): Sql =>
  names.length === 0
    ? sql`'[]'::json`
    : sql`json_build_array(${sql.join(
        names.map((name, i) => {
          const each = sql`from found, unnest(found.${sql.ref(`f${i}`)}) value where value is not null`;
          return sql`json_build_object('values', ${valueCountsSql(name, each, most)}, 'sums',
            ${isNumber(name) ? statsSql(each) : sql`null`})`;
        }),
      )})`;

const valueCountsSql = (name: string, each: Sql, most: number): Sql =>
  sql`(select coalesce(json_agg(json_build_object('value', ${FACET_LABELS[name] ?? sql`counted.value`},
    'count', counted.count) order by counted.count desc, counted.value), '[]')
    from (select value, count(*)::int as count ${each} group by value order by count(*) desc, value
      limit ${most}) counted)`;

/** SQL: statistics over all hits, including values that are not listed. */
const statsSql = (each: Sql): Sql =>
  sql`(select json_build_object('min', min(value::float8), 'max', max(value::float8), 'sum',
    sum(value::float8), 'count', count(*)) ${each})`;

/** Merges the counts of several indices by name. Values with the same label are combined. */
export function mergeFacets(
  names: readonly string[],
  counts: FacetCounts[][],
  most: number,
): Pick<Results, "facets" | "stats"> {
  const facets: Results["facets"] = {};
  const stats: Results["stats"] = {};
  for (const [i, name] of names.entries()) {
    const values = new Map<string, number>();
    for (const { value, count } of (counts[i] ?? []).flatMap((it) => it.values))
      // The label is null if the person or group no longer exists.
      if (value !== null) values.set(value, (values.get(value) ?? 0) + count);
    if (values.size === 0) continue;
    facets[name] = [...values]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, most);
    if (isNumber(name))
      stats[name] = mergeStats(counts[i]!.flatMap(({ sums }) => (sums?.count ? [sums] : [])));
  }
  return { facets, stats };
}

function mergeStats(all: Sums[]) {
  const [sum, count] = [
    all.reduce((total, it) => total + it.sum!, 0),
    all.reduce((total, it) => total + it.count, 0),
  ];
  return {
    min: Math.min(...all.map((it) => it.min!)),
    max: Math.max(...all.map((it) => it.max!)),
    avg: sum / count,
    sum,
  };
}
