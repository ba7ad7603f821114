export { extractFileIsolated } from "./isolated-reader.ts";
export type { ExtractedFile } from "./extracted-text.ts";
export { decodeText, readPlainText } from "./plain-text.ts";
