import { type Db, one, sql } from "#platform/database";
import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { FileRules, Files } from "./types.ts";

export type FileUsage = { bytes: number; count: number };

/** Returns the bytes of all files together, and the number of files and directories. */
export const getFileUsage = ({ db }: Pick<Files, "db">): Promise<FileUsage> => measureUsage(db);

const measureUsage = (db: Db) =>
  one(
    db,
    sql<FileUsage>`select coalesce(sum(size), 0)::float8 as bytes, count(*)::int as count from api_files`,
  );

const formatBytes = (bytes: number) =>
  bytes >= 1e9 ? `${+(bytes / 1e9).toFixed(1)} GB` : `${Math.floor(bytes / 1e6)} MB`;

const quotaError = (message: Message) => new Refusal("too-large", message, { kind: "no-room-for-file" });
export const fileTooLarge = (rules: FileRules) =>
  quotaError(msg("A file can have at most {most}.", { most: formatBytes(rules.fileBytes) }));

/** Returns the maximum bytes of a file that is being written and had `previousSize` bytes before. */
export async function remainingFileBytes(db: Db, rules: FileRules, previousSize: number): Promise<number> {
  const { bytes } = await measureUsage(db);
  return Math.max(0, Math.min(rules.fileBytes, rules.roomBytes - bytes + previousSize));
}

/**
 * Checks the quota. Must be called while the tree is locked.
 * @throws `too-large` if this many more bytes or files would exceed it
 */
export async function assertFileQuota(db: Db, rules: FileRules, more: FileUsage): Promise<void> {
  const { bytes, count } = await measureUsage(db);
  if (more.bytes > 0 && bytes + more.bytes > rules.roomBytes) throw quotaExceeded(rules);
  if (more.count > 0 && count + more.count > rules.most)
    throw quotaError(msg("There are {most} files and directories, the maximum.", { most: rules.most }));
}

export const quotaExceeded = (rules: FileRules) =>
  quotaError(msg("All files together can have at most {most}.", { most: formatBytes(rules.roomBytes) }));
