import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { Bundle } from "./bundle.ts";

/** `text` is null if the line is too long or not UTF-8; `fault` states why. */
export type Line = { number: number; text: string | null; fault?: string };
const LONGEST = 4_000_000;

/** Characters of some alphabets have up to three bytes. */
const LONGEST_IN_BYTES = 3 * LONGEST;
const END = 0x0a;

/**
 * The lines of a stream one at a time, across chunks. An endless line uses no memory.
 * @throws `invalid` for a file that does not start as UTF-8
 */
export async function* linesOf(stream: Readable, name: string): AsyncGenerator<Line> {
  let [number, size, parts]: [number, number, Buffer[]] = [0, 0, []];
  const whole = (): Line => {
    number += 1;
    const bytes = Buffer.concat(parts);
    if (number === 1 && (utf16Of(bytes) || isUnmarked(bytes))) throw new Refusal("invalid", `${name} ${UTF_16}`);
    const isLong = size > LONGEST_IN_BYTES;
    [size, parts] = [0, []];
    if (isLong) return { number, text: null };
    if (!isUtf8(bytes)) return { number, text: null, fault: "it is no UTF-8." };
    const text = bytes.toString("utf8");
    return { number, text: text.length > LONGEST ? null : text };
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

/** By the byte order mark. */
const utf16Of = (bytes: Buffer) =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;

const UTF_16 = "is UTF-16: write it down as UTF-8.";
const notUtf8 = (line: number) => `is no UTF-8: look at its line ${line}.`;
const LOOK = 64;

/** UTF-16 without a byte order mark: plain letters have a NUL beside each, which UTF-8 would allow too. */
const isUnmarked = (bytes: Buffer) => bytes.subarray(0, LOOK).filter((byte) => byte === 0).length * 4 > Math.min(bytes.length, LOOK);

/** @throws `invalid` for UTF-16 without a byte order mark */
export function assertMarked(bytes: Buffer, name: string): void {
  if (isUnmarked(bytes)) throw new Refusal("invalid", `${name} ${UTF_16}`);
}

/** Parsed JSON, to be checked by a schema; undefined if it is invalid. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

const MOST_WHOLE = 50_000_000;

/**
 * A file as JSON, or the sentence stating why it is skipped: an unreadable or too large file does not stop
 * the others.
 */
export async function jsonIn(bundle: Bundle, name: string): Promise<{ json: unknown } | { fault: string }> {
  const bytes = await orFault(async () => bytesOf(await bundle.read(name), name));
  if ("fault" in bytes) return { fault: `Left out: ${bytes.fault}` };
  const read = textIn(bytes.whole);
  if ("fault" in read) return { fault: `Left out: it ${read.fault}` };
  if (read.text.trim() === "") return { fault: "Left out: it is empty." };
  const json = jsonOf(read.text);
  return json === undefined ? { fault: "Left out: it is no JSON, or its end is missing." } : { json };
}

/**
 * A file as text, for formats of many small files.
 * @throws `invalid` beyond 50 MB, and for text that is neither UTF-8 nor UTF-16
 */
export async function textOf(stream: Readable, name: string): Promise<string> {
  const read = textIn(await bytesOf(stream, name));
  if ("fault" in read) throw new Refusal("invalid", `${name} ${read.fault}`);
  return read.text;
}

/** The result, or the sentence of the refusal that prevented it. */
export async function orFault<T>(read: () => Promise<T>): Promise<{ whole: T } | { fault: string }> {
  try {
    return { whole: await read() };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.message };
    throw error;
  }
}

async function bytesOf(stream: Readable, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > MOST_WHOLE) throw new Refusal("invalid", `${name} is larger than ${MOST_WHOLE / 1_000_000} MB.`);
    parts.push(chunk as Buffer);
  }
  return Buffer.concat(parts);
}

/** The bytes as text, or the end of a sentence stating what they are. */
function textIn(bytes: Buffer): { text: string } | { fault: string } {
  const other = utf16Of(bytes);
  if (other) return { text: new TextDecoder(other).decode(bytes) };
  if (isUnmarked(bytes)) return { fault: UTF_16 };
  return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { fault: notUtf8(strangeLine(bytes)) };
}

/** The first line that is not UTF-8. */
function strangeLine(bytes: Buffer): number {
  for (let [line, from] = [1, 0]; ; line += 1) {
    const end = bytes.indexOf(END, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
