export { openFolderStorage } from "./folder.ts";
export { moveFiles, createMoveResult } from "./moving.ts";
export type { MoveResult, FileTotals } from "./moving.ts";
export { openStorage, STORE_NAMES } from "./opening.ts";
export { BucketError } from "./s3-calls.ts";
export type { Storage, StoredContent, ByteRange } from "./storage.ts";
