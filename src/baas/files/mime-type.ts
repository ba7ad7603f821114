import { fileTypeFromBuffer } from "file-type";
import { getOwnProperty } from "#platform/objects";

/** Number of bytes at the start of a file from which its type is detected. */
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

/** Detects the MIME type from the first bytes, and the kind of text from the file extension. */
export async function detectMimeType(head: Uint8Array, name: string): Promise<string> {
  const found = head.length > 0 ? await fileTypeFromBuffer(head).catch(() => undefined) : undefined;
  if (found && found.mime !== "application/xml") return found.mime;
  if (!isText(head)) return "application/octet-stream";
  return getOwnProperty(TEXT_TYPES, name.split(".").at(-1)!.toLowerCase()) ?? "text/plain";
}

/** Whether the bytes are valid UTF-8 without NUL. The last character may be incomplete. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
