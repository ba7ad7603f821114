import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publishToAll } from "#platform/bus";
import { EnvironmentError } from "#platform/environment";
import { isOneOf } from "#platform/objects";
import { Refusal } from "#platform/refusal";
import {
  findAdmin,
  runImport,
  describeCounts,
  FORMATS,
  type ImportRun,
  NewImport,
  createImportReport,
  undoImport,
} from "#community/import-export";
import type { WebContext } from "#web/server";
import { withAppContext } from "../app/app.ts";
import { shareDatabaseServer } from "../app/open-database.ts";

/**
 * `npm run import`: imports an archive, previews it, or undoes an import. It may run while the server runs.
 */
const USAGE = `npm run import -- <format> <path> [options]     formats: ${FORMATS.join(", ")}
npm run import -- --undo <run>

  --dry-run              checks everything and writes only a report
  --site <address>       the original site, such as https://forum.example.org: for links and old addresses
  --source <name>        a name for the archive, if its file name is unclear
  --as <username>        the admin who runs the import and will own its groups; by default the first one
  --report <file>        writes the whole report to this file
  --include-new-content  with --undo: also removes what members have written since in imported content`;

const OPTIONS = {
  "dry-run": { type: "boolean", default: false },
  site: { type: "string" },
  source: { type: "string" },
  as: { type: "string" },
  report: { type: "string" },
  undo: { type: "string" },
  "include-new-content": { type: "boolean", default: false },
} as const;

/** Prints progress at most once a second. */
function createProgress(print: (sentence: string) => void) {
  let last = Date.now();
  return (sentence: () => string) => {
    if (Date.now() - last < 1_000) return;
    last = Date.now();
    print(sentence());
  };
}

type ImportArgs = ReturnType<typeof parseImportArgs>;
const parseImportArgs = () => parseArgs({ options: OPTIONS, allowPositionals: true });

async function obey(
  { values, positionals: [format, path] }: ImportArgs,
  app: Pick<WebContext, "database" | "db" | "storage" | "scanner">,
  print: (sentence: string) => void,
): Promise<ImportRun> {
  const progress = createProgress(print);
  const by = await findAdmin(app.db, values.as);
  if (values.undo)
    return undoImport(
      app,
      { runId: values.undo, by, includeNewContent: values["include-new-content"] },
      (left) => progress(() => `  ${left} left to undo…`),
    );
  const check = values["dry-run"];
  const { source } = values;
  const site = NewImport.shape.site.safeParse(values.site);
  if (!site.success) throw new Refusal("invalid", `--site: ${site.error.issues[0]!.message}`);
  if (!isOneOf(FORMATS, format)) throw new Refusal("invalid", `“${format}” is not a known format.`);
  return runImport(app, { format, path: path!, site: site.data, source, check, by }, (counts, records) =>
    progress(() => `  ${records} records: ${describeCounts(counts, check).join("; ")}`),
  );
}

/** Describes the mistake in the arguments; null when there is none. */
function findUsageError({ values, positionals: [format, path, ...more] }: ImportArgs): string | null {
  if (values.undo) return format === undefined ? null : "--undo takes a run, and no format or path.";
  if (format === undefined) return "Give a format, and a file or folder.";
  if (!isOneOf(FORMATS, format)) return `“${format}” is not a known format.`;
  if (path === undefined) return "Give a file or folder to import.";
  return more.length === 0
    ? null
    : `Give one file or folder only: “${more[0]}” is too many. Put quotes around a path with spaces.`;
}

/** Checked before the import: otherwise an unwritable report file would be noticed only at the end. */
function assertWritable(report: string) {
  const folder = dirname(resolve(report));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Refusal("invalid", `--report: the folder ${folder} does not exist or is not writable.`);
  }
}

async function runCommand(importArgs: ImportArgs) {
  if (importArgs.values.report) assertWritable(importArgs.values.report);
  await withAppContext(async (app, { print }) => {
    const began = Date.now();
    const run = await obey(importArgs, app, print);
    // Tells a running server to clear its page cache as well.
    await publishToAll(app, null);
    for (const line of describeCounts(run.counts, run.begunAt === null)) print(`  ${line}`);
    const report = await createImportReport(app.db, run);
    if (importArgs.values.report) writeFileSync(importArgs.values.report, report);
    if (run.problems > 0) {
      const where = importArgs.values.report
        ? ` in ${importArgs.values.report}`
        : "; --report <file> saves them";
      print(`${run.problems} ${run.problems === 1 ? "warning" : "warnings"}${where}.`);
    }
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    print(`Run ${run.id}: ${run.state} (${((Date.now() - began) / 1000).toFixed(1)} s, ${memory} MB).`);
  }, shareDatabaseServer);
}

try {
  const importArgs = parseImportArgs();
  const fault = findUsageError(importArgs);
  if (fault === null) await runCommand(importArgs);
  else {
    console.error(`${fault}\n\n${USAGE}`);
    process.exitCode = 64;
  }
} catch (error) {
  const known = error instanceof Refusal || (error instanceof TypeError && "code" in error);
  console.error(
    error instanceof EnvironmentError
      ? `${error.variable} ${error.sentence}`
      : known
        ? (error as Error).message
        : error,
  );
  process.exitCode = 1;
}
