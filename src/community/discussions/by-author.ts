import { type Db, limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { excerptOf } from "#platform/markup";
import { cursorOf, given, type Page, pageOf, readCursor } from "#community/common";
import { blockedOf, blockersOf } from "#community/friends";
import { discussionReadable, readsFrom, viewersTie } from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import { type DiscussionRow, rowsOf } from "./rows.ts";

const SIZE = LIMITS.page.discussions;

/** Discussions a person has started and the viewer may read, newest first. Empty across a block. */
export async function discussionsBy(db: Db, viewer: Viewer, personId: string, query: { after?: string }): Promise<Page<DiscussionRow>> {
  if (!isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await rowsOf(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
        where d.author_id = ${personId}::uuid and d.author_id <> all(${blockersOf(viewer)}) and d.author_id <> all(${blockedOf(viewer)})
          and d.state in ('open', 'archived') and ${discussionReadable}
          ${given(cursor, ([at, id]) => sql`(d.created_at, d.id) < (${at}, ${id}::uuid)`)}
        order by d.created_at desc, d.id desc ${limit(SIZE + 1)}`,
    sql`d.created_at desc, d.id desc`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.createdAt, last.id));
}

/** A reply, as listed on its author's profile. */
export type OwnReply = {
  id: string;
  title: string;
  excerpt: string;
  createdAt: Date;
  group: { slug: string; name: string };
};

/** Replies of a person that the viewer may read, newest first. Empty across a block. */
export async function repliesBy(db: Db, viewer: Viewer, personId: string, query: { after?: string }): Promise<Page<OwnReply>> {
  if (!isId(personId)) return { rows: [], next: null };
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<Omit<OwnReply, "excerpt"> & { html: string }>`
      select p.id, d.title, p.body_html as html, p.created_at as "createdAt", json_build_object('slug', g.slug, 'name', g.name) as "group"
      from posts p join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id ${viewersTie(viewer)}
      where p.author_id = ${personId}::uuid and p.author_id <> all(${blockersOf(viewer)})
        and p.author_id <> all(${blockedOf(viewer)}) and p.number > 1 and p.state = 'published'
        and d.state in ('open', 'archived') and ${discussionReadable} and coalesce(p.created_at >= ${readsFrom("d")}, true)
        ${given(cursor, ([at, id]) => sql`(p.created_at, p.id) < (${at}, ${id}::uuid)`)}
      order by p.created_at desc, p.id desc ${limit(SIZE + 1)}`,
  );
  const page = pageOf(rows, SIZE, (last) => cursorOf(last.createdAt, last.id));
  return { ...page, rows: page.rows.map(({ html, ...row }) => ({ ...row, excerpt: excerptOf(html, 200) })) };
}
