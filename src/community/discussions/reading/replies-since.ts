import { type Db, one, sql } from "#platform/database";
import { personCard, type PersonCard } from "#community/common";
import { mutedIds, blockedEitherWayIds } from "#community/friends";
import type { Viewer } from "#community/rules";
import { getDiscussion } from "../discussion.ts";

/**
 * Replies of others after the post `after`: their number (at most 100), the number of the first one, and the
 * last author unless blocked or muted.
 */
export type RepliesSince = { count: number; first: number | null; by: PersonCard | null };

/**
 * Counts the replies that arrived while the viewer was writing one.
 * @throws `not-found` for a discussion the viewer may not read
 */
export async function countRepliesSince(
  db: Db,
  viewer: Viewer,
  discussionId: string,
  after: number,
): Promise<RepliesSince> {
  const { id, lastHiddenNumber } = await getDiscussion(db, viewer, discussionId);
  return one(
    db,
    sql<RepliesSince>`
      select count(*)::int as count, min(p.number) as first,
        (array_agg(case when author.id <> all(${blockedEitherWayIds(viewer)})
          and author.id <> all(${mutedIds(viewer)}) then ${personCard("author")} end
            order by p.number desc))[1] as by
      from (select * from posts where discussion_id = ${id} and number > ${Math.max(after, lastHiddenNumber)}
        and state = 'published' and author_id is distinct from ${viewer.id}::uuid
            order by number limit 100) p
      join people author on author.id = p.author_id`,
  );
}
