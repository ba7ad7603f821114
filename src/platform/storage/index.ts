export { openFolder } from "./folder.ts";
export { openStorage } from "./opening.ts";
export type { Storage, Stored, Range } from "./storage.ts";
