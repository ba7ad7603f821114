import { type ExtractedText, TextCollector } from "./extracted-text.ts";

/**
 * Reads a plain text in UTF-8, or else in a legacy charset. `cut`: `bytes` is only the beginning of the
 * file.
 */
export function readPlainText(bytes: Buffer, cut: boolean): ExtractedText {
  const gathered = new TextCollector();
  gathered.add(decodeText(bytes, cut));
  return gathered.found(null, "", cut);
}

/** Decodes UTF-8 when it is valid; a character cut at the end is ignored. */
export function decodeText(bytes: Buffer, cut: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
