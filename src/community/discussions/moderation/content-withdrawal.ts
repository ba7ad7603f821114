import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { clearAnswer } from "../posts/post-removal.ts";
import { CLEARED_PIN_COLUMNS } from "./discussion-moderation.ts";
import { detachUploads } from "./archive-and-delete.ts";

/** Maximum number of posts per run, so that the transaction is short. */
const BATCH_SIZE = 300;

type PostToWithdraw = {
  id: string;
  number: number;
  authorId: string;
  discussionId: string | null;
  groupId: string | null;
  resourceId: string | null;
};

/**
 * Requests of people to delete their content: all content thirty days after closing the account, or the
 * content in one group (`group_id`) a day after leaving that group.
 */
const withdrawalRequests = (now: Date) => sql`
  (select id as person_id, null::uuid as group_id, deactivated_at as since from people
  where leaving = 'remove' and deactivated_at < ${addMilliseconds(now, -30 * DAY)}
   union all
   select person_id, group_id, export_requested_at from memberships
   where export_requested_at < ${addMilliseconds(now, -DAY)})`;

/**
 * Permanently deletes posts and comments of people who asked for it, thirty days after they closed their
 * account or a day after they left a group. A discussion without other authors is deleted with its last
 * post; elsewhere a tombstone keeps the number. Accounts without remaining content are erased. Returns how
 * many posts were deleted.
 */
export async function withdrawContentOfLeavers(tx: Tx): Promise<number> {
  const found = await many(
    tx,
    sql<PostToWithdraw>`
      select p.id, p.number, p.author_id as "authorId", p.discussion_id as "discussionId",
        coalesce(d.group_id, r.group_id) as "groupId", p.resource_id as "resourceId"
      from ${withdrawalRequests(tx.now)} w
      join posts p on p.author_id = w.person_id and p.state in ('published', 'hidden') left
      join discussions d on d.id = p.discussion_id left join resources r on r.id = p.resource_id
      where w.group_id is null or w.group_id = coalesce(d.group_id, r.group_id)
      order by w.since, p.discussion_id, p.number desc ${limit(BATCH_SIZE)} for update of p skip locked`,
  );
  // A person who left a group and then closed the account matches twice.
  const written = [...new Map(found.map((post) => [post.id, post])).values()];
  for (const post of written) await withdrawPost(tx, post);
  const ids = written.map(({ id }) => id);
  await run(tx, sql`delete from post_revisions where post_id = any(${ids}::uuid[])`);
  await run(tx, sql`delete from polls where post_id = any(${ids}::uuid[])`);
  await run(tx, detachUploads(sql`select unnest(${ids}::uuid[])`));
  await run(tx, sql`delete from post_links where post_id = any(${ids}::uuid[])`);
  await run(tx, clearWithdrawalRequests(tx.now));
  return written.length;
}

/** Clears a request when no content is left to delete for it. */
const clearWithdrawalRequests = (now: Date) => sql`
  update memberships m set export_requested_at = null
  where export_requested_at < ${addMilliseconds(now, -DAY)} and not exists (
    select from posts p left join discussions d on d.id = p.discussion_id left
    join resources r on r.id = p.resource_id
    where p.author_id = m.person_id and p.state in ('published', 'hidden')
      and coalesce(d.group_id, r.group_id) = m.group_id)`;

async function withdrawPost(
  tx: Tx,
  { id, number, authorId, discussionId, groupId, resourceId }: PostToWithdraw,
): Promise<void> {
  await run(
    tx,
    sql`update posts set state = 'deleted_by_author', removed_at = null, removed_by = ${authorId},
      body_md = '', body_html = '' where id = ${id}`,
  );
  if (resourceId) {
    await run(
      tx,
      sql`update resources set comments_count = greatest(comments_count - 1, 0) where id = ${resourceId}`,
    );
    return emit(tx, { type: "comment.deleted", resourceId, groupId, postId: id, number, by: authorId });
  }
  const gone =
    number === 1 &&
    (await run(
      tx,
      sql`update discussions d set state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${authorId},
        ${CLEARED_PIN_COLUMNS} where d.id = ${discussionId} and d.state <> 'deleted'
        and not exists (select from posts p
          where p.discussion_id = d.id and p.state in ('published', 'hidden'))`,
    )) > 0;
  if (gone)
    return emit(tx, {
      type: "discussion.deleted",
      discussionId: discussionId!,
      groupId: groupId!,
      by: authorId,
    });
  await clearAnswer(tx, { id: authorId }, { discussionId: discussionId!, groupId: groupId! }, [id]);
  if (number > 1)
    await run(
      tx,
      sql`update discussions set posts_count = greatest(posts_count - 1, 1) where id = ${discussionId}`,
    );
  await emit(tx, {
    type: "post.deleted",
    discussionId: discussionId!,
    groupId: groupId!,
    postId: id,
    number,
    by: authorId,
  });
}
