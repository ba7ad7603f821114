export { extractFileIsolated } from "./apart.ts";
export type { ExtractedFile } from "./found.ts";
export { decodeText, readPlainText } from "./words.ts";
