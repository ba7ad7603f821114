import { buffer } from "node:stream/consumers";
import { type ExtractedText, emptyExtraction } from "./extracted-text.ts";
import { readOffice } from "./office.ts";
import { findOfficeKind } from "./office-kinds.ts";

/**
 * Process that extracts the text of one file: it reads the bytes from stdin, and writes a line of JSON and
 * then the picture to stdout. It may open no file, connection or process, so a hostile file can harm nothing
 * else.
 */
const [mime = "", milliseconds = "0"] = process.argv.slice(2);

async function readInput(): Promise<{ found: ExtractedText; picture: Uint8Array | null }> {
  const bytes = await buffer(process.stdin);
  const until = Date.now() + Number(milliseconds);
  const kind = findOfficeKind(mime);
  if (kind) return { found: await readOffice(bytes, kind, until), picture: null };
  if (mime !== "application/pdf") return { found: emptyExtraction("empty"), picture: null };
  const { readPdf } = await import("./pdf.ts");
  return readPdf(bytes, until);
}

const { found, picture } = await readInput();
process.stdout.write(`${JSON.stringify(found)}\n`);
if (picture) process.stdout.write(picture);
