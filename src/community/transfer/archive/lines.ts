import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { Bundle } from "./bundle.ts";

/** The text is null where the line is longer than a line may be. */
export type Line = { number: number; text: string | null };
const LONGEST = 4_000_000;

/** Of any letters; those of other alphabets have up to three bytes each. */
const LONGEST_IN_BYTES = 3 * LONGEST;
const END = 0x0a;

/**
 * The lines of a stream, one at a time, whatever its pieces are. A line without end costs no memory. Throws the refusal
 * `invalid`, with the line, for what is no UTF-8.
 */
export async function* linesOf(stream: Readable, name: string): AsyncGenerator<Line> {
  let [number, size, parts]: [number, number, Buffer[]] = [0, 0, []];
  const whole = (): Line => {
    number += 1;
    const bytes = Buffer.concat(parts);
    if (number === 1 && utf16Of(bytes)) throw utf16(name);
    if (number === 1) assertMarked(bytes, name);
    const text = size > LONGEST_IN_BYTES ? null : decoded(bytes, name, number);
    [size, parts] = [0, []];
    return { number, text: text !== null && text.length > LONGEST ? null : text };
  };
  const take = (bytes: Buffer) => {
    size += bytes.length;
    if (size > LONGEST_IN_BYTES) parts = [];
    else parts.push(bytes);
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = (chunk as Buffer).indexOf(END); end >= 0; end = (chunk as Buffer).indexOf(END, from)) {
      take((chunk as Buffer).subarray(from, end));
      yield whole();
      from = end + 1;
    }
    take((chunk as Buffer).subarray(from));
  }
  if (size > 0) yield whole();
}

/** By the mark at its beginning. */
const utf16Of = (bytes: Buffer) =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;

const utf16 = (name: string) => new Refusal("invalid", `${name} is UTF-16: write it down as UTF-8.`);
const LOOK = 64;

/** Throws the refusal `invalid` for UTF-16 without the mark: plain letters have a NUL beside each, which UTF-8 allows. */
export function assertMarked(bytes: Buffer, name: string): void {
  const nuls = bytes.subarray(0, LOOK).filter((byte) => byte === 0).length;
  if (nuls * 4 > Math.min(bytes.length, LOOK)) throw utf16(name);
}

function decoded(bytes: Buffer, name: string, line: number): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new Refusal("invalid", `${name} is no UTF-8: look at its line ${line}.`);
}

/** JSON from outside: what it is, is for a schema to say. Undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

const MOST_WHOLE = 50_000_000;

/** A file as JSON, or the sentence for why it is left out. */
export async function jsonIn(bundle: Bundle, name: string): Promise<{ json: unknown } | { fault: string }> {
  const text = await textOf(await bundle.read(name), name);
  if (text.trim() === "") return { fault: "Left out: it is empty." };
  const json = jsonOf(text);
  return json === undefined ? { fault: "Left out: it is no JSON, or its end is missing." } : { json };
}

/** A file as one text, for formats that are many small files. Throws the refusal `invalid` beyond 50 MB, and for what is neither UTF-8 nor UTF-16. */
export async function textOf(stream: Readable, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > MOST_WHOLE) throw new Refusal("invalid", `${name} is larger than ${MOST_WHOLE / 1_000_000} MB.`);
    parts.push(chunk as Buffer);
  }
  const bytes = Buffer.concat(parts);
  const other = utf16Of(bytes);
  if (other) return new TextDecoder(other).decode(bytes);
  assertMarked(bytes, name);
  return isUtf8(bytes) ? bytes.toString("utf8") : decoded(bytes, name, strangeLine(bytes));
}

/** The first line that is no UTF-8. */
function strangeLine(bytes: Buffer): number {
  for (let [line, from] = [1, 0]; ; line += 1) {
    const end = bytes.indexOf(END, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
