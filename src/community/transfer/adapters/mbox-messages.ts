const MOST = 30_000_000;

/** One message as it was sent, or null where it is larger than 30 MB. Number 0 is text that stands before the first. */
export type RawMessage = { number: number; bytes: Buffer | null };

/**
 * The line before a message, as RFC 4155 has it: `From`, who sent it, and when, in the way of `asctime`. Lists write the
 * address in words, and the zone before the year.
 */
const ENVELOPE =
  /^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} +\d{1,2}:\d\d(?::\d\d)?(?: +[A-Z]{1,5}| +[+-]\d{4})? +\d{4}(?: |$)/;
const LONGEST_ENVELOPE = 500;

/** The mark of UTF-8, byte by byte: before it no line is an envelope. */
const BOM = /^\u00EF\u00BB\u00BF/;

const begins = (line: string) => line.startsWith("From ") && line.length <= LONGEST_ENVELOPE && ENVELOPE.test(line.replace(/\r$/, ""));

const [SPACE, QUOTED_SPACE] = [" ", "=20"];

/** A quotation that flows on into the next line (RFC 3676) would have that one's signs of quotation among its words: each line of it ends. */
function withFirmEnd(line: string): string {
  if (!line.startsWith(">")) return line;
  const last = line.endsWith("\r") ? "\r" : "";
  let end = line.length - last.length;
  for (let sign = spaceBefore(line, end); sign; sign = spaceBefore(line, end)) end -= sign.length;
  return line.slice(0, end) + last;
}

const spaceBefore = (line: string, end: number) => [SPACE, QUOTED_SPACE].find((it) => line.endsWith(it, end));

/**
 * The messages of an mbox as bytes: each has its own encoding. Each begins with an envelope after an empty line; what
 * merely starts with "From " is a line of a text.
 */
export async function* messagesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawMessage> {
  let [number, size] = [0, 0];
  let [lines, rest]: [string[], string] = [[], ""];
  let isParted = true;
  const whole = () => ({ number, bytes: size > MOST ? null : Buffer.from(lines.join("\n"), "latin1") });
  let isBeginning = true;
  for await (const chunk of bytes) {
    const read = chunk.toString("latin1");
    const text = isBeginning ? read.replace(BOM, "") : read;
    isBeginning = false;
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    // A line without end ends here: no mail has such a one.
    if (rest.length > MOST) [rest, size] = ["", MOST + 1];
    for (const line of parts) {
      const isFirst = isParted && begins(line);
      isParted = line === "" || line === "\r";
      if (!isFirst) {
        size += line.length + 1;
        if (size <= MOST) lines.push(withFirmEnd(line.replace(/^>(>*From )/, "$1")));
        else lines = [];
        continue;
      }
      if (number > 0 || size > MOST || lines.some((it) => it.trim() !== "")) yield whole();
      [number, size, lines] = [number + 1, 0, []];
    }
  }
  lines.push(rest);
  if (number > 0) yield whole();
}
