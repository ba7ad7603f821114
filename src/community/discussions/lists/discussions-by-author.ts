import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import { blockedIds, blockerIds } from "#community/friends";
import { isDiscussionReadable, contentReadableSince, viewerMembership } from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import { listDiscussionRows } from "./discussion-row-queries.ts";
import { type DiscussionRow } from "../discussion-columns.ts";

const PAGE_SIZE = LIMITS.page.discussions;

/**
 * Discussions a person has started and the viewer may read, newest first. Empty if a block separates the
 * two.
 */
export async function listDiscussionsByAuthor(
  db: Db,
  viewer: Viewer,
  personId: string,
  query: { after?: string },
): Promise<Page<DiscussionRow>> {
  if (!isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await listDiscussionRows(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
        where d.author_id = ${personId}::uuid and d.author_id <> all(${blockerIds(viewer)})
          and d.author_id <> all(${blockedIds(viewer)})
          and d.state in ('open', 'archived') and ${isDiscussionReadable("d", "g", "m")}
          ${andIfGiven(cursor, ([at, id]) => sql`(d.created_at, d.id) < (${at}, ${id}::uuid)`)}
        order by d.created_at desc, d.id desc ${limit(PAGE_SIZE + 1)}`,
    sql`d.created_at desc, d.id desc`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.id));
}

/** A reply, as listed on its author's profile. */
export type OwnReply = {
  id: string;
  title: string;
  language: string;
  excerpt: string;
  createdAt: Date;
  group: { slug: string; name: string };
};

/** Replies of a person that the viewer may read, newest first. Empty if a block separates the two. */
export async function listRepliesByAuthor(
  db: Db,
  viewer: Viewer,
  personId: string,
  query: { after?: string },
): Promise<Page<OwnReply>> {
  if (!isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<Omit<OwnReply, "excerpt"> & { html: string }>`
      select p.id, d.title, d.language, p.body_html as html, p.created_at as "createdAt",
        json_build_object('slug', g.slug, 'name', g.name) as "group"
      from posts p join discussions d on d.id = p.discussion_id
      join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      where p.author_id = ${personId}::uuid and p.author_id <> all(${blockerIds(viewer)})
        and p.author_id <> all(${blockedIds(viewer)}) and p.number > 1 and p.state = 'published'
        and d.state in ('open', 'archived') and ${isDiscussionReadable("d", "g", "m")}
        and coalesce(p.created_at >= ${contentReadableSince("d", "g", "m")}, true)
        ${andIfGiven(cursor, ([at, id]) => sql`(p.created_at, p.id) < (${at}, ${id}::uuid)`)}
      order by p.created_at desc, p.id desc ${limit(PAGE_SIZE + 1)}`,
  );
  const page = toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.id));
  return {
    ...page,
    rows: page.rows.map(({ html, ...row }) => ({ ...row, excerpt: createExcerpt(html, 200) })),
  };
}
