import { fileTypeFromBuffer } from "file-type";
import { getOwn } from "#platform/own-property";

/** How much of a file's beginning tells what it is. */
export const LOOKED_AT = 4_100;

const TEXTS: Record<string, string> = {
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

/** What a file is by its beginning; which kind of text, by the end of its name. */
export async function mimeOf(head: Uint8Array, name: string): Promise<string> {
  const found = head.length > 0 ? await fileTypeFromBuffer(head).catch(() => undefined) : undefined;
  if (found && found.mime !== "application/xml") return found.mime;
  if (!isText(head)) return "application/octet-stream";
  return getOwn(TEXTS, name.split(".").at(-1)!.toLowerCase()) ?? "text/plain";
}

/** UTF-8 without NUL; the last sign may be cut in two. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
