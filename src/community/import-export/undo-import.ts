import { type Db, limit, many, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { deleteUnusedBytes } from "#community/uploads";
import type { RecordKind } from "./archive/records.ts";
import { type CreatedEntry, removeEntries } from "./remove-imported-entries.ts";
import { assertCanImport, type ImportContext } from "./run-import.ts";
import { withImportLock, type ImportRun, getImportRun, setRunState } from "./import/import-runs.ts";

/** Number of rows per transaction at first; a timeout reduces it. */
const SHARE = 500;
/** Minimum number of rows per transaction: a timeout does not reduce it further. */
const LEAST_SHARE = 10;

/**
 * Undoes everything a run created. Content that existed before remains, and so do community settings changed
 * since. Content that another run also contains is reassigned to that run. Can be interrupted and resumed.
 * @throws `not-found`, `not-allowed`; `conflict` if a later run of the archive builds on it, or if members
 * have written there since, unless `includeNewContent`
 */
export async function undoImport(
  { database, storage }: ImportContext,
  options: { runId: string; by: SignedIn | null; includeNewContent: boolean },
  onProgress: (left: number) => void = () => {},
): Promise<ImportRun> {
  assertCanImport(options.by);
  return withImportLock(database, async () => {
    const it = await getImportRun(database.db, options.runId);
    if (it.state !== "undoing") await assertCanUndo(database.db, it, options.includeNewContent);
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
    for (const kind of UNDO_ORDER)
      while ((await next(kind)) > 0) onProgress(await countRemaining(database.db, it.id));
    await database.inTransaction(async (tx) => {
      await reassignOldPaths(tx, it.id);
      await setRunState(tx, it.id, "undone");
      await emit(tx, { type: "transfer.undone", runId: it.id });
    });
    for (const hash of hashes) await deleteUnusedBytes({ database, storage }, hash);
    return getImportRun(database.db, it.id);
  });
}

/** Assigns old paths of remaining content to the run that now owns the content. */
async function reassignOldPaths(tx: Tx, runId: string): Promise<void> {
  await run(
    tx,
    sql`update address_redirects a set run_id = o.run_id from imported_records o
      where a.run_id = ${runId} and o.local_id = a.thing_id and o.kind = a.kind`,
  );
  await run(tx, sql`delete from address_redirects where run_id = ${runId}`);
}

const countRemaining = async (db: Db, id: string) =>
  (await one(db, sql<{ n: number }>`select count(*)::int as n from imported_records where run_id = ${id}`)).n;

/** @throws `conflict` if there is nothing to undo, or members' content would be deleted with it */
export async function assertCanUndo(db: Db, importRun: ImportRun, includeNewContent: boolean): Promise<void> {
  if (!importRun.begunAt || !["running", "broken", "done"].includes(importRun.state))
    throw new Refusal("conflict", "This import has nothing to undo.");
  const later = await many(
    db,
    // A later run without imported records does not prevent the undo.
    sql`select from import_runs r where source = ${importRun.source} and created_at > ${importRun.createdAt}
      and started_at is not null and state <> 'undone'
          and exists (select from imported_records i where i.run_id = r.id) limit 1`,
  );
  if (later.length > 0)
    throw new Refusal(
      "conflict",
      "A later import of the same archive builds on this one. Undo that one first.",
    );
  const { n } = await one(db, countLaterContent(importRun.id));
  if (n > 0 && !includeNewContent)
    throw new Refusal(
      "conflict",
      msg(
        "Members have made {n, plural, one {# addition} other {# additions}} to imported content. " +
          "Undoing the import deletes what they added too. Confirm to continue.",
        { n },
      ),
    );
}

/**
 * Counts what members have written in discussions, conversations, collections and resources that would be
 * deleted, and their answers to such events and date polls.
 */
const countLaterContent = (id: string) => sql<{ n: number }>`
  with goes as (
    select kind, local_id as id from imported_records i where run_id = ${id} and made
      and not exists (select from imported_records o
        where o.local_id = i.local_id and o.kind = i.kind and o.run_id <> ${id})),
  written as (
    select p.id from goes join posts p on p.discussion_id = goes.id where goes.kind = 'discussion'
    union all select p.id from goes join posts p on p.resource_id = goes.id where goes.kind = 'resource'
    union all select d.id from goes join discussions d on d.group_id = goes.id where goes.kind = 'group'
    union all select r.id from goes join resources r on r.group_id = goes.id where goes.kind = 'group'
    union all select k.id from goes join collections k on k.group_id = goes.id where goes.kind = 'group'
    union all select e.id from goes join calendar_events e on e.group_id = goes.id where goes.kind = 'group'
    union all select y.id from goes join date_polls y on y.group_id = goes.id where goes.kind = 'group'
    union all select m.id from goes join messages m on m.conversation_id = goes.id
    where goes.kind = 'conversation')
  select (select count(*) from written w
    where not exists (select from imported_records o where o.local_id = w.id))::int
    + (select count(*) from goes join resource_versions v on v.resource_id = goes.id
      join people p on p.id = v.by_id and p.state not in ('ghost', 'erased')
      where goes.kind = 'resource' and not exists
        (select from imported_records o
          where o.kind = 'version' and o.local_id = v.resource_id and o.part = v.version::text))::int
    + (select count(*) from goes join calendar_occurrences c on c.event_id = goes.id
      join attendances a on a.occurrence_id = c.id
      where goes.kind = 'event' and not exists
        (select from imported_records o
          where o.kind = 'attendance' and o.local_id = c.id and o.other_id = a.person_id))::int
    + (select count(*) from goes join date_poll_times t on t.poll_id = goes.id
      join date_poll_answers a on a.time_id = t.id
      where goes.kind = 'date-poll' and not exists
        (select from imported_records o
          where o.kind = 'date-poll-answer' and o.local_id = t.id and o.other_id = a.person_id))::int as n`;

/** Kinds in the order of deletion: each before those it depends on. */
const UNDO_ORDER: RecordKind[] = [
  "setting",
  "bookmark",
  "follow",
  "start",
  "line",
  "use",
  "collection",
  "date-poll-answer",
  "date-poll",
  "attendance",
  "event",
  "event-series",
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

/** Whether the database cancelled a statement because of its timeout. */
const isTimeout = (error: unknown) => error instanceof Error && "code" in error && error.code === "57014";

type Share = { runId: string; kind: RecordKind; share: number };

async function undoBatch(tx: Tx, { runId, kind, share }: Share, hashes: Set<string>): Promise<number> {
  const created = await many(
    tx,
    sql<CreatedEntry>`
      delete from imported_records where (source, kind, source_id) in
        (select source, kind, source_id from imported_records where run_id = ${runId} and kind = ${kind}
        order by source_id desc ${limit(share)})
      returning source_id as "sourceId", local_id as "localId", other_id as "otherId", part, made`,
  );
  const changed = kind === "setting" ? await listChangedSettings(tx, runId) : new Set<string>();
  const made = created.filter((it) => it.made && !changed.has(it.part));
  const sharedEntries = await listSharedEntries(tx, kind, made);
  await removeEntries(
    tx,
    runId,
    kind,
    made.filter((it) => !sharedEntries.has(formatEntryKey(kind, it))),
    hashes,
  );
  return created.length;
}

/** Settings of the run that were changed since. The undo keeps them: they belong to the community now. */
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

/**
 * Entries that another run also contains. They are reassigned to that run and deleted only by the undo of
 * that run.
 */
async function listSharedEntries(tx: Tx, kind: RecordKind, created: CreatedEntry[]): Promise<Set<string>> {
  if (created.length === 0) return new Set();
  // A setting has no id: it is identified by its run.
  const same =
    kind === "setting"
      ? sql`true`
      : sql`o.local_id = t.local_id and o.other_id is not distinct from t.other_id`;
  const keys = await many(
    tx,
    sql<EntryKey>`
      update imported_records o set made = true
      from unnest(${created.map((it) => it.localId)}::uuid[], ${created.map((it) => it.otherId)}::uuid[],
        ${created.map((it) => it.part)}::text[])
        t (local_id, other_id, part)
      where o.kind = ${kind} and o.part = t.part and ${same}
      returning o.local_id as "localId", o.other_id as "otherId", o.part`,
  );
  return new Set(keys.map((it) => formatEntryKey(kind, it)));
}
