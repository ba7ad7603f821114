import type { Database } from "#platform/database";
import type { Files } from "./types.ts";

export { clearLetGo } from "./bytes.ts";
export { removeMatchingFiles } from "./deletion.ts";
export { type Grant, grantsAt, permitFile, unpermitFile } from "./grants.ts";
export { countFiles, type Entry, isFile, listFiles, type Order } from "./listing.ts";
export { copyFile, moveFile, removeFile, renameFile } from "./moving.ts";
export { nameOf, pathOf } from "./paths.ts";
export { findFile, type Opened, openFile } from "./reading.ts";
export { clearStrays } from "./strays.ts";
export { type Used, usedBy } from "./room.ts";
export { type Content, type How, makeDirectory, writeFile } from "./writing.ts";
export { writeFromUrl } from "./from-url.ts";
export type { Act, Audience, Caller, FileRules, Files, Node, Path } from "./types.ts";
export { ACTS, TOP } from "./types.ts";

type Given = Omit<Files, "db" | "inTransaction" | "turn" | "merging"> & { database: Database };

/** Opens the file store of API clients. Nothing is read before the first call. */
export const openFiles = ({ database: { db, inTransaction }, ...given }: Given): Files => ({
  db,
  inTransaction,
  turn: { last: Promise.resolve() },
  merging: new Map(),
  ...given,
});
