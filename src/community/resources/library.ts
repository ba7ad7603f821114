import { type Db, many, one, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { cursorOf, given, type Page, pageOf, type PersonCard, prefixQuery, readCursor } from "#community/common";
import { blockedOf, blockersOf, cardFor } from "#community/friends";
import { LIMITS, type Viewer, type Visibility } from "#community/rules";
import { resourcesGroup, resourceVisible } from "./sight.ts";

export type ResourceKind = "link" | "file" | "document";
export type FileFacts = { id: string; fileName: string; size: number; mime: string; width: number | null; height: number | null };
export type ResourceCard = {
  id: string;
  kind: ResourceKind;
  title: string;
  why: string;
  url: string | null;
  siteName: string;
  tags: string[];
  language: string;
  health: "unknown" | "ok" | "redirected" | "dead";
  file: FileFacts | null;
  group: { id: string; slug: string; name: string; visibility: Visibility } | null;
  keeper: PersonCard | null;
  createdAt: Date;
  updatedAt: Date | null;
  comments: number;
};
/** `group`, `collection` and `keeper` are ids. */
export type LibraryQuery = {
  keeper?: string;
  kind?: ResourceKind;
  tag?: string;
  group?: string;
  collection?: string;
  search?: string;
  sort?: "newest" | "title" | "discussed";
  after?: string;
};

/** The library, as far as the viewer may see it. */
export async function resourcesFor(db: Db, viewer: Viewer, query: LibraryQuery): Promise<Page<ResourceCard>> {
  const order = ORDERS[query.sort ?? "newest"];
  const cursor = readCursor(query.after, [order.kind, "id"]);
  const rows = await many(
    db,
    sql<ResourceCard>`
      select ${cardColumns(viewer)}
      from resources r ${resourcesGroup(viewer)} ${keeperAndFile}
      where r.state = 'published' and ${resourceVisible(viewer)} ${narrowed(query)}
        ${given(query.kind, (kind) => sql`r.kind = ${kind}`)} ${given(query.tag, (tag) => sql`${tag} = any(r.tags)`)}
        ${given(query.keeper, (keeper) => (isId(keeper) ? sql`r.keeper_id = ${keeper}::uuid and r.keeper_id <> all(${blockersOf(viewer)}) and r.keeper_id <> all(${blockedOf(viewer)})` : sql`false`))}
        ${given(cursor, ([value, id]) => sql`(${order.by}, r.id) ${order.beyond} (${order.place(value)}, ${id}::uuid)`)}
      order by ${order.by} ${order.way}, r.id ${order.way}
      limit ${LIMITS.page.cards + 1}`,
  );
  return pageOf(rows, LIMITS.page.cards, (last) => cursorOf(order.of(last), last.id));
}

/** The newest that the viewer sees, as rows of a `ResourceCard`: for a statement that asks for more than these. */
export const newestResources = (viewer: Viewer, count: number) => sql`
  select ${cardColumns(viewer)} from resources r ${resourcesGroup(viewer)} ${keeperAndFile}
  where r.state = 'published' and ${resourceVisible(viewer)} order by r.created_at desc, r.id desc limit ${count}`;

type Value = Date | string | number;
const asItIs = (value: Value) => sql`${value}`;
const ORDERS = {
  newest: { by: sql`r.created_at`, way: sql`desc`, beyond: sql`<`, kind: "time", place: asItIs, of: (row: ResourceCard) => row.createdAt },
  title: {
    by: sql`lower(r.title)`,
    way: sql`asc`,
    beyond: sql`>`,
    kind: "text",
    place: (title: Value) => sql`lower(${title})`,
    of: (row: ResourceCard) => row.title,
  },
  discussed: {
    by: sql`r.comments_count`,
    way: sql`desc`,
    beyond: sql`<`,
    kind: "number",
    place: asItIs,
    of: (row: ResourceCard) => row.comments,
  },
} as const;

/** The ids of resources with these words, from the index resources_words, which has the same expression. See `groupsWith`. */
export const resourcesWith = (words: string) => sql`
  array(select id from resources where state = 'published' and to_tsvector('simple', title || ' ' || why) @@ to_tsquery('simple', ${words}) limit 5000)`;

function narrowed(query: Pick<LibraryQuery, "group" | "collection" | "search">) {
  const words = prefixQuery(query.search);
  return sql`
    ${given(words, (it) => sql`r.id = any(${resourcesWith(it)})`)}
    ${given(query.group, (group) => (isId(group) ? sql`r.group_id = ${group}` : sql`false`))}
    ${given(query.collection, (shelf) => (isId(shelf) ? sql`exists (select from collection_items i where i.collection_id = ${shelf} and i.resource_id = r.id)` : sql`false`))}`;
}

export const keeperAndFile = sql`left join people keeper on keeper.id = r.keeper_id left join uploads u on u.id = r.upload_id`;

/** The columns of a `ResourceCard`. */
export const cardColumns = (viewer: Viewer) => sql`
  r.id, r.kind, r.title, r.why, r.url, r.site_name as "siteName", r.tags, r.language, r.health, r.created_at as "createdAt", r.updated_at as "updatedAt",
  r.comments_count as comments, ${cardFor(viewer, "keeper")} as keeper,
  case when u.id is not null then json_build_object('id', u.id, 'fileName', u.file_name, 'size', u.size, 'mime', u.mime, 'width', u.width, 'height', u.height) end as file,
  case when g.id is not null then json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'visibility', g.visibility) end as "group"`;

export type ResourceFacet = { value: string; label: string; count: number };
export type ResourceFacets = { kinds: ResourceFacet[]; tags: ResourceFacet[]; groups: ResourceFacet[] };

/** Counting stops here: the numbers beside a list are a help in choosing, not an inventory. */
const MOST_COUNTED = 5_000;

/** How many there are of what, among the latest that the viewer may see. A value of `groups` is an id. */
export const resourceFacets = (db: Db, viewer: Viewer, query: { group?: string; search?: string }): Promise<ResourceFacets> =>
  one(
    db,
    sql<ResourceFacets>`
      with seen as materialized (
        select r.kind, r.tags, g.id as group_id, g.name as group_name
        from resources r ${resourcesGroup(viewer)}
        where r.state = 'published' and ${resourceVisible(viewer)} ${narrowed(query)}
        order by r.created_at desc, r.id desc limit ${MOST_COUNTED})
      select
        (select coalesce(json_agg(json_build_object('value', kind, 'label', kind, 'count', n) order by n desc), '[]')
         from (select kind, count(*)::int as n from seen group by kind) k) as kinds,
        (select coalesce(json_agg(json_build_object('value', tag, 'label', tag, 'count', n) order by n desc, tag), '[]')
         from (select tag, count(*)::int as n from seen, unnest(tags) tag group by tag order by n desc, tag limit 20) t) as tags,
        (select coalesce(json_agg(json_build_object('value', group_id, 'label', group_name, 'count', n) order by n desc, group_name), '[]')
         from (select group_id, group_name, count(*)::int as n from seen where group_id is not null group by group_id, group_name order by n desc limit 20) s) as groups`,
  );
