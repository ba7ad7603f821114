import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Environment, readEnvironment } from "#platform/environment";
import { Refusal } from "#platform/refusal";
import { BACKUP_FILE_NAME, backupFileName } from "./backup/backup-manifest.ts";
import { listBackupEntries } from "./backup/backup-entries.ts";
import { describeBackupError } from "./backup/backup-errors.ts";
import { writeZip } from "./backup/write-backup.ts";

const USAGE = `npm run backup -- <folder> [--keep N]     writes a zip to this folder: database, files and secrets

  --keep N   keeps the newest N backups there and removes the others`;

type BackupOptions = { folder: string; keep: number | null };
type Print = (sentence: string) => void;

/** Returns null for arguments that do not match `USAGE`. */
function parseBackupArgs(args: string[]): BackupOptions | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { keep: { type: "string" } },
      allowPositionals: true,
    });
    const [folder, ...more] = positionals;
    const keep = values.keep === undefined ? null : Number(values.keep);
    const counts = keep === null || (Number.isInteger(keep) && keep > 0);
    return folder && more.length === 0 && counts ? { folder, keep } : null;
  } catch {
    return null;
  }
}

/**
 * `npm run backup`, whether Kith runs or not. Returns the exit code: 0, 64 for wrong usage, or the code of
 * `describeBackupError`.
 */
export async function createBackup(
  args: string[],
  variables: Record<string, string | undefined>,
  print: Print,
): Promise<number> {
  const backupArgs = parseBackupArgs(args);
  if (!backupArgs) {
    print(USAGE);
    return 64;
  }
  try {
    await writeBackup(backupArgs, readEnvironment(variables), print);
    return 0;
  } catch (error) {
    const broke = describeBackupError(error);
    if (!broke) throw error;
    print(broke.sentence);
    return broke.code;
  }
}

async function writeBackup(
  { folder, keep }: BackupOptions,
  { dataDir, databaseUrl, s3 }: Environment,
  print: Print,
): Promise<void> {
  const began = performance.now();
  const within = resolve(folder);
  if (`${within}/`.startsWith(`${resolve(dataDir)}/`))
    throw new Refusal(
      "invalid",
      `${within} is inside the data folder, and would be lost with it. Choose a folder on another disk.`,
    );
  mkdirSync(within, { recursive: true });
  const madeAt = new Date();
  const path = join(within, backupFileName(madeAt));
  const files = await writeZip(
    path,
    listBackupEntries(dataDir, { databaseIsOurs: databaseUrl === null, madeAt }),
  );
  const size = (statSync(path).size / 1e6).toFixed(1);
  print(`${files} files are in ${path} (${size} MB, ${((performance.now() - began) / 1_000).toFixed(1)} s).`);
  if (databaseUrl !== null)
    print("It does not contain the database of DATABASE_URL: back that up with pg_dump.");
  if (s3 !== null) print("It does not contain the files in the bucket of S3_URL.");
  print("It contains addresses, private messages and keys: store it safely.");
  if (keep !== null) deleteOldBackups(within, keep, print);
}

function deleteOldBackups(folder: string, keep: number, print: Print): void {
  const old = readdirSync(folder)
    .filter((name) => BACKUP_FILE_NAME.test(name))
    .toSorted()
    .slice(0, -keep);
  for (const name of old) rmSync(join(folder, name));
  if (old.length > 0) print(`Removed: ${old.join(", ")}.`);
}

if (import.meta.main)
  process.exitCode = await createBackup(process.argv.slice(2), process.env, (sentence) =>
    console.log(sentence),
  );
