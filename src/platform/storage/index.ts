export { openFolder } from "./folder.ts";
export type { Storage, Stored, Range } from "./storage.ts";
