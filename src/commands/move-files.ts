import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { inspectData } from "#platform/embedded-postgres";
import { type Environment, EnvironmentError, readEnvironment } from "#platform/environment";
import { Refusal } from "#platform/refusal";
import { moveFiles, type MoveResult, createMoveResult, createStorage, STORE_NAMES } from "#platform/storage";
import { formatResult, formatProgress } from "./move-files/move-progress.ts";
import { describeMoveError } from "./move-files/move-errors.ts";

const USAGE = `npm run move-files -- to-bucket [options]     copies all files of the data folder to the bucket in S3_URL
npm run move-files -- to-folder [options]     copies all files of the bucket to the data folder

  --dry-run   counts the files and copies nothing
  --remove    removes files from the source that the target has with the same length; stop Kith first`;

const OPTIONS = {
  "dry-run": { type: "boolean", default: false },
  remove: { type: "boolean", default: false },
} as const;
const DIRECTIONS = ["to-bucket", "to-folder"] as const;
const PRINT_INTERVAL = 1_000;

type MoveArgs = { direction: (typeof DIRECTIONS)[number]; remove: boolean; dryRun: boolean };
type Print = (sentence: string) => void;

/** Returns null for arguments that do not match `USAGE`. */
function parseMoveArgs(args: string[]): MoveArgs | null {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const direction = DIRECTIONS.find((it) => it === positionals[0]);
    return direction && positionals.length === 1
      ? { direction, remove: values.remove, dryRun: values["dry-run"] }
      : null;
  } catch {
    return null;
  }
}

/**
 * `npm run move-files`: moves files from the data folder to the bucket, or back. It needs no database, and
 * can copy while Kith runs. Returns the exit code: 0, 1 when files could not be copied, or the code of
 * `describeMoveError`.
 */
export async function moveAllFiles(
  args: string[],
  variables: Record<string, string | undefined>,
  print: Print,
): Promise<number> {
  const moveArgs = parseMoveArgs(args);
  if (!moveArgs) {
    print(USAGE);
    return 64;
  }
  const moved = createMoveResult();
  try {
    const environment = readEnvironment(variables);
    if (moveArgs.remove && !moveArgs.dryRun) assertKithStopped(environment);
    return await moveStores(environment, moveArgs, moved, print);
  } catch (error) {
    const broke = describeMoveError(error);
    if (!broke) throw error;
    if (moved.copied.files > 0) print(formatProgress(moved));
    print(broke.sentence);
    return broke.code;
  }
}

/**
 * A running Kith that still uses the source would miss the removed files. A running Kith that already uses
 * the target may have deleted files that this run would copy again. With an external database we cannot
 * detect whether Kith runs.
 */
function assertKithStopped({ dataDir }: Environment): void {
  const usedBy = existsSync(dataDir) ? inspectData(dataDir).usedBy : null;
  if (usedBy)
    throw new Refusal(
      "conflict",
      `Kith is running (${usedBy}). Stop it before files are removed; without --remove it may run.`,
    );
}

async function moveStores(
  { s3, dataDir }: Environment,
  { direction, ...options }: MoveArgs,
  moved: MoveResult,
  print: Print,
): Promise<number> {
  if (!s3) throw new EnvironmentError("S3_URL", "must name the bucket, with S3_KEY and S3_SECRET.");
  const bucket = new URL(s3.url);
  const locations = [dataDir, `${bucket.origin}${bucket.pathname}`];
  const [from, to] = direction === "to-bucket" ? locations : locations.toReversed();
  print(`From ${from} to ${to}:`);
  const began = performance.now();
  let printedAt = began;
  const reportProgress = () => {
    if (performance.now() - printedAt < PRINT_INTERVAL) return;
    printedAt = performance.now();
    print(formatProgress(moved));
  };
  for (const name of STORE_NAMES) {
    const folder = createStorage({ s3: null, dataDir }, name);
    const objects = createStorage({ s3, dataDir }, name);
    const ends = direction === "to-bucket" ? { from: folder, to: objects } : { from: objects, to: folder };
    await moveFiles({ ...ends, ...options, onProgress: reportProgress }, moved);
  }
  for (const line of formatResult(moved, options)) print(line);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  print(`That took ${((performance.now() - began) / 1_000).toFixed(1)} s and ${memory} MB.`);
  return moved.unreadable.length > 0 ? 1 : 0;
}

if (import.meta.main)
  process.exitCode = await moveAllFiles(process.argv.slice(2), process.env, (sentence) =>
    console.log(sentence),
  );
