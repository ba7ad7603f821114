import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY } from "#platform/clock";
import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { isJobQueued, enqueueJob } from "#platform/jobs";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { writeAudit } from "#community/audit";
import { encodeCursor, type Page, toPage, readCursor } from "#community/common";
import type { Viewer } from "#community/rules";
import { FORMATS } from "./adapters/index.ts";
import { requireImporter } from "./run-import.ts";
import type { ImportProblem } from "./import/import-batch.ts";
import {
  createImportRun,
  type ImportRun,
  listProblems,
  importRunColumns,
  getImportRun,
  setRunState,
  isImportRunning,
} from "./import/import-runs.ts";
import { resolveSource } from "./import-sources.ts";
import { assertCanUndo } from "./undo-import.ts";

// Imports on the admin page. Jobs start and undo them; the page shows their progress.

/** Form fields, without the archive itself. */
export const NewImport = z.object({
  format: z.enum(FORMATS, "Choose the kind of archive."),
  site: z
    .string()
    .trim()
    .max(500, "That address is too long.")
    .refine(
      (text) => text === "" || /^https?:\/\/[^/\s]+\/?$/.test(text),
      "Give an address such as https://forum.example.org.",
    )
    .transform((text) => text.replace(/\/$/, "") || undefined)
    .optional(),
  /** `new` for a source not imported before, or the id of a run that imported from the same source. */
  source: z
    .union([z.literal(["", "new"]), z.uuid()], "Choose whether you have imported from this source before.")
    .optional(),
});

const PAGE_SIZE = 20;

/**
 * Runs, latest first.
 * @throws `not-found` for all but admins
 */
export async function listImports(
  db: Db,
  viewer: Viewer,
  query: { after?: string } = {},
): Promise<Page<ImportRun>> {
  requireImporter(viewer);
  const after = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<ImportRun>`select ${importRunColumns} from import_runs
      ${after ? sql`where (created_at, id) < (${after[0]}, ${after[1]})` : sql``}
      order by created_at desc, id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.id));
}

type ImportDetails = ImportRun & {
  remarks: ImportProblem[];
  /** The process that ran the import died, and no other process has resumed it. */
  isLeft: boolean;
};

/**
 * One run with its first warnings.
 * @throws `not-found` for all but admins, and for an unknown run
 */
export async function getImport(db: Db, viewer: Viewer, id: string): Promise<ImportDetails> {
  requireImporter(viewer);
  const seen = await getImportRun(db, id);
  const left = await isAbandoned(db, seen);
  // The run may have finished between the two queries.
  const found = left ? await getImportRun(db, id) : seen;
  return { ...found, remarks: await listProblems(db, found.id, 100), isLeft: left && isInProgress(found) };
}

const importJobKeys = (id: string) => ({ work: `import:${id}`, undoing: `import-undo:${id}` });

const isInProgress = ({ state }: ImportRun) => ["checking", "running", "undoing"].includes(state);

const isAbandoned = async (db: Db, importRun: ImportRun) =>
  isInProgress(importRun) &&
  !(await isJobQueued(db, Object.values(importJobKeys(importRun.id)))) &&
  !(await isImportRunning(db));

type UploadedImport = z.output<typeof NewImport> & { path: string; fileName: string };

/**
 * Queues a job that checks an archive and writes only the report.
 * @throws `not-found` for all but admins, `invalid` as `resolveSource`
 */
export async function startImport(
  tx: Tx,
  viewer: Viewer,
  { format, site, path, fileName, ...options }: UploadedImport,
): Promise<{ id: string }> {
  const me = requireImporter(viewer);
  const source = await resolveSource(tx, { format, fileName, source: options.source });
  const id = await createImportRun(tx, {
    format,
    source,
    fileName,
    path,
    options: { ...(site && { site }) },
    byId: me.id,
    state: "checking",
  });
  await enqueueImport(tx, id);
  return { id };
}

const enqueueImport = (tx: Tx, id: string) =>
  enqueueJob(tx, { task: "import", payload: { runId: id }, key: importJobKeys(id).work, mostAttempts: 3 });
const enqueueUndo = (tx: Tx, id: string) =>
  enqueueJob(tx, {
    task: "import-undo",
    payload: { runId: id },
    key: importJobKeys(id).undoing,
    mostAttempts: 5,
  });

/**
 * Imports a checked archive, or resumes an interrupted or abandoned check, import or undo.
 * @throws `not-found`; `conflict` if there is nothing to do
 */
export async function resumeImport(tx: Tx, viewer: Viewer, runId: string): Promise<void> {
  const me = requireImporter(viewer);
  const it = await getImportRun(tx, runId);
  const left = await isAbandoned(tx, it);
  if (left && it.state === "undoing") return enqueueUndo(tx, it.id);
  if (!it.path || !(left || ["checked", "broken"].includes(it.state)))
    throw new Refusal("conflict", "This import cannot be continued.");
  const comes = it.state === "checked" || it.begunAt !== null;
  await setRunState(tx, it.id, comes ? "running" : "checking");
  if (comes)
    await writeAudit(tx, me, {
      act: "import.begun",
      kind: "import",
      id: it.id,
      details: { format: it.format },
    });
  await enqueueImport(tx, it.id);
}

/**
 * Queues the undo of a run. `includeNewContent` also removes content written since.
 * @throws `not-found`; `conflict` as `undoImport`
 */
export async function requestUndo(
  tx: Tx,
  viewer: Viewer,
  input: { runId: string; includeNewContent: boolean },
): Promise<void> {
  const me = requireImporter(viewer);
  const it = await getImportRun(tx, input.runId);
  await assertCanUndo(tx, it, input.includeNewContent);
  await setRunState(tx, it.id, "undoing");
  await writeAudit(tx, me, { act: "import.undone", kind: "import", id: it.id });
  await enqueueUndo(tx, it.id);
}

/** Folder of archives sent through the page. */
export const UPLOADS_FOLDER = "uploads";

/** Archives placed in the folder on the server, because they are too large to upload. */
export async function listServerArchives(folder: string): Promise<string[]> {
  const all = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return all
    .filter(
      (it) => (it.isFile() || it.isDirectory()) && it.name !== UPLOADS_FOLDER && !it.name.startsWith("."),
    )
    .map((it) => it.name)
    .sort();
}

const ARCHIVE_RETENTION = 7 * DAY;

/**
 * Deletes archives uploaded more than a week ago: they are imported or not wanted. Their runs keep the
 * report.
 */
export async function deleteOldArchives(db: Db, folder: string, now: Date): Promise<void> {
  const uploads = join(folder, UPLOADS_FOLDER);
  for (const name of await readdir(uploads).catch(() => [])) {
    const path = join(uploads, name);
    const found = await stat(path).catch(() => null);
    if (!found || now.getTime() - found.mtimeMs < ARCHIVE_RETENTION) continue;
    await rm(path, { recursive: true, force: true });
    await run(db, sql`update import_runs set path = null where starts_with(path, ${`${path}/`})`);
  }
}
