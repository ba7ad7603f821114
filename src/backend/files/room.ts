import { type Db, one, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { FileRules, Files } from "./types.ts";

export type Used = { bytes: number; count: number };

/** Bytes of all files together, and the number of files and directories. */
export const usedBy = ({ db }: Pick<Files, "db">): Promise<Used> => used(db);

const used = (db: Db) => one(db, sql<Used>`select coalesce(sum(size), 0)::float8 as bytes, count(*)::int as count from program_files`);

const inWords = (bytes: number) => (bytes >= 1e9 ? `${+(bytes / 1e9).toFixed(1)} GB` : `${Math.floor(bytes / 1e6)} MB`);

const tooMuch = (sentence: string) => new Refusal("too-large", sentence, { kind: "no-room-for-file" });
export const fileTooLarge = (rules: FileRules) => tooMuch(`A file has ${inWords(rules.fileBytes)} at the most here.`);

/** Bytes left for a file that is written now and had `had` bytes before. */
export async function roomForFile(db: Db, rules: FileRules, had: number): Promise<number> {
  const { bytes } = await used(db);
  return Math.max(0, Math.min(rules.fileBytes, rules.roomBytes - bytes + had));
}

/**
 * To be called while the tree is locked.
 * @throws `too-large` if so many more bytes and files exceed the quota
 */
export async function mindRoom(db: Db, rules: FileRules, more: Used): Promise<void> {
  const { bytes, count } = await used(db);
  if (more.bytes > 0 && bytes + more.bytes > rules.roomBytes) throw noRoom(rules);
  if (more.count > 0 && count + more.count > rules.most) throw tooMuch(`There are ${rules.most} files and directories, as many as can be.`);
}

export const noRoom = (rules: FileRules) => tooMuch(`All files together have ${inWords(rules.roomBytes)} at the most, and this is more.`);
