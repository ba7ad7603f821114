import { fileTypeFromBuffer } from "file-type";
import { getOwn } from "#platform/own-property";

/** Bytes at the start of a file that reveal its type. */
export const SNIFFED_BYTES = 4_100;

const TEXT_TYPES: Record<string, string> = {
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  svg: "image/svg+xml",
  xml: "application/xml",
};

/** MIME type from the first bytes; the kind of text from the file extension. */
export async function detectMimeType(head: Uint8Array, name: string): Promise<string> {
  const found = head.length > 0 ? await fileTypeFromBuffer(head).catch(() => undefined) : undefined;
  if (found && found.mime !== "application/xml") return found.mime;
  if (!isText(head)) return "application/octet-stream";
  return getOwn(TEXT_TYPES, name.split(".").at(-1)!.toLowerCase()) ?? "text/plain";
}

/** Valid UTF-8 without NUL; the last character may be cut off. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
