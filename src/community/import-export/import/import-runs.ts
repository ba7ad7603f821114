import { type Database, type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { type Message, toStoredMessage } from "#platform/messages";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import type { Format } from "../adapters/index.ts";
import type { ImportCounts, ImportProblem } from "./import-batch.ts";

export type ImportRunState =
  | "waiting"
  | "checking"
  | "checked"
  | "running"
  | "broken"
  | "done"
  | "undoing"
  | "undone";
export type ImportRun = {
  id: string;
  format: Format;
  source: string;
  fileName: string;
  path: string | null;
  options: { site?: string };
  state: ImportRunState;
  byId: string | null;
  counts: ImportCounts;
  problems: number;
  trouble: Message | null;
  createdAt: Date;
  changedAt: Date;
  /** Start of the import; null if the run has only checked the archive. */
  begunAt: Date | null;
  finishedAt: Date | null;
};

export const importRunColumns = sql`id, format, source, file_name as "fileName", path, options, state,
  by_id as "byId", counts, problems_count as problems,
  trouble, created_at as "createdAt", changed_at as "changedAt", started_at as "begunAt",
  finished_at as "finishedAt"`;

export async function getImportRun(db: Db, id: string): Promise<ImportRun> {
  const found = isId(id)
    ? await maybeOne(db, sql<ImportRun>`select ${importRunColumns} from import_runs where id = ${id}`)
    : undefined;
  if (!found) throw notFound();
  return found;
}

export type NewImportRun = Pick<ImportRun, "format" | "source" | "fileName" | "options" | "byId"> & {
  path?: string | null;
  state: ImportRunState;
};

export async function createImportRun(tx: Tx, it: NewImportRun): Promise<string> {
  const id = tx.newId();
  await run(
    tx,
    sql`insert into import_runs (id, format, source, file_name, path, options, state, by_id, created_at,
      changed_at, started_at)
        values (${id}, ${it.format}, ${it.source}, ${it.fileName}, ${it.path ?? null},
          ${JSON.stringify(it.options)}, ${it.state}, ${it.byId}, ${tx.now}, ${tx.now},
          ${it.state === "running" ? tx.now : null})`,
  );
  return id;
}

/**
 * Id of the latest run of this source if it was interrupted. Resuming it allows one undo to cover
 * everything.
 */
export const findUnfinishedRun = async (
  db: Db,
  format: string,
  source: string,
): Promise<string | undefined> =>
  (
    await maybeOne(
      db,
      sql<{ id: string }>`
      select id from (select id, state from import_runs
        where format = ${format} and source = ${source} and started_at is not null
        order by created_at desc, id desc limit 1) latest
      where state in ('running', 'broken')`,
    )
  )?.id;

export const setRunState = (tx: Tx, id: string, state: ImportRunState, trouble: Message | null = null) =>
  run(
    tx,
    sql`update import_runs set state = ${state}, trouble = ${trouble && toStoredMessage(trouble)},
          changed_at = ${tx.now},
          started_at = case when ${state} = 'running' then coalesce(started_at, ${tx.now}) else started_at
            end,
          finished_at = case when ${state} in ('checked', 'broken', 'done',
            'undone') then ${tx.now}::timestamptz when ${state} = 'undoing' then finished_at end
        where id = ${id}`,
  );

/** Maximum problems stored in full; further ones are only counted. */
const MAX_PROBLEMS = 5_000;

export async function saveProgress(
  tx: Tx,
  id: string,
  counts: ImportCounts,
  problems: ImportProblem[],
  before: number,
): Promise<void> {
  const kept = problems.slice(0, Math.max(0, MAX_PROBLEMS - before));
  if (kept.length > 0)
    await run(
      tx,
      sql`insert into import_problems (run_id, position, place, kind, source_id, what)
          select ${id}, ${before} + row_number() over (), place, kind, "sourceId", what
          from json_to_recordset(${JSON.stringify(kept)}::json) as p (place text, kind text, "sourceId" text,
            what text)`,
    );
  await run(
    tx,
    sql`update import_runs set counts = ${JSON.stringify(counts)}::jsonb,
      problems_count = ${before + problems.length}, changed_at = ${tx.now} where id = ${id}`,
  );
}

/** Starts over: counts and problems are determined anew. */
export async function clearProgress(tx: Tx, id: string): Promise<void> {
  await run(tx, sql`delete from import_problems where run_id = ${id}`);
  await run(tx, sql`update import_runs set counts = '{}', problems_count = 0 where id = ${id}`);
}

export const listProblems = (db: Db, id: string, most = MAX_PROBLEMS): Promise<ImportProblem[]> =>
  many(
    db,
    sql<ImportProblem>`select place, kind, source_id as "sourceId", what from import_problems where run_id = ${id}
      order by position ${limit(most)}`,
  );

/** An arbitrary advisory lock number that nothing else uses. */
const IMPORT_LOCK = 5_930_114_207;

/** Whether any process is importing or undoing right now. */
export const isImportRunning = async (db: Db): Promise<boolean> =>
  (
    await one(
      db,
      sql<{ held: boolean }>`select exists (
        select from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())
          and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${IMPORT_LOCK}::bigint) as held`,
    )
  ).held;

/**
 * Runs `work` while no other process imports or undoes.
 * @throws `conflict` if one does
 */
export async function withImportLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      IMPORT_LOCK,
    ]);
    if (!rows[0]?.mine)
      throw new Refusal("conflict", "Another import is running. Wait until it has finished.");
    try {
      return await work();
    } finally {
      await client
        .query("select pg_advisory_unlock($1)", [IMPORT_LOCK])
        .catch((error: Error) => (broken = error));
    }
  } finally {
    client.release(broken);
  }
}
