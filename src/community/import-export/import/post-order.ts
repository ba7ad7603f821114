import { many, run, sql, type Tx } from "#platform/database";
import { updateDiscussionStart } from "../undo-repairs.ts";
import type { Batch, Entry } from "./import-batch.ts";
import { refreshPostCounts } from "./import-discussions.ts";

// An archive may contain posts of a discussion after later ones, such as a page that was missing in the
// first import. Posts are numbered as they are imported; this module renumbers such a discussion in archive
// order.

type OrderedPost = { it: Entry<"post">; isNew: boolean; answers: string | undefined };
/** The posts of a discussion by id in this database, in archive order. */
type Thread = Map<string, OrderedPost>;
/** The discussion whose posts may continue in the next batch; the loader passes it on. */
export type OpenThread = { discussion: string; posts: Thread } | null;

/**
 * Puts the discussions that this batch completes into archive order. Returns the discussion whose posts may
 * continue in the next batch; null in the last batch.
 */
export async function repairPostOrder(batch: Batch): Promise<OpenThread> {
  if (batch.check) return null;
  const threads = new Map<string, Thread>(batch.open ? [[batch.open.discussion, batch.open.posts]] : []);
  let last = batch.open?.discussion;
  for (const it of batch.entries.post ?? []) {
    const discussion = it.record.discussion && batch.names.of("discussion", it.record.discussion);
    const id = batch.names.of("post", it.record.id);
    if (!discussion || !id) continue;
    const posts = threads.get(discussion) ?? new Map<string, OrderedPost>();
    threads.set((last = discussion), posts);
    const answers = it.record.replyTo ? batch.names.of("post", it.record.replyTo) : undefined;
    // Drop bodies: warnings need only the position.
    const short = { at: it.at, record: { ...it.record, body: "" } };
    if (!posts.has(id)) posts.set(id, { it: short, isNew: batch.newPosts.has(id), answers });
  }
  const open = last && !batch.isLast ? { discussion: last, posts: threads.get(last)! } : null;
  for (const [discussion, posts] of threads)
    if (discussion !== open?.discussion && isOutOfOrder([...posts.values()]))
      await repairThread(batch, discussion, posts);
  return open;
}

/** Whether an existing post follows a new one. */
function isOutOfOrder(orderedPosts: OrderedPost[]): boolean {
  const first = orderedPosts.findIndex(({ isNew }) => isNew);
  return first >= 0 && orderedPosts.slice(first).some(({ isNew }) => !isNew);
}

async function repairThread(batch: Batch, discussion: string, posts: Thread): Promise<void> {
  const { tx } = batch;
  await relinkReplies(tx, discussion, posts);
  const rows = await many(
    tx,
    sql<{ id: string }>`select id from posts where discussion_id = ${discussion} order by number`,
  );
  const wanted = [...posts.keys()];
  if (rows.some(({ id }) => !posts.has(id)) || rows.length !== wanted.length) {
    const late = [...posts.values()].filter(({ isNew }) => isNew);
    return batch.note(
      late[0]!.it,
      `${late.length} posts of this discussion came late in the archive and were added at its end.`,
    );
  }
  if (rows.every(({ id }, i) => id === wanted[i])) return;
  await renumberThread(tx, discussion, wanted);
  await updateDiscussionStart(tx, [discussion]);
  await refreshPostCounts(batch, [discussion]);
}

/** Links replies whose parent was missing when they were imported. */
async function relinkReplies(tx: Tx, discussion: string, posts: Thread): Promise<void> {
  const pairs = [...posts].flatMap(([id, { answers, isNew }]) =>
    answers && !isNew && answers !== id ? [[id, answers] as const] : [],
  );
  await run(
    tx,
    sql`update posts p set reply_to = q.id
        from unnest(${pairs.map(([id]) => id)}::uuid[],
          ${pairs.map(([, answered]) => answered)}::uuid[]) t (id, answered)
        join posts q on q.id = t.answered and q.discussion_id = ${discussion}
        where p.id = t.id and p.discussion_id = ${discussion} and p.reply_to is null`,
  );
}

/** Renumbers all posts of a discussion in this order; read positions keep pointing at the same posts. */
async function renumberThread(tx: Tx, discussion: string, ids: string[]): Promise<void> {
  await run(
    tx,
    sql`update read_positions r set last_read_number = n.place
        from unnest(${ids}::uuid[]) with ordinality n (id, place) join posts p on p.id = n.id
        where r.discussion_id = ${discussion} and p.number = r.last_read_number`,
  );
  // Posts are renumbered in two steps, because two posts of a discussion may never have the same number.
  await run(
    tx,
    sql`update posts p set number = -n.place from unnest(${ids}::uuid[]) with ordinality n (id, place)
      where p.id = n.id`,
  );
  await run(tx, sql`update posts set number = -number where discussion_id = ${discussion}`);
}
