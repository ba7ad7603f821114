import { limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { type Index, INDICES } from "../search-engine.ts";
import type { IndexingTarget } from "./indexing-queue.ts";
import { type IndexingContext, BATCH_SIZES, indexDocuments } from "./index-documents.ts";
import { isPublicGroup } from "./search-sources.ts";

/** Number of queued targets per transaction, few enough to keep the transaction short. */
const QUEUE_BATCH = 250;

type Row = { seq: string; what: IndexingTarget; id: string; after: string | null };

/**
 * Number of batches per transaction of a reindex. Several batches share the fixed costs, but the transaction
 * must stay short.
 */
const BATCHES_PER_TRANSACTION: Record<Index, number> = {
  people: 4,
  groups: 4,
  discussions: 4,
  posts: 4,
  resources: 2,
  messages: 4,
  events: 4,
};

/**
 * Indexes a batch of the queue. Returns whether there may be more. Only one process at a time indexes;
 * otherwise an older state might overwrite a newer one.
 */
export const indexQueued = (at: IndexingContext): Promise<boolean> =>
  withIndexingLock(at, async (tx) => {
    const rows = await many(
      tx,
      sql<Row>`select seq, what, id, after from search_queue order by seq ${limit(QUEUE_BATCH)}`,
    );
    if (rows.length === 0) return false;
    for (const index of INDICES) {
      const ids = new Set(rows.filter(({ what }) => what === index).map(({ id }) => id));
      await indexWithEvents(tx, at, index, [...ids]);
    }
    const single = rows
      .filter(({ what }) => (INDICES as readonly string[]).includes(what))
      .map(({ seq }) => seq);
    await run(tx, sql`delete from search_queue where seq = any(${single}::bigint[])`);
    // Indexes only part of a large container, so that the transaction stays short. The rest remains queued.
    const place = rows.find(({ what }) => !(INDICES as readonly string[]).includes(what));
    if (place) await indexContainer(tx, at, place);
    return rows.length === QUEUE_BATCH || place !== undefined;
  });

/** Indexes documents, and the events that the posts among them describe. */
async function indexWithEvents(tx: Tx, at: IndexingContext, index: Index, ids: string[]): Promise<void> {
  await indexDocuments(tx, at, index, ids);
  if (index !== "posts" || ids.length === 0) return;
  const described = await many(
    tx,
    sql<{ id: string }>`select id from calendar_events where post_id = any(${ids}::uuid[]) order by id`,
  );
  await indexDocuments(
    tx,
    at,
    "events",
    described.map(({ id }) => id),
  );
}

/** Advisory lock that the indexing process holds. */
export const INDEXING_LOCK = 7_301_551;

/** Runs `work` in a transaction with the indexing lock. Returns false if another process holds the lock. */
const withIndexingLock = (
  { database, engine }: IndexingContext,
  work: (tx: Tx) => Promise<boolean>,
): Promise<boolean> =>
  database.inTransaction(async (tx) => {
    const { mine } = await one(
      tx,
      sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${INDEXING_LOCK}) as mine`,
    );
    if (!mine) return false;
    const more = await work(tx);
    await engine.settle(tx);
    return more;
  });

/** Indexes all documents of a container, batch by batch in id order. */
async function indexContainer(tx: Tx, at: IndexingContext, { seq, what, id, after }: Row): Promise<void> {
  if (what === "everything") {
    await startReindex(tx);
    return void (await run(tx, sql`delete from search_queue where seq = ${seq}`));
  }
  const inside = await many(
    tx,
    sql<{
      id: string;
      index: Index;
    }>`${containerDocuments(what, id)}
      and x.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      order by x.id ${limit(QUEUE_BATCH)}`,
  );
  for (const index of INDICES)
    await indexWithEvents(
      tx,
      at,
      index,
      inside.filter((it) => it.index === index).map((it) => it.id),
    );
  if (inside.length < QUEUE_BATCH) await run(tx, sql`delete from search_queue where seq = ${seq}`);
  else await run(tx, sql`update search_queue set after = ${inside.at(-1)!.id} where seq = ${seq}`);
}

/**
 * Lists the documents of a container. Documents of a group or person are read from the index, because new
 * documents have their own domain events. For a group, only documents whose public flag changed are listed:
 * nothing else in the index depends on the group.
 */
function containerDocuments(what: IndexingTarget, id: string) {
  if (what === "in-discussion")
    return sql`select x.id, 'posts' as index from posts x where x.discussion_id = ${id}::uuid`;
  if (what === "in-resource")
    return sql`select x.id, 'posts' as index from posts x where x.resource_id = ${id}::uuid`;
  if (what === "in-series") return seriesDocuments(id);
  if (what === "by-person")
    return sql`select x.id, x.in_index as index from search_documents x where x.author_id = ${id}::uuid`;
  return sql`select x.id, x.in_index as index from search_documents x left join groups g on g.id = x.group_id
    where x.group_id = ${id}::uuid and x.in_index <> 'groups'
      and (g.id is null or (x.audience = 'group') <> (${isPublicGroup("g")} and (
      exists (select from discussions d where d.id = x.place_id and d.audience = 'group')
      or exists (select from resources r where r.id = x.place_id and r.audience = 'group')
      or exists (select from calendar_events e where e.id = x.id and e.audience = 'group'))))`;
}

/** The dates of a series, and indexed dates of its group that a change of a series has deleted. */
const seriesDocuments = (id: string) => sql`
  select x.id, 'events' as index from (
    select e.id from calendar_events e where e.series_id = ${id}::uuid
    union all
    select s.id from search_documents s join event_series es on es.id = ${id}::uuid and es.group_id = s.group_id
    where s.in_index = 'events' and not exists (select from calendar_events e where e.id = s.id)) x
  where true`;

/** Starts a reindex of every index from its first row. Existing documents stay searchable. */
export const startReindex = (tx: Tx): Promise<unknown> =>
  run(
    tx,
    sql`insert into search_runs (in_index, asked_at) select unnest(${[...INDICES]}::text[]), ${tx.now}
        on conflict (in_index) do update set after = null, filed = 0, asked_at = excluded.asked_at,
          finished_at = null`,
  );

const TABLES: Record<Index, string> = {
  people: "people",
  groups: "groups",
  discussions: "discussions",
  posts: "posts",
  resources: "resources",
  messages: "messages",
  events: "calendar_events",
};

/**
 * Indexes one batch of the current reindex. Returns the number of documents, or null if the reindex is
 * finished.
 */
export async function continueReindex(at: IndexingContext): Promise<number | null> {
  let done: number | null = 0;
  await withIndexingLock(at, async (tx) => {
    const under = await maybeOne(
      tx,
      sql<{
        index: Index;
        after: string | null;
      }>`select in_index as index, after from search_runs where finished_at is null
        order by array_position(${[...INDICES]}::text[], in_index) limit 1`,
    );
    done = under ? await indexNextBatch(tx, at, under) : null;
    return done !== null;
  });
  return done;
}

async function indexNextBatch(
  tx: Tx,
  at: IndexingContext,
  { index, after }: { index: Index; after: string | null },
): Promise<number> {
  const most = BATCH_SIZES[index] * BATCHES_PER_TRANSACTION[index];
  const from = after ?? "00000000-0000-0000-0000-000000000000";
  const there = await many(
    tx,
    sql<{
      id: string;
    }>`select id from ${sql.table(TABLES[index])} where id > ${from}::uuid order by id limit ${most}`,
  );
  const ids = there.map(({ id }) => id);
  const last = ids.length < most ? null : ids.at(-1)!;
  await indexDocuments(tx, at, index, ids);
  // Removes indexed documents in this id range that have no row: they were deleted without a domain event.
  const lost = await many(
    tx,
    sql<{
      id: string;
    }>`select id from search_documents where in_index = ${index} and id > ${from}::uuid and ${
      last
        ? sql`id
      <= ${last}::uuid`
        : sql`true`
    } and id <> all(${ids}::uuid[])`,
  );
  if (lost.length > 0)
    await at.engine.remove(
      tx,
      lost.map(({ id }) => id),
    );
  await run(
    tx,
    sql`update search_runs set after = coalesce(${last}::uuid, after), filed = filed + ${ids.length},
      finished_at = ${last ? null : tx.now} where in_index = ${index}`,
  );
  if (!last) await run(tx, FLUSH_PENDING_LISTS);
  return ids.length;
}

/**
 * Flushes the pending lists of the GIN indexes after a large batch: every query scans these lists. Only the
 * owner of an index may flush it; otherwise autovacuum does so later.
 */
const FLUSH_PENDING_LISTS = sql`
  select gin_clean_pending_list(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid
  join pg_am a on a.oid = c.relam
  where i.indrelid = 'search_documents'::regclass and a.amname = 'gin' and pg_has_role(c.relowner, 'usage')`;
