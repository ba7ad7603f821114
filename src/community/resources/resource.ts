import { type Db, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { PersonCard } from "#community/common";
import { blockedOf, blockersOf, cardFor } from "#community/friends";
import { contentReadable, discussionReadable, groupFactsJson, readsFrom, viewersTie } from "#community/groups";
import { type GroupFacts, groupRules, LIMITS, type ResourceFacts, resourceRules, type Stub, type Viewer } from "#community/rules";
import { cardColumns, keeperAndFile, type ResourceCard, type ResourceKind } from "./library.ts";
import { resourcesGroup, resourceVisible } from "./sight.ts";

/** One resource as the viewer finds it; enough for `resourceRules` too. */
export type Resource = Omit<ResourceCard, "group"> &
  Omit<ResourceFacts, "group"> & {
    group: (GroupFacts & { id: string; slug: string; name: string; membersCount: number }) | null;
    licence: string;
    bodyMd: string;
    bodyHtml: string;
    version: number;
    /** At 200 words a minute; 0 for what is not a document. */
    readingMinutes: number;
    collections: { id: string; title: string }[];
  };

/** `not-found` for what is not there and for what the viewer may not see. */
export async function resourceFor(db: Db, viewer: Viewer, id: string): Promise<Resource> {
  const row = isId(id)
    ? await maybeOne(db, sql<Omit<Resource, "readingMinutes">>`${selectOf(viewer)} where r.id = ${id} and ${resourceVisible(viewer)}`)
    : undefined;
  if (!row) throw notFound();
  return { ...row, readingMinutes: row.kind === "document" ? Math.max(1, Math.round(row.bodyMd.split(/\s+/).length / 200)) : 0 };
}

const selectOf = (viewer: Viewer) => sql`
  select ${cardColumns(viewer)}, r.state, r.audience, r.licence, r.body_md as "bodyMd", r.body_html as "bodyHtml", r.version,
    case when r.keeper_id <> all(${blockersOf(viewer)}) then r.keeper_id end as "keeperId",
    case when g.id is not null then ${groupFactsJson} end as "group",
    (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title), '[]')
     from collection_items i join collections c on c.id = i.collection_id
     where i.resource_id = r.id and (c.group_id is null or (c.group_id = r.group_id and ${contentReadable("c", "created_at")}))) as collections
  from resources r ${resourcesGroup(viewer)} ${keeperAndFile}`;

export type Comment = {
  id: string;
  number: number;
  author: PersonCard | null;
  /** Null exactly where there is a stub. */
  html: string | null;
  stub: Stub | null;
  mine: boolean;
  createdAt: Date;
  editedAt: Date | null;
};

/** What is said under a resource: 20 after the comment with the number `after`. `not-found` as above. */
export async function commentsOn(
  db: Db,
  viewer: Viewer,
  resource: Resource,
  query: { after?: number } = {},
): Promise<{ comments: Comment[]; more: boolean }> {
  if (!resourceRules.see(viewer, resource)) throw notFound();
  const past = resource.group !== null && groupRules.pastBlocks(viewer, resource.group);
  const size = LIMITS.page.posts;
  const after = Math.min(2 ** 31 - 1, Math.max(0, Math.trunc(query.after ?? 0) || 0));
  const rows = await many(
    db,
    sql<Comment>`
      select p.id, p.number, ${cardFor(viewer, "author", past)} as author, p.stub, case when p.stub is null then p.body_html end as html,
        coalesce(p.author_id = ${viewer.id}::uuid, false) as mine, p.created_at as "createdAt", p.edited_at as "editedAt"
      from (select *, ${stubFor(viewer, past)} as stub from posts where resource_id = ${resource.id} and number > ${after} order by number limit ${size + 1}) p
      join people author on author.id = p.author_id
      order by p.number`,
  );
  return { comments: rows.slice(0, size), more: rows.length > size };
}

/** The twin of `discussionRules.stub` for who does not moderate. */
const stubFor = (viewer: Viewer, past: boolean) => sql`
  case when state = 'deleted_by_author' then 'deleted' when state = 'removed' then 'removed'
    when state = 'hidden' and author_id is distinct from ${viewer.id}::uuid then 'hidden'
    when author_id = any(${blockersOf(viewer, past)}) then 'blocked' when author_id = any(${blockedOf(viewer)}) then 'blocked-by-viewer' end`;

export type Collection = {
  id: string;
  title: string;
  about: string;
  group: { id: string; slug: string; name: string } | null;
  curator: PersonCard | null;
  count: number;
  first: { id: string; title: string; kind: ResourceKind }[];
};

/** The shelves of the whole community, or of one group; with what the viewer may see on them. */
export const collectionsFor = (db: Db, viewer: Viewer, query: { group?: string } = {}): Promise<Collection[]> =>
  many(
    db,
    sql<Collection>`
      select c.id, c.title, c.about, ${cardFor(viewer, "curator")} as curator, shelf.count, shelf.first,
        case when cg.id is not null then json_build_object('id', cg.id, 'slug', cg.slug, 'name', cg.name) end as "group"
      from (select c.* from collections c left join groups g on g.id = c.group_id ${viewersTie(viewer)}
            where (c.group_id is null or ${contentReadable("c", "created_at")}) and ${query.group === undefined ? sql`true` : isId(query.group) ? sql`c.group_id = ${query.group}` : sql`false`}
            order by c.created_at, c.id limit 50) c
      left join groups cg on cg.id = c.group_id
      left join people curator on curator.id = c.curator_id
      cross join lateral (
        select count(*)::int as count, coalesce((json_agg(json_build_object('id', r.id, 'title', r.title, 'kind', r.kind) order by i.position))::jsonb, '[]') as first
        from collection_items i join resources r on r.id = i.resource_id ${resourcesGroup(viewer)}
        where i.collection_id = c.id and r.state = 'published' and ${resourceVisible(viewer)}) shelf
      where shelf.count > 0
      order by c.created_at, c.id`,
  ).then((rows) => rows.map((row) => ({ ...row, first: row.first.slice(0, 5) })));

export type ResourceUse = { discussionId: string; title: string; number: number; group: { slug: string; name: string }; at: Date };

/** Where it is used: only discussions that the viewer may read, the latest first. */
export const usedIn = (db: Db, viewer: Viewer, resource: Resource): Promise<ResourceUse[]> =>
  many(
    db,
    sql<ResourceUse>`
      select d.id as "discussionId", d.title, p.number, json_build_object('slug', g.slug, 'name', g.name) as "group", p.created_at as at
      from resource_uses use join posts p on p.id = use.post_id and p.state = 'published'
      join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
      join groups g on g.id = d.group_id ${viewersTie(viewer)}
      where use.resource_id = ${resource.id} and ${discussionReadable} and coalesce(p.created_at >= ${readsFrom("d")}, true)
      order by p.created_at desc, p.id limit 20`,
  );
