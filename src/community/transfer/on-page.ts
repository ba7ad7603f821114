import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "#platform/clock";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { isToCome, later } from "#platform/jobs";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { audit } from "#community/audit";
import { cursorOf, type Page, pageOf, readCursor } from "#community/common";
import type { Viewer } from "#community/rules";
import { FORMATS } from "./adapters/index.ts";
import { bringer } from "./bring-in.ts";
import type { Problem } from "./loading/batch.ts";
import { addRun, type ImportRun, problemsOf, runColumns, runOf, setState, somebodyAtWork } from "./loading/runs.ts";
import { sourceFor } from "./sources.ts";
import { assertTakable } from "./take-back.ts";

// Imports on the admin page: started and undone by jobs, and observable while they run.

/** Form fields besides the archive. */
export const NewImport = z.object({
  format: z.enum(FORMATS, "Choose what kind of archive it is."),
  site: z
    .string()
    .trim()
    .max(500, "That is too long for an address.")
    .refine((text) => text === "" || /^https?:\/\/[^/\s]+\/?$/.test(text), "Give an address such as https://forum.example.org.")
    .transform((text) => text.replace(/\/$/, "") || undefined)
    .optional(),
  /** `new` for a source not imported before, or the id of a run that imported from the same source. */
  source: z.union([z.literal(["", "new"]), z.uuid()], "Say whether something of the same place has come before.").optional(),
});

const SIZE = 20;

/**
 * Runs, latest first.
 * @throws `not-found` for all but admins
 */
export async function importsFor(db: Db, viewer: Viewer, query: { after?: string } = {}): Promise<Page<ImportRun>> {
  bringer(viewer);
  const after = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<ImportRun>`select ${runColumns} from import_runs
      ${after ? sql`where (created_at, id) < (${after[0]}, ${after[1]})` : sql``}
      order by created_at desc, id desc ${limit(SIZE + 1)}`,
  );
  return pageOf(rows, SIZE, (last) => cursorOf(last.createdAt, last.id));
}

type Looked = ImportRun & {
  remarks: Problem[];
  /** The process that ran it died: nothing works on it any more. */
  isLeft: boolean;
};

/**
 * One run with its first warnings.
 * @throws `not-found` for all but admins, and for an unknown run
 */
export async function importFor(db: Db, viewer: Viewer, id: string): Promise<Looked> {
  bringer(viewer);
  const seen = await runOf(db, id);
  const left = await isLeft(db, seen);
  // The run may have finished between the two queries.
  const found = left ? await runOf(db, id) : seen;
  return { ...found, remarks: await problemsOf(db, found.id, 100), isLeft: left && isAtWork(found) };
}

const jobKeys = (id: string) => ({ work: `import:${id}`, undoing: `import-undo:${id}` });

const isAtWork = ({ state }: ImportRun) => ["checking", "running", "undoing"].includes(state);

const isLeft = async (db: Db, it: ImportRun) =>
  isAtWork(it) && !(await isToCome(db, Object.values(jobKeys(it.id)))) && !(await somebodyAtWork(db));

type Begun = z.output<typeof NewImport> & { path: string; fileName: string };

/**
 * Queues a job that checks an archive and writes only the report.
 * @throws `not-found` for all but admins, `invalid` as `resolveSource`
 */
export async function beginImport(tx: Tx, viewer: Viewer, { format, site, path, fileName, ...said }: Begun): Promise<{ id: string }> {
  const me = bringer(viewer);
  const source = await sourceFor(tx, { format, fileName, source: said.source });
  const id = await addRun(tx, { format, source, fileName, path, options: { ...(site && { site }) }, byId: me.id, state: "checking" });
  await work(tx, id);
  return { id };
}

const work = (tx: Tx, id: string) => later(tx, { task: "import", payload: { runId: id }, key: jobKeys(id).work, mostAttempts: 3 });
const undo = (tx: Tx, id: string) => later(tx, { task: "import-undo", payload: { runId: id }, key: jobKeys(id).undoing, mostAttempts: 5 });

/**
 * Imports a checked archive, or resumes an interrupted or abandoned check, import or undo.
 * @throws `not-found`; `conflict` if there is nothing to do
 */
export async function goOn(tx: Tx, viewer: Viewer, runId: string): Promise<void> {
  const me = bringer(viewer);
  const it = await runOf(tx, runId);
  const left = await isLeft(tx, it);
  if (left && it.state === "undoing") return undo(tx, it.id);
  if (!it.path || !(left || ["checked", "broken"].includes(it.state)))
    throw new Refusal("conflict", "There is nothing to go on with here.");
  const comes = it.state === "checked" || it.begunAt !== null;
  await setState(tx, it.id, comes ? "running" : "checking");
  if (comes) await audit(tx, me, { act: "import.begun", kind: "import", id: it.id, details: { format: it.format } });
  await work(tx, it.id);
}

/**
 * Queues the undo of a run.
 * @throws `not-found`; `conflict` as `undoImport`: `evenWritings` also removes what was written since
 */
export async function askBack(tx: Tx, viewer: Viewer, input: { runId: string; evenWritings: boolean }): Promise<void> {
  const me = bringer(viewer);
  const it = await runOf(tx, input.runId);
  await assertTakable(tx, it, input.evenWritings);
  await setState(tx, it.id, "undoing");
  await audit(tx, me, { act: "import.undone", kind: "import", id: it.id });
  await undo(tx, it.id);
}

/** Folder of archives sent through the page. */
export const UPLOADS = "uploads";

/** Archives placed in the folder on the server, because they are too large to upload. */
export async function archivesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return all
    .filter((it) => (it.isFile() || it.isDirectory()) && it.name !== UPLOADS && !it.name.startsWith("."))
    .map((it) => it.name)
    .sort();
}

const KEPT = 7 * DAY;

/**
 * Deletes archives uploaded more than a week ago: they are imported or not wanted. Their runs keep the
 * report.
 */
export async function clearArchives(db: Db, folder: string, now: Date): Promise<void> {
  const uploads = join(folder, UPLOADS);
  for (const name of await readdir(uploads).catch(() => [])) {
    const path = join(uploads, name);
    const found = await stat(path).catch(() => null);
    if (!found || now.getTime() - found.mtimeMs < KEPT) continue;
    await rm(path, { recursive: true, force: true });
    await run(db, sql`update import_runs set path = null where starts_with(path, ${`${path}/`})`);
  }
}
