const MAX_MESSAGE_BYTES = 30_000_000;

/** One raw message, or null if it is larger than 30 MB. Number 0 is text before the first message. */
export type RawMessage = { number: number; bytes: Buffer | null };

/**
 * The line before a message (RFC 4155): `From`, sender and date in `asctime` format. Some lists spell out the
 * address and put the zone before the year.
 */
const ENVELOPE = new RegExp(
  String.raw`^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug` +
    String.raw`|Sep|Oct|Nov|Dec) +\d{1,2} +\d{1,2}:\d\d(?::\d\d)?(?: +[A-Z]{1,5}` +
    String.raw`| +[+-]\d{4})? +\d{4}(?: |$)`,
);

/** Older archives write the date as the mail's own header does (RFC 822), or in the order of ISO 8601. */
const RARE_ENVELOPE = new RegExp(
  String.raw`^From .*\b(?:\d{1,2} +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(?:\d\d` +
    String.raw`|\d{4})|\d{4}-\d\d-\d\d)[ T]+\d{1,2}:\d\d(?::\d\d)?(?:[ .+-]|Z?$)`,
);
const MAX_ENVELOPE_LENGTH = 500;

/** The first line of a mail: the name of a header and a colon. An address of the web has slashes after it. */
const HEADER_LINE = /^(?:[A-Za-z][\w-]{0,75}:(?!\/\/)|>From )/;

/** A file that begins with one of these headers starts with a mail without an envelope line. */
const FIRST_HEADER =
  /^(?:From|To|Date|Subject|Sender|Return-Path|Received|Delivered-To|Message-ID|MIME-Version|Content-Type|X-[\w-]+):/i;

/**
 * The UTF-8 byte order mark as single bytes. It is removed, because an envelope line after it would not be
 * recognized.
 */
const BOM = /^\u00EF\u00BB\u00BF/;

function isEnvelope(line: string): boolean {
  if (line.length > MAX_ENVELOPE_LENGTH) return false;
  const text = line.replace(/\r$/, "");
  return ENVELOPE.test(text) || RARE_ENVELOPE.test(text);
}

const [SPACE, QUOTED_SPACE] = [" ", "=20"];

/**
 * Removes trailing spaces from a quoted line. In flowed text (RFC 3676) they join it with the next line,
 * whose quote mark would then end up inside the text.
 */
function endQuotedLine(line: string): string {
  if (!line.startsWith(">")) return line;
  const last = line.endsWith("\r") ? "\r" : "";
  let end = line.length - last.length;
  for (let sign = findTrailingSpace(line, end); sign; sign = findTrailingSpace(line, end)) end -= sign.length;
  return line.slice(0, end) + last;
}

const findTrailingSpace = (line: string, end: number) =>
  [SPACE, QUOTED_SPACE].find((it) => line.endsWith(it, end));

/**
 * Yields the messages of an mbox as bytes, because each has its own encoding. A line that starts with "From
 * " is an envelope if a header line follows, even without an empty line before it, which many archives omit.
 * Any other "From " line is text. With `isSingle` the whole file is one mail without envelopes.
 */
export async function* readMessages(
  bytes: AsyncIterable<Buffer>,
  { isSingle = false } = {},
): AsyncGenerator<RawMessage> {
  const splitter = new MessageSplitter(isSingle);
  let rest = "";
  let isBeginning = true;
  for await (const chunk of bytes) {
    const read = chunk.toString("latin1");
    // Only the chunk is split: searching the rest again with each chunk takes quadratic time in a long line.
    const parts = (isBeginning ? read.replace(BOM, "") : read).split("\n");
    parts[0] = rest + parts[0]!;
    isBeginning = false;
    rest = parts.pop()!;
    // Drops the message: no mail has a line of this length.
    if (rest.length > MAX_MESSAGE_BYTES) {
      rest = "";
      splitter.refuseMessage();
    }
    for (const line of parts) yield* splitter.addLine(line);
  }
  yield* splitter.addLine(rest);
  yield* splitter.end();
}

/** A class, because it remembers the current message and a line that may be the envelope of the next one. */
class MessageSplitter {
  #isSingle: boolean;
  #number = 0;
  #size = 0;
  #lines: string[] = [];
  #hasText = false;
  /** A line that may start a message; the next line decides. */
  #envelope: string | null = null;

  constructor(isSingle: boolean) {
    this.#isSingle = isSingle;
  }

  *addLine(line: string): Generator<RawMessage> {
    const held = this.#envelope;
    this.#envelope = null;
    if (held !== null && HEADER_LINE.test(line)) yield* this.#begin();
    else if (held !== null) this.#addText(held);
    if (this.#canBegin(line) && isEnvelope(line)) {
      this.#envelope = line;
      return;
    }
    if (this.#number === 0 && !this.#hasText && FIRST_HEADER.test(line)) this.#number = 1;
    this.#addText(line);
  }

  *end(): Generator<RawMessage> {
    if (this.#envelope !== null) this.#addText(this.#envelope);
    if (this.#number > 0) yield this.#message();
  }

  refuseMessage(): void {
    this.#size = MAX_MESSAGE_BYTES + 1;
  }

  #canBegin = (line: string) =>
    line.startsWith("From ") && (!this.#isSingle || (this.#number === 0 && !this.#hasText));

  *#begin(): Generator<RawMessage> {
    if (this.#number > 0 || this.#size > MAX_MESSAGE_BYTES || this.#hasText) yield this.#message();
    [this.#number, this.#size, this.#lines, this.#hasText] = [this.#number + 1, 0, [], false];
  }

  #addText(line: string): void {
    this.#hasText ||= line.trim() !== "";
    this.#size += line.length + 1;
    if (this.#size <= MAX_MESSAGE_BYTES) this.#lines.push(endQuotedLine(line.replace(/^>(>*From )/, "$1")));
    else this.#lines = [];
  }

  #message = (): RawMessage => ({
    number: this.#number,
    bytes: this.#size > MAX_MESSAGE_BYTES ? null : Buffer.from(this.#lines.join("\n"), "latin1"),
  });
}
