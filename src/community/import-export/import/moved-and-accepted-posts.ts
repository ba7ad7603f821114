import { run, sql } from "#platform/database";
import type { Batch, Entry } from "./import-batch.ts";

type Post = Entry<"post"> & { id: string };

/** Links placeholders of moved posts to the posts' new positions, whichever is imported first. */
export async function linkMovedPosts(batch: Batch, posts: Post[]): Promise<void> {
  const pairs = posts.flatMap((it) => [...listDeparture(batch, it), ...listArrivals(batch, it)]);
  if (batch.check || pairs.length === 0) return;
  await run(
    batch.tx,
    sql`update posts s set moved_to = x.id
        from unnest(${pairs.map(([place]) => place)}::uuid[],
          ${pairs.map(([, post]) => post)}::uuid[]) t (place, post) join posts x on x.id = t.post
        where s.id = t.place and s.state = 'moved' and s.moved_to is null and x.state <> 'moved'`,
  );
}

type MovedPair = readonly [place: string, post: string];

function listDeparture(batch: Batch, it: Post): MovedPair[] {
  const { movedTo } = it.record;
  if (!movedTo) return [];
  const post = batch.names.of("post", movedTo);
  if (!post)
    batch.note(it, `It has moved to ${movedTo}, which does not precede it: imported without that link.`);
  return post ? [[it.id, post]] : [];
}

const listArrivals = (batch: Batch, { id, record }: Post): MovedPair[] =>
  record.movedFrom.flatMap((place): MovedPair[] => {
    const kept = batch.names.of("post", place);
    return kept ? [[kept, id]] : [];
  });

/**
 * Marks questions as resolved by their accepted answer, by the asker unless stated otherwise; the first of
 * several answers wins.
 */
export async function markAcceptedAnswers(batch: Batch, posts: Post[]): Promise<void> {
  const ids = posts.filter(({ record }) => record.isAnswer && record.discussion).map(({ id }) => id);
  if (batch.check || ids.length === 0) return;
  await run(
    batch.tx,
    sql`update discussions d set answer_id = a.id, resolved_at = coalesce(d.resolved_at, a.created_at),
      resolved_by = coalesce(d.resolved_by, d.author_id)
        from (select distinct on (discussion_id) id, discussion_id, created_at from posts
          where id = any(${ids}::uuid[]) order by discussion_id, number) a
        where d.id = a.discussion_id and d.answer_id is null`,
  );
}
