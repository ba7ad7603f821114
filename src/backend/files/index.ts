import type { Database } from "#platform/database";
import type { Files } from "./types.ts";

export { purgeReleasedBytes } from "./bytes.ts";
export { removeMatchingFiles } from "./deletion.ts";
export { type FileGrant, listFileGrants, setFileGrant, removeFileGrant } from "./grants.ts";
export { countFiles, type FileEntry, fileExists, listFiles, type FileOrder } from "./listing.ts";
export { copyFile, moveFile, removeFile, renameFile } from "./moving.ts";
export { parseName, parsePath } from "./paths.ts";
export { findFile, type OpenedFile, openFile } from "./reading.ts";
export { removeStrayBytes } from "./strays.ts";
export { type FileUsage, getFileUsage } from "./room.ts";
export { type FileContent, type WriteMode, createDirectory, writeFile } from "./writing.ts";
export { writeFromUrl } from "./from-url.ts";
export type { FileAction, Audience, Caller, FileRules, Files, FileNode, FilePath } from "./types.ts";
export { FILE_ACTIONS, ROOT_PATH } from "./types.ts";

type FilesOptions = Omit<Files, "db" | "inTransaction" | "turn" | "merging"> & { database: Database };

/** Opens the file store of API clients. Nothing is read before the first call. */
export const openFiles = ({ database: { db, inTransaction }, ...given }: FilesOptions): Files => ({
  db,
  inTransaction,
  turn: { last: Promise.resolve() },
  merging: new Map(),
  ...given,
});
