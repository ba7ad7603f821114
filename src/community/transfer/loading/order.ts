import { many, run, sql, type Tx } from "#platform/database";
import { beginAnew } from "../left-behind.ts";
import type { Batch, Entry } from "./batch.ts";
import { countPosts } from "./discussions.ts";

// A part of a discussion may come later than what follows it: a page that was missing in the archive. Posts take their
// numbers as they come; here those of such a discussion are put into the order of the archive.

type Told = { it: Entry<"post">; isNew: boolean; answers: string | undefined };
/** The posts of a discussion by their ids here, in the order of the archive. */
type Thread = Map<string, Told>;
/** The discussion whose posts the archive may go on with. A loader remembers it from batch to batch. */
export type OpenThread = { discussion: string; posts: Thread } | null;

/** Mends the discussions that this batch has told to their end. Gives the one that may go on, if this batch is not the last. */
export async function mendOrder(batch: Batch): Promise<OpenThread> {
  if (batch.check) return null;
  const threads = new Map<string, Thread>(batch.open ? [[batch.open.discussion, batch.open.posts]] : []);
  let last = batch.open?.discussion;
  for (const it of batch.entries.post ?? []) {
    const discussion = it.record.discussion && batch.names.of("discussion", it.record.discussion);
    const id = batch.names.of("post", it.record.id);
    if (!discussion || !id) continue;
    const posts = threads.get(discussion) ?? new Map<string, Told>();
    threads.set((last = discussion), posts);
    const answers = it.record.replyTo ? batch.names.of("post", it.record.replyTo) : undefined;
    // Its place is all that a remark needs: the words of a long discussion would wait here for its end.
    const short = { at: it.at, record: { ...it.record, body: "" } };
    if (!posts.has(id)) posts.set(id, { it: short, isNew: batch.newPosts.has(id), answers });
  }
  const open = last && !batch.isLast ? { discussion: last, posts: threads.get(last)! } : null;
  for (const [discussion, posts] of threads)
    if (discussion !== open?.discussion && isMixed([...posts.values()])) await mendThread(batch, discussion, posts);
  return open;
}

/** Something that is here already follows what is new. */
function isMixed(told: Told[]): boolean {
  const first = told.findIndex(({ isNew }) => isNew);
  return first >= 0 && told.slice(first).some(({ isNew }) => !isNew);
}

async function mendThread(batch: Batch, discussion: string, posts: Thread): Promise<void> {
  const { tx } = batch;
  await answerAnew(tx, discussion, posts);
  const rows = await many(tx, sql<{ id: string }>`select id from posts where discussion_id = ${discussion} order by number`);
  const wanted = [...posts.keys()];
  if (rows.some(({ id }) => !posts.has(id)) || rows.length !== wanted.length) {
    const late = [...posts.values()].filter(({ isNew }) => isNew);
    return batch.note(
      late[0]!.it,
      `${late.length} posts of this discussion have come after others that follow them, and stand at its end.`,
    );
  }
  if (rows.every(({ id }, i) => id === wanted[i])) return;
  await numberAs(tx, discussion, wanted);
  await beginAnew(tx, [discussion]);
  await countPosts(batch, [discussion]);
}

/** What answers a post that was not here when it came answers it now. */
async function answerAnew(tx: Tx, discussion: string, posts: Thread): Promise<void> {
  const pairs = [...posts].flatMap(([id, { answers, isNew }]) => (answers && !isNew && answers !== id ? [[id, answers] as const] : []));
  await run(
    tx,
    sql`update posts p set reply_to = q.id
        from unnest(${pairs.map(([id]) => id)}::uuid[], ${pairs.map(([, answered]) => answered)}::uuid[]) t (id, answered)
        join posts q on q.id = t.answered and q.discussion_id = ${discussion}
        where p.id = t.id and p.discussion_id = ${discussion} and p.reply_to is null`,
  );
}

/** All posts of a discussion in this order; whoever had read up to one has read up to that one. */
async function numberAs(tx: Tx, discussion: string, ids: string[]): Promise<void> {
  await run(
    tx,
    sql`update read_states r set last_read_number = n.place
        from unnest(${ids}::uuid[]) with ordinality n (id, place) join posts p on p.id = n.id
        where r.discussion_id = ${discussion} and p.number = r.last_read_number`,
  );
  // Twice, since no two posts of a discussion have one number at any moment.
  await run(tx, sql`update posts p set number = -n.place from unnest(${ids}::uuid[]) with ordinality n (id, place) where p.id = n.id`);
  await run(tx, sql`update posts set number = -number where discussion_id = ${discussion}`);
}
