import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { readChunks } from "#platform/streams";
import type { Bundle } from "./bundle-files.ts";

/** `text` is null if the line is too long or not UTF-8; `fault` states why. */
export type TextLine = { number: number; text: string | null; fault?: string };
const MAX_LINE_LENGTH = 4_000_000;

/** Characters of some alphabets have up to three bytes. */
const MAX_LINE_BYTES = 3 * MAX_LINE_LENGTH;
const LINE_FEED = 0x0a;

/**
 * Yields the lines of a stream one at a time. Even a line of unlimited length takes little memory.
 * @throws `invalid` for a file that does not start as UTF-8
 */
export async function* readLines(stream: Readable, name: string): AsyncGenerator<TextLine> {
  let [number, size, parts]: [number, number, Buffer[]] = [0, 0, []];
  const whole = (): TextLine => {
    number += 1;
    const bytes = Buffer.concat(parts);
    if (number === 1 && (detectUtf16(bytes) || looksLikeUtf16(bytes)))
      throw new Refusal("invalid", notUtf16(name));
    const isLong = size > MAX_LINE_BYTES;
    [size, parts] = [0, []];
    if (isLong) return { number, text: null };
    if (!isUtf8(bytes)) return { number, text: null, fault: "it is not UTF-8." };
    const text = bytes.toString("utf8");
    return { number, text: text.length > MAX_LINE_LENGTH ? null : text };
  };
  const take = (bytes: Buffer) => {
    size += bytes.length;
    if (size > MAX_LINE_BYTES) parts = [];
    else parts.push(bytes);
  };
  for await (const chunk of readChunks(stream)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, end));
      yield whole();
      from = end + 1;
    }
    take(chunk.subarray(from));
  }
  if (size > 0) yield whole();
}

/** Detects UTF-16 by its byte order mark. */
const detectUtf16 = (bytes: Buffer) =>
  bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
      ? "utf-16be"
      : null;

const notUtf16 = (name: string) => msg("{name} is UTF-16: save it as UTF-8.", { name });
const SAMPLE_LENGTH = 64;

/**
 * Detects UTF-16 without a byte order mark: ASCII letters have a NUL byte beside each, which is valid in
 * UTF-8 too.
 */
const looksLikeUtf16 = (bytes: Buffer) =>
  bytes.subarray(0, SAMPLE_LENGTH).filter((byte) => byte === 0).length * 4 >
  Math.min(bytes.length, SAMPLE_LENGTH);

/** @throws `invalid` for UTF-16 without a byte order mark */
export function assertNotUnmarkedUtf16(bytes: Buffer, name: string): void {
  if (looksLikeUtf16(bytes)) throw new Refusal("invalid", notUtf16(name));
}

/** Parsed JSON, to be checked by a schema; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

const MAX_FILE_BYTES = 50_000_000;

/**
 * Reads a file as JSON. For an unreadable or too large file it returns the reason as a sentence, so that the
 * import of the other files continues.
 */
export async function readJsonFile(
  bundle: Bundle,
  name: string,
): Promise<{ json: unknown } | { fault: string }> {
  const bytes = await resultOrErrorMessage(async () => readBytes(await bundle.read(name), name));
  if ("fault" in bytes) return { fault: `Skipped: ${bytes.fault}` };
  const text = decodeText(bytes.whole);
  if ("line" in text)
    return {
      fault:
        text.line === null
          ? "Skipped: it is UTF-16: save it as UTF-8."
          : `Skipped: it is not UTF-8: see line ${text.line}.`,
    };
  if (text.text.trim() === "") return { fault: "Skipped: it is empty." };
  const json = parseJson(text.text);
  return json === undefined ? { fault: "Skipped: it is not JSON, or is incomplete." } : { json };
}

/**
 * A file as text, for formats of many small files.
 * @throws `invalid` beyond 50 MB, and for text that is neither UTF-8 nor UTF-16
 */
export async function readTextFile(stream: Readable, name: string): Promise<string> {
  const text = decodeText(await readBytes(stream, name));
  if ("line" in text)
    throw new Refusal(
      "invalid",
      text.line === null
        ? notUtf16(name)
        : msg("{name} is not UTF-8: see line {line}.", { name, line: text.line }),
    );
  return text.text;
}

/** The result of `read`, or the message of its refusal. */
export async function resultOrErrorMessage<T>(
  read: () => Promise<T>,
): Promise<{ whole: T } | { fault: string }> {
  try {
    return { whole: await read() };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.message };
    throw error;
  }
}

async function readBytes(stream: Readable, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of readChunks(stream)) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES)
      throw new Refusal(
        "invalid",
        msg("{name} is larger than {count} MB.", { name, count: MAX_FILE_BYTES / 1_000_000 }),
      );
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/**
 * Text that is not UTF-8. `line`: number of the first invalid line; null for UTF-16 without a byte order
 * mark.
 */
type Undecodable = { line: number | null };

function decodeText(bytes: Buffer): { text: string } | Undecodable {
  const other = detectUtf16(bytes);
  if (other) return { text: new TextDecoder(other).decode(bytes) };
  if (looksLikeUtf16(bytes)) return { line: null };
  return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { line: findInvalidLine(bytes) };
}

/** Number of the first line that is not UTF-8. */
function findInvalidLine(bytes: Buffer): number {
  for (let [line, from] = [1, 0]; ; line += 1) {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
