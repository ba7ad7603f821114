import type { Database } from "#platform/database";
import { KeyedQueue } from "#platform/queue";
import type { Files } from "./types.ts";

export { purgeReleasedBytes } from "./file-bytes.ts";
export { removeMatchingFiles } from "./file-deletion.ts";
export {
  FileGrantInput,
  type FileGrant,
  listFileGrants,
  setFileGrant,
  removeFileGrant,
} from "./file-grants.ts";
export {
  countFiles,
  type FileEntry,
  fileExists,
  FILE_ORDERS,
  listFiles,
  type FileOrder,
} from "./list-files.ts";
export { copyFile, moveFile, removeFile, renameFile } from "./move-files.ts";
export { parseName, parsePath } from "./file-paths.ts";
export { findFile, type OpenedFile, openFile } from "./open-file.ts";
export { removeStrayBytes } from "./stray-bytes.ts";
export { type FileUsage, getFileUsage } from "./file-quota.ts";
export { type FileContent, type WriteMode, createDirectory, writeFile } from "./write-file.ts";
export { writeFromUrl } from "./file-from-url.ts";
export type { FileAction, Audience, Caller, FileRules, Files, FileNode, FilePath } from "./types.ts";
export { FILE_ACTIONS, ROOT_PATH } from "./types.ts";

type FilesOptions = Omit<Files, "db" | "inTransaction" | "queue" | "merging"> & { database: Database };

/** Creates the file store of API clients. Nothing is read before the first call. */
export const createFileStore = ({ database: { db, inTransaction }, ...given }: FilesOptions): Files => ({
  db,
  inTransaction,
  queue: new KeyedQueue(),
  merging: new Map(),
  ...given,
});
