import { run, sql } from "#platform/database";
import type { RecordOf } from "../archive/records.ts";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, assignIds, scheduleWakeUps, writeRows } from "./import-batch.ts";
import { importRelationships } from "./import-relationships.ts";

export async function importActivityEntries(batch: Batch, entries: Entry<"line">[]): Promise<void> {
  const fresh = await assignIds(batch, "discussion_entries", entries, (it) => it);
  const rows = fresh.map(({ id, record: it }): Row => ({
    id,
    discussion_id: batch.names.of("discussion", it.discussion)!,
    kind: it.kind,
    at: it.createdAt,
    by_id: (it.by && batch.names.of("user", it.by)) ?? null,
    reason: it.reason,
    other_discussion_id: (it.otherDiscussion && batch.names.of("discussion", it.otherDiscussion)) ?? null,
    other_group_id: (it.otherGroup && batch.names.of("group", it.otherGroup)) ?? null,
    details: it.details,
  }));
  await writeRows(batch, "discussion_entries", rows);
}

export async function importStartHereItems(batch: Batch, entries: Entry<"start">[]): Promise<void> {
  const more = (row: RecordOf<"start">): Row => ({
    id: batch.tx.newId(),
    position: row.position,
    added_by: (row.by && batch.names.of("user", row.by)) ?? null,
    added_at: row.createdAt ?? batch.tx.now,
  });
  for (const kind of ["discussion", "resource"] as const)
    await importRelationships(
      batch,
      "start",
      ["group_start_items", ["group_id", `${kind}_id`]],
      entries.filter(({ record }) => (record.discussion ? "discussion" : "resource") === kind),
      (it) => ({
        ends: [batch.names.of("group", it.group)!, batch.names.of(kind, it[kind]!)!],
        more: more(it),
      }),
    );
}

export const importFollows = (batch: Batch, entries: Entry<"follow">[]): Promise<void> =>
  importRelationships(batch, "follow", ["resource_follows", ["resource_id", "person_id"]], entries, (it) => ({
    ends: [batch.names.of("resource", it.resource)!, batch.names.of("user", it.user)!],
    more: { level: it.level, changed_at: it.createdAt ?? batch.tx.now },
  }));

/** Imports bookmarks. A reminder whose date is before the import is not sent. */
export async function importBookmarks(batch: Batch, entries: Entry<"bookmark">[]): Promise<void> {
  const { now } = batch.tx;
  const place = (kind: "post" | "resource", more: (it: RecordOf<"bookmark">) => Row) =>
    importRelationships(
      batch,
      "bookmark",
      [kind === "post" ? "bookmarks" : "resource_bookmarks", ["person_id", `${kind}_id`]],
      entries.filter(({ record }) => (record.post ? "post" : "resource") === kind),
      (it) => ({
        ends: [batch.names.of("user", it.user)!, batch.names.of(kind, it[kind]!)!],
        more: { ...more(it), created_at: it.createdAt ?? now },
      }),
    );
  await place("post", ({ note, remindAt, remindedAt }) => ({
    note,
    remind_at: remindAt ?? null,
    reminded_at: remindedAt ?? (remindAt && remindAt <= now ? remindAt : null),
  }));
  await scheduleWakeUps(
    batch,
    entries.map(({ record }) => (record.post ? record.remindAt : null)),
  );
  await place("resource", () => ({}));
  await refreshBookmarkCounts(
    batch,
    entries.flatMap(({ record }) => (record.resource && batch.names.of("resource", record.resource)) || []),
  );
}

export async function refreshBookmarkCounts(
  batch: Pick<Batch, "tx" | "check">,
  resources: string[],
): Promise<void> {
  if (batch.check || resources.length === 0) return;
  await run(
    batch.tx,
    sql`update resources r set bookmarks_count = (select count(*) from resource_bookmarks b
      where b.resource_id = r.id) where id = any(${resources}::uuid[])`,
  );
}
