import { Readable } from "node:stream";
import { toWebStream } from "./server/web-streams.ts";

/** Text that a spreadsheet would run as a formula, also after spaces and in full-width characters. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * Quotes a cell so that it is parsed back unchanged. Text that looks like a formula gets an apostrophe, so
 * that spreadsheets show it as text.
 */
const csvCell = (text: string) => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvRow = (cells: string[]) => `${cells.map(csvCell).join(",")}\r\n`;

const encoder = new TextEncoder();
/** Characters of a chunk of the response: a chunk is sent when it has at least as many. */
const CHUNK_SIZE = 32_000;

async function* csvBytes(header: string[], rows: AsyncIterable<string[]>): AsyncGenerator<Uint8Array> {
  // With the byte order mark, spreadsheets read the file as UTF-8.
  let text = `\uFEFF${csvRow(header)}`;
  for await (const row of rows) {
    text += csvRow(row);
    if (text.length < CHUNK_SIZE) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}

/**
 * Returns a table as a CSV download (RFC 4180), streamed while its rows are read. `name` is the file name
 * without extension.
 */
export const csvResponse = (name: string, header: string[], rows: AsyncIterable<string[]>): Response =>
  new Response(toWebStream(Readable.from(csvBytes(header, rows))), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    },
  });
