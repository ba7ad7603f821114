import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import { isSignedIn, type Viewer } from "#community/rules";
import { type Discussion, selectDiscussion } from "../discussion-columns.ts";
import type { Draft } from "../drafts/drafts.ts";
import { type SidebarRow, sidebarRows } from "../lists/discussion-sidebar.ts";

/** A discussion with the rest of its page: sidebar and the viewer's draft. */
export type OpenedDiscussion = Discussion & {
  sidebar: SidebarRow[];
  draft: Pick<Draft, "version" | "title" | "body" | "more"> | null;
  /** Time of the last reply but one if the viewer wrote the last two replies; null otherwise. */
  ownAgainAt: Date | null;
};

/**
 * Like `getDiscussion`, with the columns of the page, in one query.
 * @throws `not-found` as in `getDiscussion`; `gone` for a deleted discussion, to signed-in people who could
 * read it before
 */
export async function openDiscussion(db: Db, viewer: Viewer, id: string): Promise<OpenedDiscussion> {
  const found = isId(id)
    ? await maybeOne(db, selectDiscussion<OpenedDiscussion>(viewer, id, surroundingColumns(viewer)))
    : undefined;
  if (found) return found;
  throw (await wasVisible(db, viewer, id)) ? deletedRefusal() : notFound();
}

/**
 * Asserts that the discussion of a post is not deleted.
 * @throws `gone` for a post of a deleted discussion, to people who could read it before
 */
export async function assertNotDeleted(db: Db, viewer: Viewer, postId: string): Promise<void> {
  const position = isId(postId)
    ? await maybeOne(
        db,
        sql<{ id: string | null }>`select discussion_id as id from posts where id = ${postId}`,
      )
    : undefined;
  if (position?.id && (await wasVisible(db, viewer, position.id))) throw deletedRefusal();
}

const deletedRefusal = () => new Refusal("gone", "This discussion was deleted.");

const wasVisible = async (db: Db, viewer: Viewer, id: string): Promise<boolean> =>
  isSignedIn(viewer) &&
  isId(id) &&
  (await maybeOne(
    db,
    sql`select 1 from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
        where d.id = ${id} and d.state = 'deleted' and ${isDiscussionReadable("d", "g", "m")}`,
  )) !== undefined;

/**
 * Columns of the page besides the discussion. `d` and `g` are the discussion and its group; the enclosing
 * statement checks that the viewer may read them.
 */
const surroundingColumns = (viewer: Viewer) => sql`,
  (select coalesce(json_agg(row_to_json(s)), '[]') from (${sidebarRows(viewer)}) s) as sidebar,
  (select case when count(*) = 2 then min(created_at) end
   from (select author_id, number, created_at from posts where discussion_id = d.id order by number desc
     limit 2) last
   where author_id = ${viewer.id}::uuid and number > 1) as "ownAgainAt",
  (select json_build_object('version', dr.version, 'title', dr.data->>'title', 'body', dr.data->>'body',
    'more', coalesce(dr.data->'more', '{}'))
   from drafts dr where dr.person_id = ${viewer.id}::uuid and dr.place = 'discussion:' || d.id) as draft`;
