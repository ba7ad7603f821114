import type { Readable } from "node:stream";
import { SaxesParser } from "saxes";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { readChunks } from "#platform/streams";

export type XmlRow = { number: number; of: (name: string) => string | undefined };

const ROW = Buffer.from("<row ");

/** Counts rows without parsing them. */
export async function countRows(stream: Readable): Promise<number> {
  let [count, rest] = [0, Buffer.alloc(0)];
  for await (const chunk of readChunks(stream)) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(ROW); at >= 0; at = bytes.indexOf(ROW, at + 1)) count += 1;
    // A row may start in one chunk and continue in the next.
    rest = bytes.subarray(Math.max(0, bytes.length - ROW.length + 1));
  }
  return count;
}

/**
 * The attributes of each `<row …/>` of a stream, one at a time. Files that declare entities are refused.
 * `onCut` receives the last row of a truncated file.
 */
export async function* readXmlRows(
  stream: Readable,
  name: string,
  onCut: (row: number) => void = () => {},
): AsyncGenerator<XmlRow> {
  const parser = new SaxesParser();
  let rows: XmlRow[] = [];
  let [number, fault] = [0, ""];
  parser.on("error", (error) => (fault ||= error.message));
  parser.on("doctype", () => (fault ||= "it declares a document type"));
  parser.on("opentag", ({ name: tag, attributes }) => {
    // The parser continues after an error, but later rows are unreliable and therefore ignored.
    if (tag === "row" && !fault) rows.push({ number: ++number, of: (key) => attributes[key] || undefined });
  });
  stream.setEncoding("utf8");
  for await (const chunk of stream) {
    parser.write(String(chunk));
    yield* rows;
    rows = [];
    if (fault)
      throw new Refusal(
        "invalid",
        msg("{name} cannot be read after its row {number}: {fault}.", { name, number, fault }),
      );
  }
  // An error on close only means that the file is truncated: all rows so far are valid.
  parser.close();
  yield* rows;
  if (fault) onCut(number);
}
