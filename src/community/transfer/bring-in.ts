import { basename, extname } from "node:path";
import { type Database, isUnavailable, many, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { Scanner } from "#platform/scanner";
import type { Storage } from "#platform/storage";
import { isSignedIn, type SignedIn, transferRules, type Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { ADAPTERS, type Format } from "./adapters/index.ts";
import { fromWithin, openBundle } from "./archive/bundle.ts";
import { withExtraction } from "./archive/extracted.ts";
import { clean } from "./archive/fields.ts";
import type { Counts } from "./loading/batch.ts";
import { mostBytes } from "./loading/bytes.ts";
import { load } from "./loading/load.ts";
import { addRun, alone, clearProgress, type ImportRun, runOf, setState, unfinishedOf } from "./loading/runs.ts";

export type Transfer = { database: Database; storage: Storage; scanner?: Scanner | null };
export type Wish = {
  format: Format;
  /** Where the archive lies: a file, a folder or a zip. */
  path: string;
  /** What the archive is called; by default its name. What has come from one source once does not come again. */
  source?: string | undefined;
  /** The address of the place that it came from. */
  site?: string | undefined;
  /** Looks at everything, writes nothing but the report. */
  check: boolean;
  /** Null for who runs the command on the machine itself. */
  by: SignedIn | null;
};
type OnProgress = (counts: Counts, records: number) => void;

/**
 * Brings an archive in, or looks at what would come. A run that broke off goes on. Throws `not-allowed` for all but
 * admins, `conflict` while another import is at work, `invalid` for what is no archive of that format. Nobody is
 * notified; one happening says that it is done.
 */
export async function bringIn(transfer: Transfer, wish: Wish, onProgress: OnProgress = () => {}): Promise<ImportRun> {
  assertAllowed(wish.by);
  const { database } = transfer;
  const { format, path, site, check } = wish;
  const source = sourceOf(wish);
  return alone(database, async () => {
    const unfinished = check ? undefined : await unfinishedOf(database.db, format, source);
    const state = check ? "checking" : "running";
    const { id: byId } = wish.by ?? { id: null };
    const asked = { format, source, fileName: basename(path), options: { ...(site && { site }) }, byId, path: null, state } as const;
    const id = unfinished ?? (await database.inTransaction((tx) => addRun(tx, asked)));
    return work(transfer, { id, format, path, site, check }, onProgress);
  });
}

/** Does what a run that was begun on the page is waiting for. */
export const continueRun = (transfer: Transfer, id: string, onProgress: OnProgress = () => {}): Promise<ImportRun> =>
  alone(transfer.database, async () => {
    const { format, path, options, state, begunAt } = await runOf(transfer.database.db, id);
    if (!path || !["checking", "running", "broken"].includes(state)) return runOf(transfer.database.db, id);
    return work(transfer, { id, format: format as Format, path, site: options.site, check: begunAt === null }, onProgress);
  });

export function assertAllowed(by: SignedIn | null): void {
  if (by && !transferRules.bringIn(by)) throw new Refusal("not-allowed", "Only admins bring a past in.");
}

/** The admin who asks. For everybody else there is no such page: throws `not-found`. */
export function bringer(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer) || !transferRules.bringIn(viewer)) throw notFound();
  return viewer;
}

export const sourceOf = ({ format, path, source }: Pick<Wish, "format" | "path" | "source">) =>
  (source ?? `${format}:${basename(path, extname(path))}`).slice(0, 200);

type Work = { id: string; format: Format; path: string; site: string | undefined; check: boolean };

async function work({ database, storage, scanner }: Transfer, it: Work, onProgress: OnProgress): Promise<ImportRun> {
  await database.inTransaction(async (tx) => {
    await setState(tx, it.id, it.check ? "checking" : "running");
    await clearProgress(tx, it.id);
  });
  try {
    const bundle = withExtraction(await openBundle(it.path));
    try {
      const run = await runOf(database.db, it.id);
      const read = it.format === "ndjson" ? { ...bundle, ...fromWithin(bundle) } : bundle;
      const most = mostBytes(await openSettings(database).get());
      const loading = { database, storage, bundle: read, run, check: it.check, scans: Boolean(scanner), mostBytes: most, onProgress };
      await load(loading, ADAPTERS[it.format](read, { site: it.site, now: run.createdAt }));
    } finally {
      bundle.close();
    }
  } catch (error) {
    await database.inTransaction((tx) => setState(tx, it.id, "broken", troubleOf(error)));
    throw error;
  }
  await database.inTransaction((tx) => finish(tx, it));
  if (!it.check) await tellPlanner(database);
  return runOf(database.db, it.id);
}

const troubleOf = (error: unknown) =>
  error instanceof Refusal
    ? clean(error.message)
    : isUnavailable(error)
      ? "The database could not be reached."
      : "Something broke on our side; the log says what.";

async function finish(tx: Tx, { id, check }: Work) {
  await setState(tx, id, check ? "checked" : "done");
  if (check) return;
  await countAll(tx, id);
  await announce(tx, { type: "transfer.finished", kind: "import", runId: id });
}

/** A run that went on after it had broken off has made what its earlier part has made too. */
async function countAll(tx: Tx, id: string) {
  const made = await many(
    tx,
    sql<{ kind: string; n: number }>`select kind, count(*)::int as n from imported where run_id = ${id} and made group by kind`,
  );
  const { counts } = await runOf(tx, id);
  for (const { kind, n } of made) {
    const counted = (counts[kind as keyof Counts] ??= {});
    const earlier = n - (counted.made ?? 0);
    Object.assign(counted, { made: n, known: Math.max(0, (counted.known ?? 0) - earlier) });
  }
  await run(tx, sql`update import_runs set counts = ${JSON.stringify(counts)}::jsonb where id = ${id}`);
}

/** Counted from nothing to thousands: the planner should know before the first page. */
async function tellPlanner({ db }: Database) {
  for (const table of ["people", "memberships", "discussions", "posts", "messages", "resources", "imported", "old_addresses"])
    await run(db, sql`analyze ${sql.table(table)}`);
}
