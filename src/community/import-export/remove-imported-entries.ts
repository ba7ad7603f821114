import { many, run, sql, type Tx } from "#platform/database";
import type { RecordKind } from "./archive/records.ts";
import { repairDiscussions, listReferencedPeople } from "./undo-repairs.ts";
import { refreshCommentCounts } from "./import/import-posts.ts";
import { refreshMemberCounts } from "./import/import-groups.ts";
import { refreshPostCounts } from "./import/import-discussions.ts";
import { refreshBookmarkCounts } from "./import/import-activity.ts";

/** An entity that a run created from one record of its archive. */
export type CreatedEntry = {
  sourceId: string;
  localId: string;
  otherId: string | null;
  part: string;
  made: boolean;
};

const TABLES = {
  message: "messages",
  conversation: "conversations",
  collection: "collections",
  group: "groups",
  resource: "resources",
  discussion: "discussions",
  line: "discussion_entries",
  "event-series": "event_series",
  event: "calendar_events",
  "date-poll": "date_polls",
} as const;
const RELATIONSHIP_TABLES = {
  use: ["resource_uses", "resource_id", "post_id"],
  reading: ["read_positions", "discussion_id", "person_id"],
  friendship: ["friendships", "low_id", "high_id"],
  block: ["blocks", "blocker_id", "blocked_id"],
  mute: ["mutes", "muter_id", "muted_id"],
  follow: ["resource_follows", "resource_id", "person_id"],
  attendance: ["attendances", "occurrence_id", "person_id"],
  "date-poll-answer": ["date_poll_answers", "time_id", "person_id"],
} as const;

/** Removes entries of one kind, and adds the hashes of removed files to `hashes`. */
export async function removeEntries(
  tx: Tx,
  runId: string,
  kind: RecordKind,
  created: CreatedEntry[],
  hashes: Set<string>,
): Promise<void> {
  const ids = created.map(({ localId }) => localId);
  switch (kind) {
    case "message":
    case "conversation":
    case "collection":
    case "group":
    case "resource":
    case "discussion":
    case "line":
    case "event-series":
    case "event":
    case "date-poll":
      return void (await run(tx, sql`delete from ${sql.table(TABLES[kind])} where id = any(${ids}::uuid[])`));
    case "use":
    case "reading":
    case "friendship":
    case "block":
    case "mute":
    case "follow":
    case "attendance":
    case "date-poll-answer":
      return removeRelationships(tx, RELATIONSHIP_TABLES[kind], created);
    case "start":
      for (const other of ["discussion_id", "resource_id"])
        await removeRelationships(tx, ["group_start_items", "group_id", other], created);
      return;
    case "bookmark":
      await removeRelationships(tx, ["bookmarks", "person_id", "post_id"], created);
      await removeRelationships(tx, ["resource_bookmarks", "person_id", "resource_id"], created);
      return refreshBookmarkCounts(
        { tx, check: false },
        created.flatMap(({ otherId }) => otherId ?? []),
      );
    case "membership":
      await removeRelationships(tx, ["memberships", "group_id", "person_id"], created);
      return refreshMemberCounts({ tx, check: false }, ids);
    case "post":
      return removePosts(tx, runId, ids);
    case "reaction":
      return removeReactions(tx, ["reactions", "post_id"], created);
    case "message-reaction":
      return removeReactions(tx, ["message_reactions", "message_id"], created);
    case "vote":
      return void (await run(
        tx,
        sql`delete from poll_votes where (post_id, person_id, position) in
          (select * from unnest(${ids}::uuid[], ${created.map(({ otherId }) => otherId)}::uuid[],
            ${created.map(({ part }) => Number(part))}::int[]))`,
      ));
    case "revision":
      return removeParts(tx, ["post_revisions", "post_id", "replaced_at", "timestamptz"], created);
    case "version":
      return removeParts(tx, ["resource_versions", "resource_id", "version", "int"], created);
    case "file":
      for (const { hash } of await many(
        tx,
        sql<{ hash: string }>`delete from uploads where id = any(${ids}::uuid[]) returning hash`,
      ))
        hashes.add(hash);
      return;
    case "user":
      return removePeople(tx, ids);
    case "setting":
      return void (await run(
        tx,
        sql`delete from settings where key = any(${created.map(({ part }) => part)})`,
      ));
  }
}

const removeRelationships = async (
  tx: Tx,
  [table, one, other]: readonly [string, string, string],
  created: CreatedEntry[],
): Promise<void> =>
  void (await run(
    tx,
    sql`delete from ${sql.table(table)} where (${sql.ref(one)}, ${sql.ref(other)}) in
      (select *
      from unnest(${created.map(({ localId }) => localId)}::uuid[],
        ${created.map(({ otherId }) => otherId)}::uuid[]))`,
  ));

const removeReactions = async (
  tx: Tx,
  [table, to]: readonly [string, string],
  created: CreatedEntry[],
): Promise<void> =>
  void (await run(
    tx,
    sql`delete from ${sql.table(table)} where (${sql.ref(to)}, person_id, emoji) in
      (select *
      from unnest(${created.map(({ localId }) => localId)}::uuid[],
        ${created.map(({ otherId }) => otherId)}::uuid[], ${created.map(({ part }) => part)}::text[]))`,
  ));

/**
 * Deletes parts of entities, such as versions. Each part is identified by the entity and a column of its
 * own.
 */
const removeParts = async (
  tx: Tx,
  [table, one, part, type]: readonly [string, string, string, "int" | "timestamptz"],
  created: CreatedEntry[],
) =>
  void (await run(
    tx,
    sql`delete from ${sql.table(table)} where (${sql.ref(one)}, ${sql.ref(part)}) in
      (select it.id, it.part::${sql.raw(type)}
      from unnest(${created.map(({ localId }) => localId)}::uuid[],
        ${created.map((it) => it.part)}::text[]) it (id, part))`,
  ));

/**
 * Deletes imported accounts, except those that were claimed and those that remaining rows still reference.
 */
async function removePeople(tx: Tx, ids: string[]) {
  const staying = ids.length > 0 ? await listReferencedPeople(tx, ids) : [];
  await run(
    tx,
    sql`delete from people where id = any(${ids}::uuid[]) and id <> all(${staying}::uuid[])
      and state in ('ghost', 'erased')`,
  );
}

/** Deletes posts and their placeholders in discussions from which they were moved. */
async function removePosts(tx: Tx, runId: string, ids: string[]) {
  const places = await many(
    tx,
    sql<{ discussion: string | null; resource: string | null }>`
      delete from posts where id = any(${ids}::uuid[]) or (state = 'moved' and moved_to = any(${ids}::uuid[]))
      returning discussion_id as discussion, resource_id as resource`,
  );
  const discussions = [...new Set(places.flatMap(({ discussion }) => discussion ?? []))];
  await repairDiscussions(tx, runId, discussions);
  await refreshPostCounts({ tx, check: false }, discussions);
  await refreshCommentCounts({ tx, check: false }, [
    ...new Set(places.flatMap(({ resource }) => resource ?? [])),
  ]);
}
