import { Readable } from "node:stream";

/** What a spreadsheet takes for the beginning of a formula, also behind blanks, in its wide forms too. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** A cell as it is read back, whatever is in it. What would run as a formula begins with an apostrophe: so it is shown as text. */
const cell = (text: string) => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const line = (cells: string[]) => `${cells.map(cell).join(",")}\r\n`;

const encoder = new TextEncoder();
/** So much is sent at a time. */
const CHUNK = 32_000;

async function* bytesOf(header: string[], rows: AsyncIterable<string[]>): AsyncGenerator<Uint8Array> {
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  let text = `\uFEFF${line(header)}`;
  for await (const row of rows) {
    text += line(row);
    if (text.length < CHUNK) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}

/** A table as a file to keep (RFC 4180), sent as its rows are read. `name` is a plain one, without its ending. */
export const csvAnswer = (name: string, header: string[], rows: AsyncIterable<string[]>): Response =>
  new Response(Readable.toWeb(Readable.from(bytesOf(header, rows))) as ReadableStream<Uint8Array>, {
    headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": `attachment; filename="${name}.csv"` },
  });
