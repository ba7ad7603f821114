import { many, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { LIMITS } from "#community/rules";
import { truncate, padWithDots, countCharacters } from "../archive/record-fields.ts";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, assignIds, scheduleWakeUps, writeRows } from "./import-batch.ts";
import { storeOldPaths } from "./old-paths.ts";
import { importRelationships } from "./import-relationships.ts";

export async function importDiscussions(batch: Batch, entries: Entry<"discussion">[]): Promise<void> {
  const fresh = await assignIds(batch, "discussions", entries, (it) => it);
  const groups = await findGroupNames(batch, fresh);
  await writeRows(
    batch,
    "discussions",
    fresh.map((it) =>
      createDiscussionRow(batch, it, groups.get(batch.names.of("group", it.record.group)!) ?? ""),
    ),
  );
  await scheduleWakeUps(
    batch,
    fresh.flatMap(({ record }) => [record.pinnedUntil, record.timer?.at]),
  );
  await importMergedDiscussions(batch, fresh);
  await storeOldPaths(batch, "discussion", fresh);
}

/** Redirects the addresses of merged discussions, unless an entity has that address here. */
async function importMergedDiscussions(
  batch: Batch,
  fresh: (Entry<"discussion"> & { id: string })[],
): Promise<void> {
  const former = fresh.flatMap(({ id, record }) =>
    record.merged.flatMap((it) =>
      isId(it.id) ? [{ id: it.id.toLowerCase(), discussion_id: id, merged_at: it.at }] : [],
    ),
  );
  const rows = await many(
    batch.tx,
    sql<{ id: string }>`select id from discussions where id = any(${former.map(({ id }) => id)}::uuid[])`,
  );
  const taken = new Set(rows.map(({ id }) => id));
  await writeRows(
    batch,
    "former_discussions",
    former.filter(({ id }) => !taken.has(id)),
  );
}

async function findGroupNames(batch: Batch, fresh: Entry<"discussion">[]): Promise<Map<string, string>> {
  const short = fresh
    .filter(({ record }) => countCharacters(record.title) < LIMITS.title.min)
    .map(({ record }) => batch.names.of("group", record.group)!);
  if (short.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<{ id: string; name: string }>`select id, name from groups where id = any(${short}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A title needs five characters: a shorter one is extended with its group's name. */
const padTitle = (title: string, group: string) =>
  countCharacters(title) >= LIMITS.title.min
    ? title
    : truncate(
        padWithDots(`${title || "Untitled"} — ${group}`, LIMITS.title.min),
        LIMITS.title.max,
      ).trimEnd();

/** Columns for a timer. A timer that would not change the current state is dropped. */
function createTimerColumns(batch: Batch, entry: Entry<"discussion">): Row {
  const { timer, lockedAt, author } = entry.record;
  const fits = timer && (timer.kind === "open") === Boolean(lockedAt);
  if (timer && !fits)
    batch.note(
      entry,
      `It has a timer to ${timer.kind}, which has already happened: imported without the timer.`,
    );
  if (!timer || !fits) return { timer: null, timer_at: null, timer_by: null, timer_reason: "" };
  const by = (timer.by && batch.names.of("user", timer.by)) ?? batch.names.of("user", author)!;
  return { timer: timer.kind, timer_at: timer.at, timer_by: by, timer_reason: timer.reason };
}

function createDiscussionRow(batch: Batch, entry: Entry<"discussion"> & { id: string }, group: string): Row {
  const { id, record: it } = entry;
  const author = batch.names.of("user", it.author)!;
  // Falls back to the author if the person who pinned or closed was not imported.
  const by = (at: Date | null | undefined, who: string | null | undefined) =>
    at ? ((who && batch.names.of("user", who)) ?? author) : null;
  return {
    id,
    group_id: batch.names.of("group", it.group)!,
    author_id: author,
    title: padTitle(it.title, group),
    tags: it.tags,
    language: it.language ?? "en",
    language_known: typeof it.language === "string",
    audience: it.audience,
    state: it.archived ? "archived" : "open",
    archived_at: it.archived ? (it.archivedAt ?? batch.tx.now) : null,
    archived_by: it.archived && it.archivedBy ? (batch.names.of("user", it.archivedBy) ?? null) : null,
    slow_seconds: it.slowSeconds,
    pinned_at: it.pinnedAt ?? null,
    pinned_by: by(it.pinnedAt, it.pinnedBy),
    pinned_until: it.pinnedUntil ?? null,
    locked_at: it.lockedAt ?? null,
    locked_by: by(it.lockedAt, it.lockedBy),
    locked_reason: it.lockedReason || null,
    resolved_at: it.resolvedAt ?? null,
    resolved_by: by(it.resolvedAt, it.resolvedBy),
    ...createTimerColumns(batch, entry),
    posts_count: 0,
    last_number: 0,
    last_post_at: it.createdAt,
    last_post_by: author,
    created_at: it.createdAt,
  };
}

export const importReadPositions = (batch: Batch, entries: Entry<"reading">[]): Promise<void> =>
  importRelationships(
    batch,
    "reading",
    ["read_positions", ["discussion_id", "person_id"]],
    entries,
    (it) => ({
      ends: [batch.names.of("discussion", it.discussion)!, batch.names.of("user", it.user)!],
      more: {
        last_read_number: it.number,
        level: it.level,
        level_chosen: it.chosen,
        read_at: it.createdAt ?? batch.tx.now,
      },
    }),
  );

/** Refreshes the post counts of discussions and the last activity of their groups. */
export async function refreshPostCounts(
  batch: Pick<Batch, "tx" | "check">,
  discussions: string[],
): Promise<void> {
  if (batch.check || discussions.length === 0) return;
  await run(
    batch.tx,
    sql`
    update discussions d set posts_count = c.posts, last_number = c.last_number,
      last_post_at = coalesce(l.created_at, d.created_at),
      last_post_by = coalesce(l.author_id, d.author_id)
    from unnest(${discussions}::uuid[]) as wanted (id)
    cross join lateral (
      select count(*) filter (where number = 1 or state in ('published', 'hidden')) as posts,
        coalesce(max(number), 0) as last_number,
        max(number) filter (where state <> 'moved') as last_here
      from posts where discussion_id = wanted.id) c
    left join posts l on l.discussion_id = wanted.id and l.number = c.last_here
    where d.id = wanted.id`,
  );
  await run(
    batch.tx,
    sql`
    update groups g set last_active_at = d.at
    from (select group_id, max(last_post_at) as at from discussions where id = any(${discussions}::uuid[])
      group by group_id) d
    where g.id = d.group_id and g.last_active_at < d.at - interval '1 minute'`,
  );
}
