import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { encodeCursor, andIfGiven, type Page, toPage, prefixQuery, readCursor } from "#community/common";
import { blockedIds, blockerIds } from "#community/friends";
import { LIMITS, type ResourceKind, type Viewer } from "#community/rules";
import { type ResourceCard, isResourceVisible, selectResourceCards } from "./resource-columns.ts";

/** `group`, `collection` and `owner` are ids. */
export type LibraryQuery = {
  owner?: string;
  kind?: ResourceKind;
  tag?: string;
  group?: string;
  collection?: string;
  search?: string;
  /** ISO 639-1 code. */
  language?: string;
  /** Year in which the resource was added, in UTC. */
  year?: number;
  /** Only broken links. */
  dead?: "yes";
  /** Only the viewer's bookmarks. */
  mine?: "yes";
  sort?: "newest" | "title" | "discussed" | "talked" | "kept";
  after?: string;
};

/** Lists the resources that the viewer may see. */
export async function listResources(
  db: Db,
  viewer: Viewer,
  query: LibraryQuery,
): Promise<Page<ResourceCard>> {
  const order =
    query.sort === undefined && isId(query.collection ?? "")
      ? collectionOrder(query.collection!)
      : ORDERS[query.sort ?? "newest"];
  const cursor = readCursor(query.after, [order.kind, "id"]);
  const rows = await many(
    db,
    sql<ResourceCard>`
      ${selectResourceCards(
        viewer,
        order.kind === "number" && query.sort === undefined
          ? sql`,
        ${order.by} as place`
          : sql``,
      )}
      where r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}
        ${libraryConditions(query, "r")}
        ${andIfGiven(query.kind, (kind) => sql`r.kind = ${kind}`)} ${andIfGiven(
          query.tag,
          (tag) => sql`r.tags
          @> array[${tag}]::text[]`,
        )}
        ${
          query.mine
            ? sql`and exists (select from resource_bookmarks b
          where b.resource_id = r.id and b.person_id = ${viewer.id}::uuid)`
            : sql``
        }
        ${andIfGiven(query.owner, (owner) =>
          isId(owner)
            ? sql`r.owner_id = ${owner}::uuid
          and r.owner_id <> all(${blockerIds(viewer)})
          and r.owner_id <> all(${blockedIds(viewer)})`
            : sql`false`,
        )}
        ${andIfGiven(query.language, (language) => sql`r.language = ${language}`)}
          ${andIfGiven(query.dead, () => sql`r.health = 'dead'`)} ${andIfGiven(query.year, createdInYear)}
        ${andIfGiven(
          cursor,
          ([value, id]) => sql`(${order.by}, r.id) ${order.beyond} (${order.place(value)},
          ${id}::uuid)`,
        )}
      order by ${order.by} ${order.way}, r.id ${order.way}
      ${limit(LIMITS.page.cards + 1)}`,
  );
  return toPage(rows, LIMITS.page.cards, (last) => encodeCursor(order.of(last), last.id));
}

const createdInYear = (year: number) =>
  Number.isInteger(year) && year >= 1970 && year < 9999
    ? sql`r.created_at >= ${new Date(Date.UTC(year, 0))}
      and r.created_at < ${new Date(Date.UTC(year + 1, 0))}`
    : sql`false`;

/** SQL: the newest visible resources, as rows of `ResourceCard`. */
export const newestResourceRows = (viewer: Viewer, count: number) => sql`
  ${selectResourceCards(viewer)}
  where r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}
  order by r.created_at desc, r.id desc ${limit(count)}`;

type SortValue = Date | string | number;
const toParam = (value: SortValue) => sql`${value}`;
const ORDERS = {
  newest: {
    by: sql`r.created_at`,
    way: sql`desc`,
    beyond: sql`<`,
    kind: "time",
    place: toParam,
    of: (row: ResourceCard) => row.createdAt,
  },
  title: {
    by: sql`lower(r.title)`,
    way: sql`asc`,
    beyond: sql`>`,
    kind: "text",
    place: (title: SortValue) => sql`lower(${title})`,
    of: (row: ResourceCard) => row.title,
  },
  discussed: {
    by: sql`r.comments_count`,
    way: sql`desc`,
    beyond: sql`<`,
    kind: "number",
    place: toParam,
    of: (row: ResourceCard) => row.comments,
  },
  /** Sorts by the last comment. Resources without comments follow, highest id first. */
  talked: {
    by: sql`coalesce(r.last_comment_at, '1970-01-01 00:00:00+00'::timestamptz)`,
    way: sql`desc`,
    beyond: sql`<`,
    kind: "time",
    place: toParam,
    of: (row: ResourceCard) => row.talkedAt ?? new Date(0),
  },
  kept: {
    by: sql`r.bookmarks_count`,
    way: sql`desc`,
    beyond: sql`<`,
    kind: "number",
    place: toParam,
    of: (row: ResourceCard) => row.bookmarks,
  },
} as const;

/** Sorts a collection in the order set by its curators. */
const collectionOrder = (collection: string) =>
  ({
    by: sql`(select i.position from collection_items i
      where i.collection_id = ${collection} and i.resource_id = r.id)`,
    way: sql`asc`,
    beyond: sql`>`,
    kind: "number",
    place: toParam,
    of: (row: ResourceCard & { place?: number }) => row.place ?? 0,
  }) as const;

/**
 * Ids of resources that contain these words. Uses the index resources_words, which has the same expression.
 * See `groupIdsMatching`.
 */
const resourcesMatching = (words: string) => sql`
  array(select id from resources
  where state = 'published' and to_tsvector('simple', title || ' ' || why) @@ to_tsquery('simple', ${words})
  limit 5000)`;

/** Conditions shared by the list and its counts. */
export function libraryConditions(
  query: Pick<LibraryQuery, "group" | "collection" | "search">,
  resource: string,
) {
  const r = sql.ref(resource);
  const words = prefixQuery(query.search);
  return sql`
    ${andIfGiven(words, (it) => sql`${r}.id = any(${resourcesMatching(it)})`)}
    ${andIfGiven(query.group, (group) => (isId(group) ? sql`${r}.group_id = ${group}` : sql`false`))}
    ${andIfGiven(query.collection, (collection) =>
      isId(collection)
        ? sql`exists (select from collection_items i
      where i.collection_id = ${collection} and i.resource_id = ${r}.id)`
        : sql`false`,
    )}`;
}
