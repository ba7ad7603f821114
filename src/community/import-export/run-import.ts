import { basename, extname } from "node:path";
import { type Database, isUnavailable, many, run, sql, type Tx } from "#platform/database";
import type { Message } from "#platform/messages";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { Scanner } from "#platform/scanner";
import type { Storage } from "#platform/storage";
import { isSignedIn, type SignedIn, importRules, type Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { ADAPTERS, type Format } from "./adapters/index.ts";
import { unwrapTopFolder, openBundle } from "./archive/bundle.ts";
import { withExtraction } from "./archive/extracted.ts";
import type { ImportCounts } from "./import/import-batch.ts";
import { maxFileBytes } from "./import/fetch-file.ts";
import { loadArchive } from "./import/load-archive.ts";
import {
  createImportRun,
  withImportLock,
  clearProgress,
  type ImportRun,
  getImportRun,
  setRunState,
  findUnfinishedRun,
} from "./import/import-runs.ts";

export type ImportContext = { database: Database; storage: Storage; scanner?: Scanner | null };
export type ImportRequest = {
  format: Format;
  /** Path of the archive: a file, a folder or a zip. */
  path: string;
  /** Name of the archive's source; by default its file name. A record of one source is imported only once. */
  source?: string | undefined;
  /** Address of the site that the archive comes from. */
  site?: string | undefined;
  /** A check reads everything and writes only the report. */
  check: boolean;
  /** Null when the command line on the server runs the import. */
  by: SignedIn | null;
};
type OnProgress = (counts: ImportCounts, records: number) => void;

/**
 * Imports an archive, or checks what would be imported. An interrupted run is resumed. Sends no
 * notifications; one domain event reports completion.
 * @throws `not-allowed` for everyone but admins, `conflict` while another import runs, `invalid` for an
 * archive of another format
 */
export async function runImport(
  transfer: ImportContext,
  importRequest: ImportRequest,
  onProgress: OnProgress = () => {},
): Promise<ImportRun> {
  assertCanImport(importRequest.by);
  const { database } = transfer;
  const { format, path, site, check } = importRequest;
  const source = sourceName(importRequest);
  return withImportLock(database, async () => {
    const unfinished = check ? undefined : await findUnfinishedRun(database.db, format, source);
    const state = check ? "checking" : "running";
    const { id: byId } = importRequest.by ?? { id: null };
    const asked = {
      format,
      source,
      fileName: basename(path),
      options: { ...(site && { site }) },
      byId,
      path: null,
      state,
    } as const;
    const id = unfinished ?? (await database.inTransaction((tx) => createImportRun(tx, asked)));
    return executeImport(transfer, { id, format, path, site, check }, onProgress);
  });
}

/** Performs the next step of a run that was started from the admin page. */
export const continueImport = (
  transfer: ImportContext,
  id: string,
  onProgress: OnProgress = () => {},
): Promise<ImportRun> =>
  withImportLock(transfer.database, async () => {
    const { format, path, options, state, begunAt } = await getImportRun(transfer.database.db, id);
    if (!path || !["checking", "running", "broken"].includes(state))
      return getImportRun(transfer.database.db, id);
    return executeImport(
      transfer,
      { id, format, path, site: options.site, check: begunAt === null },
      onProgress,
    );
  });

export function assertCanImport(by: SignedIn | null): void {
  if (by && !importRules.bringIn(by)) throw new Refusal("not-allowed", "Only admins can import.");
}

/**
 * Returns the viewer if they are an admin.
 * @throws `not-found` for everyone else: the page does not exist for them
 */
export function requireImporter(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer) || !importRules.bringIn(viewer)) throw notFound();
  return viewer;
}

export const sourceName = ({ format, path, source }: Pick<ImportRequest, "format" | "path" | "source">) =>
  (source ?? `${format}:${basename(path, extname(path))}`).slice(0, 200);

type ImportTask = { id: string; format: Format; path: string; site: string | undefined; check: boolean };

async function executeImport(
  { database, storage, scanner }: ImportContext,
  importTask: ImportTask,
  onProgress: OnProgress,
): Promise<ImportRun> {
  await database.inTransaction(async (tx) => {
    await setRunState(tx, importTask.id, importTask.check ? "checking" : "running");
    await clearProgress(tx, importTask.id);
  });
  try {
    const bundle = withExtraction(await openBundle(importTask.path));
    try {
      const importRun = await getImportRun(database.db, importTask.id);
      const extractingBundle =
        importTask.format === "ndjson" ? { ...bundle, ...unwrapTopFolder(bundle) } : bundle;
      const most = maxFileBytes(await openSettings(database).get());
      const loading = {
        database,
        storage,
        bundle: extractingBundle,
        run: importRun,
        check: importTask.check,
        scans: Boolean(scanner),
        mostBytes: most,
        onProgress,
      };
      await loadArchive(
        loading,
        ADAPTERS[importTask.format](extractingBundle, { site: importTask.site, now: importRun.createdAt }),
      );
    } finally {
      bundle.close();
    }
  } catch (error) {
    await database.inTransaction((tx) => setRunState(tx, importTask.id, "broken", describeFailure(error)));
    throw error;
  }
  await database.inTransaction((tx) => finishRun(tx, importTask));
  if (!importTask.check) await analyzeTables(database);
  return getImportRun(database.db, importTask.id);
}

const describeFailure = (error: unknown): Message =>
  error instanceof Refusal
    ? error.descriptor
    : isUnavailable(error)
      ? "The database could not be reached."
      : "Something went wrong on the server. Its log has the details.";

async function finishRun(tx: Tx, { id, check }: ImportTask) {
  await setRunState(tx, id, check ? "checked" : "done");
  if (check) return;
  await countImported(tx, id);
  await emit(tx, { type: "transfer.finished", kind: "import", runId: id });
}

/** Counts the created entities of the whole run, including those created before an interruption. */
async function countImported(tx: Tx, id: string) {
  const made = await many(
    tx,
    sql<{
      kind: keyof ImportCounts;
      n: number;
    }>`select kind, count(*)::int as n from imported_records where run_id = ${id} and made group by kind`,
  );
  const { counts } = await getImportRun(tx, id);
  for (const { kind, n } of made) {
    const counted = (counts[kind] ??= {});
    const earlier = n - (counted.made ?? 0);
    Object.assign(counted, { made: n, known: Math.max(0, (counted.known ?? 0) - earlier) });
  }
  await run(tx, sql`update import_runs set counts = ${JSON.stringify(counts)}::jsonb where id = ${id}`);
}

/**
 * Updates planner statistics: empty tables now have thousands of rows, and the first pages should not be
 * slow.
 */
async function analyzeTables({ db }: Database) {
  for (const table of [
    "people",
    "memberships",
    "discussions",
    "posts",
    "messages",
    "resources",
    "imported_records",
    "address_redirects",
  ])
    await run(db, sql`analyze ${sql.table(table)}`);
}
