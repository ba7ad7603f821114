import { z } from "zod";

/**
 * First file of a backup, which describes the backup. The others are `cluster/`, if the database is
 * embedded, and the rest of the data folder.
 */
export const MANIFEST_FILE = "kith-backup.json";
export const CLUSTER_FOLDER = "cluster";

/**
 * `postgresql`: major version of the cluster's files; null for an external database, which is not part of the
 * backup.
 */
export const BackupManifest = z.object({
  form: z.literal(1),
  madeAt: z.iso.datetime(),
  kith: z.string(),
  postgresql: z.int().nullable(),
});
export type BackupManifest = z.output<typeof BackupManifest>;

/** Returns a name such as kith-20261126T130500Z.zip, so that names sort by date. */
export const backupFileName = (madeAt: Date) => `kith-${madeAt.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
export const BACKUP_FILE_NAME = /^kith-\d{8}T\d{6}Z\.zip$/;
