export { openFolderStorage } from "./folder-storage.ts";
export { moveFiles, createMoveResult } from "./copy-files.ts";
export type { MoveResult, FileTotals } from "./copy-files.ts";
export { openStorage, STORE_NAMES } from "./open-storage.ts";
export { BucketError } from "./s3-client.ts";
export type { Storage, StoredContent, ByteRange } from "./storage.ts";
