export { openFolder } from "./folder.ts";
export { moveFiles, nothingMoved } from "./moving.ts";
export type { Moved, Sum } from "./moving.ts";
export { openStorage, STORES } from "./opening.ts";
export { BucketAnswer } from "./s3-calls.ts";
export type { Storage, Stored, Range } from "./storage.ts";
