export { readFileApart } from "./apart.ts";
export type { ReadFile } from "./found.ts";
export { decoded, readWords } from "./words.ts";
