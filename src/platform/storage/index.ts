export { createFolderStorage } from "./folder-storage.ts";
export { moveFiles, createMoveResult } from "./copy-files.ts";
export type { MoveResult, FileTotals } from "./copy-files.ts";
export { createStorage, STORE_NAMES } from "./create-storage.ts";
export { BucketError } from "./s3-client.ts";
export type { Storage, StoredContent, ByteRange } from "./storage.ts";
