import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tellAll } from "#platform/bus";
import { EnvironmentFault } from "#platform/environment";
import { Refusal } from "#platform/refusal";
import { adminFor, bringIn, countLines, type Format, FORMATS, type ImportRun, NewImport, reportOf, takeBack } from "#community/transfer";
import type { House } from "#web/server";
import { withHouse } from "../app.ts";
import { shareMemory } from "../memory.ts";

/** `npm run import`: imports an archive, previews it, or undoes an import. It may run beside the server. */
const USAGE = `npm run import -- <format> <path> [options]     formats: ${FORMATS.join(", ")}
npm run import -- --undo <run>

  --dry-run          looks at everything and writes nothing but a report
  --site <address>   the place it comes from, such as https://forum.example.org: for links back and old addresses
  --source <name>    what the archive is called, where its file name says too little
  --as <user name>   the admin who brings it in and will own its groups; by default the first one
  --report <file>    writes the whole report there
  --even-writings    with --undo: also what members have written since in what came`;

const OPTIONS = {
  "dry-run": { type: "boolean", default: false },
  site: { type: "string" },
  source: { type: "string" },
  as: { type: "string" },
  report: { type: "string" },
  undo: { type: "string" },
  "even-writings": { type: "boolean", default: false },
} as const;

/** Prints progress at most once a second. */
function progress(say: (sentence: string) => void) {
  let last = Date.now();
  return (sentence: () => string) => {
    if (Date.now() - last < 1_000) return;
    last = Date.now();
    say(sentence());
  };
}

type Given = ReturnType<typeof given>;
const given = () => parseArgs({ options: OPTIONS, allowPositionals: true });

async function obey({ values, positionals: [format, path] }: Given, house: House, say: (sentence: string) => void): Promise<ImportRun> {
  const told = progress(say);
  const by = await adminFor(house.db, values.as);
  if (values.undo)
    return takeBack(house, { runId: values.undo, by, evenWritings: values["even-writings"] }, (left) =>
      told(() => `  ${left} still to be taken back…`),
    );
  const check = values["dry-run"];
  const { source } = values;
  const site = NewImport.shape.site.safeParse(values.site);
  if (!site.success) throw new Refusal("invalid", `--site: ${site.error.issues[0]!.message}`);
  return bringIn(house, { format: format as Format, path: path!, site: site.data, source, check, by }, (counts, records) =>
    told(() => `  ${records} records: ${countLines(counts, check).join("; ")}`),
  );
}

/** Describes the mistake in the arguments; null when there is none. */
function unclear({ values, positionals: [format, path, ...more] }: Given): string | null {
  if (values.undo) return format === undefined ? null : "--undo takes back a run: it takes no format and no path.";
  if (format === undefined) return "Say which format, and which file or folder.";
  if (!(FORMATS as string[]).includes(format)) return `“${format}” is none of the formats.`;
  if (path === undefined) return "Say which file or folder is to be brought in.";
  return more.length === 0 ? null : `One file or folder at a time: “${more[0]}” is one too many. Put quotes around a path with spaces.`;
}

/** Checked before the import: otherwise an unwritable report would be noticed only at the end. */
function assertWritable(report: string) {
  const folder = dirname(resolve(report));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Refusal("invalid", `--report: there is no folder ${folder} that can be written to.`);
  }
}

async function run(asked: Given) {
  if (asked.values.report) assertWritable(asked.values.report);
  await withHouse(async (house, { say }) => {
    const began = Date.now();
    const run = await obey(asked, house, say);
    // Also drops cached pages of a running server.
    await tellAll(house, null);
    for (const line of countLines(run.counts, run.begunAt === null)) say(`  ${line}`);
    const report = await reportOf(house.db, run);
    if (asked.values.report) writeFileSync(asked.values.report, report);
    if (run.problems > 0)
      say(
        `${run.problems} ${run.problems === 1 ? "remark" : "remarks"}${asked.values.report ? ` in ${asked.values.report}` : "; --report <file> writes them down"}.`,
      );
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    say(`Run ${run.id}: ${run.state} (${((Date.now() - began) / 1000).toFixed(1)} s, ${memory} MB).`);
  }, shareMemory);
}

try {
  const asked = given();
  const fault = unclear(asked);
  if (fault === null) await run(asked);
  else {
    console.error(`${fault}\n\n${USAGE}`);
    process.exitCode = 64;
  }
} catch (error) {
  const known = error instanceof Refusal || (error instanceof TypeError && "code" in error);
  console.error(error instanceof EnvironmentFault ? `${error.variable} ${error.sentence}` : known ? (error as Error).message : error);
  process.exitCode = 1;
}
