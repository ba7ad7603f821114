import { type Db, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { cursorOf, given, type Page, pageOf, readCursor } from "#community/common";
import { blockedOf, blockersOf } from "#community/friends";
import { discussionReadable, viewersTie } from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import { type DiscussionRow, rowsOf } from "./rows.ts";

const SIZE = LIMITS.page.discussions;

/** What a person has started, of that what the viewer may read; the newest first. Nothing where a block parts the two. */
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
        order by d.created_at desc, d.id desc limit ${SIZE + 1}`,
    sql`d.created_at desc, d.id desc`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.createdAt, last.id));
}
