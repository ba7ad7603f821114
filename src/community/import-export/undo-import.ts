import { type Db, limit, many, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { deleteUnusedBytes } from "#community/uploads";
import type { RecordKind } from "./archive/records.ts";
import { assertCanImport, type ImportContext } from "./run-import.ts";
import { repairDiscussions, listStillReferenced } from "./undo-repairs.ts";
import { refreshCommentCounts } from "./import/import-posts.ts";
import { refreshMemberCounts } from "./import/import-groups.ts";
import { refreshPostCounts } from "./import/import-discussions.ts";
import { refreshBookmarkCounts } from "./import/import-activity.ts";
import { withImportLock, type ImportRun, getImportRun, setRunState } from "./import/import-runs.ts";

type CreatedEntry = { sourceId: string; localId: string; otherId: string | null; part: string; made: boolean };
/** Rows in one transaction; fewer where the database takes too long over them. */
const [SHARE, LEAST_SHARE] = [500, 10];

/**
 * Undoes everything a run created. Older content stays, and so does what another run names (it belongs to
 * that run then) and community settings changed since. Can be interrupted and resumed.
 * @throws `not-found`, `not-allowed`; `conflict` if a later run of the archive builds on it, or if members
 * have written there since, unless `evenWritings`
 */
export async function undoImport(
  { database, storage }: ImportContext,
  wish: { runId: string; by: SignedIn | null; evenWritings: boolean },
  onProgress: (left: number) => void = () => {},
): Promise<ImportRun> {
  assertCanImport(wish.by);
  return withImportLock(database, async () => {
    const it = await getImportRun(database.db, wish.runId);
    if (it.state !== "undoing") await assertCanUndo(database.db, it, wish.evenWritings);
    await database.inTransaction((tx) => setRunState(tx, it.id, "undoing"));
    const hashes = new Set<string>();
    let share = SHARE;
    const next = async (kind: RecordKind): Promise<number> => {
      try {
        return await database.inTransaction((tx) => undoBatch(tx, { runId: it.id, kind, share }, hashes));
      } catch (error) {
        if (!isTimeout(error) || share <= LEAST_SHARE) throw error;
        share = Math.max(LEAST_SHARE, share >> 2);
        return next(kind);
      }
    };
    for (const kind of UNDO_ORDER) while ((await next(kind)) > 0) onProgress(await countRemaining(database.db, it.id));
    await database.inTransaction(async (tx) => {
      await reassignOldPaths(tx, it.id);
      await setRunState(tx, it.id, "undone");
      await emit(tx, { type: "transfer.undone", runId: it.id });
    });
    for (const hash of hashes) await deleteUnusedBytes({ database, storage }, hash);
    return getImportRun(database.db, it.id);
  });
}

/** Old paths of what stays go to the run it stays with. */
async function reassignOldPaths(tx: Tx, runId: string): Promise<void> {
  await run(
    tx,
    sql`update address_redirects a set run_id = o.run_id from imported_records o where a.run_id = ${runId} and o.local_id = a.thing_id and o.kind = a.kind`,
  );
  await run(tx, sql`delete from address_redirects where run_id = ${runId}`);
}

const countRemaining = async (db: Db, id: string) =>
  (await one(db, sql<{ n: number }>`select count(*)::int as n from imported_records where run_id = ${id}`)).n;

/** @throws `conflict` if there is nothing to undo, or members' content would be deleted with it */
export async function assertCanUndo(db: Db, it: ImportRun, evenWritings: boolean): Promise<void> {
  if (!it.begunAt || !["running", "broken", "done"].includes(it.state))
    throw new Refusal("conflict", "There is nothing to take back from that run.");
  const later = await many(
    db,
    // A later run that has brought nothing builds on nothing.
    sql`select from import_runs r where source = ${it.source} and created_at > ${it.createdAt} and started_at is not null and state <> 'undone'
          and exists (select from imported_records i where i.run_id = r.id) limit 1`,
  );
  if (later.length > 0) throw new Refusal("conflict", "A later run of the same archive builds on this one. Take that back first.");
  const { n } = await one(db, countLaterContent(it.id));
  if (n > 0 && !evenWritings)
    throw new Refusal(
      "conflict",
      `Members have written ${n} times in what came with this run. Taking it back removes that too: say so, if it is meant.`,
    );
}

/**
 * Counts what members have written in discussions, conversations, collections and resources that would be
 * deleted.
 */
const countLaterContent = (id: string) => sql<{ n: number }>`
  with goes as (
    select kind, local_id as id from imported_records i where run_id = ${id} and made
      and not exists (select from imported_records o where o.local_id = i.local_id and o.kind = i.kind and o.run_id <> ${id})),
  written as (
    select p.id from goes join posts p on p.discussion_id = goes.id where goes.kind = 'discussion'
    union all select p.id from goes join posts p on p.resource_id = goes.id where goes.kind = 'resource'
    union all select d.id from goes join discussions d on d.group_id = goes.id where goes.kind = 'group'
    union all select r.id from goes join resources r on r.group_id = goes.id where goes.kind = 'group'
    union all select k.id from goes join collections k on k.group_id = goes.id where goes.kind = 'group'
    union all select m.id from goes join messages m on m.conversation_id = goes.id where goes.kind = 'conversation')
  select (select count(*) from written w where not exists (select from imported_records o where o.local_id = w.id))::int
    + (select count(*) from goes join resource_versions v on v.resource_id = goes.id join people p on p.id = v.by_id and p.state not in ('ghost', 'erased')
      where goes.kind = 'resource' and not exists
        (select from imported_records o where o.kind = 'version' and o.local_id = v.resource_id and o.part = v.version::text))::int as n`;

/** Dependents first. */
const UNDO_ORDER: RecordKind[] = [
  "setting",
  "bookmark",
  "follow",
  "start",
  "line",
  "use",
  "collection",
  "reading",
  "vote",
  "revision",
  "reaction",
  "message-reaction",
  "message",
  "conversation",
  "post",
  "discussion",
  "version",
  "resource",
  "block",
  "mute",
  "friendship",
  "membership",
  "file",
  "group",
  "user",
];

/** The database gave up on a statement. */
const isTimeout = (error: unknown) => error instanceof Error && "code" in error && error.code === "57014";

type Share = { runId: string; kind: RecordKind; share: number };

async function undoBatch(tx: Tx, { runId, kind, share }: Share, hashes: Set<string>): Promise<number> {
  const taken = await many(
    tx,
    sql<CreatedEntry>`
      delete from imported_records where (source, kind, source_id) in
        (select source, kind, source_id from imported_records where run_id = ${runId} and kind = ${kind} order by source_id desc ${limit(share)})
      returning source_id as "sourceId", local_id as "localId", other_id as "otherId", part, made`,
  );
  const changed = kind === "setting" ? await listChangedSettings(tx, runId) : new Set<string>();
  const made = taken.filter((it) => it.made && !changed.has(it.part));
  const held = await listSharedEntries(tx, kind, made);
  await removeEntries(
    tx,
    runId,
    kind,
    made.filter((it) => !held.has(formatEntryKey(kind, it))),
    hashes,
  );
  return taken.length;
}

/** Settings of the run that were changed since: they belong to the community now, and to no other run. */
async function listChangedSettings(tx: Tx, runId: string): Promise<Set<string>> {
  const rows = await many(
    tx,
    sql<{ key: string }>`
      select s.key from settings s join import_runs r on r.id = ${runId}
      where s.changed_by is distinct from r.by_id or s.changed_at > coalesce(r.finished_at, 'infinity')`,
  );
  return new Set(rows.map(({ key }) => key));
}

type EntryKey = Pick<CreatedEntry, "localId" | "otherId" | "part">;
const formatEntryKey = (kind: RecordKind, { localId, otherId, part }: EntryKey) =>
  kind === "setting" ? part : `${localId} ${otherId} ${part}`;

/** Entries that another run names too. They count as created by that run, whose undo deletes them. */
async function listSharedEntries(tx: Tx, kind: RecordKind, made: CreatedEntry[]): Promise<Set<string>> {
  if (made.length === 0) return new Set();
  // A setting has no id: it is identified by its run.
  const same = kind === "setting" ? sql`true` : sql`o.local_id = t.local_id and o.other_id is not distinct from t.other_id`;
  const held = await many(
    tx,
    sql<EntryKey>`
      update imported_records o set made = true
      from unnest(${made.map((it) => it.localId)}::uuid[], ${made.map((it) => it.otherId)}::uuid[], ${made.map((it) => it.part)}::text[])
        t (local_id, other_id, part)
      where o.kind = ${kind} and o.part = t.part and ${same}
      returning o.local_id as "localId", o.other_id as "otherId", o.part`,
  );
  return new Set(held.map((it) => formatEntryKey(kind, it)));
}

const TABLES = {
  message: "messages",
  conversation: "conversations",
  collection: "collections",
  group: "groups",
  resource: "resources",
  discussion: "discussions",
  line: "discussion_entries",
} as const;
const RELATIONSHIP_TABLES = {
  use: ["resource_uses", "resource_id", "post_id"],
  reading: ["read_positions", "discussion_id", "person_id"],
  friendship: ["friendships", "low_id", "high_id"],
  block: ["blocks", "blocker_id", "blocked_id"],
  mute: ["mutes", "muter_id", "muted_id"],
  follow: ["resource_follows", "resource_id", "person_id"],
} as const;

async function removeEntries(tx: Tx, runId: string, kind: RecordKind, taken: CreatedEntry[], hashes: Set<string>): Promise<void> {
  const ids = taken.map(({ localId }) => localId);
  switch (kind) {
    case "message":
    case "conversation":
    case "collection":
    case "group":
    case "resource":
    case "discussion":
    case "line":
      return void (await run(tx, sql`delete from ${sql.table(TABLES[kind])} where id = any(${ids}::uuid[])`));
    case "use":
    case "reading":
    case "friendship":
    case "block":
    case "mute":
    case "follow":
      return removeRelationships(tx, RELATIONSHIP_TABLES[kind], taken);
    case "start":
      for (const other of ["discussion_id", "resource_id"]) await removeRelationships(tx, ["group_start_items", "group_id", other], taken);
      return;
    case "bookmark":
      await removeRelationships(tx, ["bookmarks", "person_id", "post_id"], taken);
      await removeRelationships(tx, ["resource_bookmarks", "person_id", "resource_id"], taken);
      return refreshBookmarkCounts(
        { tx, check: false },
        taken.flatMap(({ otherId }) => otherId ?? []),
      );
    case "membership":
      await removeRelationships(tx, ["memberships", "group_id", "person_id"], taken);
      return refreshMemberCounts({ tx, check: false }, ids);
    case "post":
      return removePosts(tx, runId, ids);
    case "reaction":
      return removeReactions(tx, ["reactions", "post_id"], taken);
    case "message-reaction":
      return removeReactions(tx, ["message_reactions", "message_id"], taken);
    case "vote":
      return void (await run(
        tx,
        sql`delete from poll_votes where (post_id, person_id, position) in
          (select * from unnest(${ids}::uuid[], ${taken.map(({ otherId }) => otherId)}::uuid[], ${taken.map(({ part }) => Number(part))}::int[]))`,
      ));
    case "revision":
      return removeParts(tx, ["post_revisions", "post_id", "replaced_at", "timestamptz"], taken);
    case "version":
      return removeParts(tx, ["resource_versions", "resource_id", "version", "int"], taken);
    case "file":
      for (const { hash } of await many(tx, sql<{ hash: string }>`delete from uploads where id = any(${ids}::uuid[]) returning hash`))
        hashes.add(hash);
      return;
    case "user":
      return removePeople(tx, ids);
    case "setting":
      return void (await run(tx, sql`delete from settings where key = any(${taken.map(({ part }) => part)})`));
  }
}

const removeRelationships = async (tx: Tx, [table, one, other]: readonly [string, string, string], taken: CreatedEntry[]): Promise<void> =>
  void (await run(
    tx,
    sql`delete from ${sql.table(table)} where (${sql.ref(one)}, ${sql.ref(other)}) in
      (select * from unnest(${taken.map(({ localId }) => localId)}::uuid[], ${taken.map(({ otherId }) => otherId)}::uuid[]))`,
  ));

const removeReactions = async (tx: Tx, [table, to]: readonly [string, string], taken: CreatedEntry[]): Promise<void> =>
  void (await run(
    tx,
    sql`delete from ${sql.table(table)} where (${sql.ref(to)}, person_id, emoji) in
      (select * from unnest(${taken.map(({ localId }) => localId)}::uuid[], ${taken.map(({ otherId }) => otherId)}::uuid[], ${taken.map(({ part }) => part)}::text[]))`,
  ));

/** Parts of an entity, each identified by a column of its own. */
const removeParts = async (
  tx: Tx,
  [table, one, part, type]: readonly [string, string, string, "int" | "timestamptz"],
  taken: CreatedEntry[],
) =>
  void (await run(
    tx,
    sql`delete from ${sql.table(table)} where (${sql.ref(one)}, ${sql.ref(part)}) in
      (select it.id, it.part::${sql.raw(type)} from unnest(${taken.map(({ localId }) => localId)}::uuid[], ${taken.map((it) => it.part)}::text[]) it (id, part))`,
  ));

/**
 * People who have claimed their imported account stay, and so do those still referenced by remaining rows.
 */
async function removePeople(tx: Tx, ids: string[]) {
  const staying = ids.length > 0 ? await listStillReferenced(tx, ids) : [];
  await run(tx, sql`delete from people where id = any(${ids}::uuid[]) and id <> all(${staying}::uuid[]) and state in ('ghost', 'erased')`);
}

/** Includes the placeholders left where posts were split off. */
async function removePosts(tx: Tx, runId: string, ids: string[]) {
  const places = await many(
    tx,
    sql<{ discussion: string | null; resource: string | null }>`
      delete from posts where id = any(${ids}::uuid[]) or (state = 'moved' and moved_to = any(${ids}::uuid[])) returning discussion_id as discussion, resource_id as resource`,
  );
  const discussions = [...new Set(places.flatMap(({ discussion }) => discussion ?? []))];
  await repairDiscussions(tx, runId, discussions);
  await refreshPostCounts({ tx, check: false }, discussions);
  await refreshCommentCounts({ tx, check: false }, [...new Set(places.flatMap(({ resource }) => resource ?? []))]);
}
