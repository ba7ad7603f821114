import { resolve } from "node:path";
import { prepareRestoreTarget } from "#platform/embedded-postgres";
import { readEnvironment } from "#platform/environment";
import { Refusal } from "#platform/refusal";
import { type Backup, openBackup } from "./backup/open-backup.ts";
import { describeBackupError } from "./backup/backup-errors.ts";

const USAGE =
  "npm run restore -- <zip>     restores a backup of `npm run backup` into an empty data folder (KITH_DATA)";

type Print = (sentence: string) => void;

/**
 * `npm run restore`: restores a backup, only into an empty folder. Returns the exit code: 0, 64 for wrong
 * usage, or the code of `describeBackupError`.
 */
export async function restoreBackup(
  args: string[],
  variables: Record<string, string | undefined>,
  print: Print,
): Promise<number> {
  const [path, ...more] = args;
  if (!path || path.startsWith("-") || more.length > 0) {
    print(USAGE);
    return 64;
  }
  try {
    const backup = await openBackup(resolve(path));
    await unpackBackup(backup, variables, print).finally(() => backup.close());
    return 0;
  } catch (error) {
    const broke = describeBackupError(error);
    if (!broke) throw error;
    print(broke.sentence);
    return broke.code;
  }
}

async function unpackBackup(
  { manifest, unpack }: Backup,
  variables: Record<string, string | undefined>,
  print: Print,
): Promise<void> {
  const began = performance.now();
  const { dataDir, databaseUrl } = readEnvironment(variables);
  if (databaseUrl !== null && manifest.postgresql !== null)
    throw new Refusal(
      "invalid",
      "This backup contains the database, which is restored into the data folder. Unset DATABASE_URL for that.",
    );
  const target = prepareRestoreTarget(dataDir, manifest.postgresql, print);
  try {
    const files = await unpack(target);
    target.keep();
    print(
      `${files} files restored to ${target.folder} as of ${manifest.madeAt} ` +
        `(${((performance.now() - began) / 1_000).toFixed(1)} s).`,
    );
  } catch (error) {
    target.clear();
    throw error;
  }
  print(
    manifest.postgresql === null
      ? "Load your pg_dump file into the database, then start Kith."
      : "Start Kith: npm start.",
  );
}

if (import.meta.main)
  process.exitCode = await restoreBackup(process.argv.slice(2), process.env, (sentence) =>
    console.log(sentence),
  );
