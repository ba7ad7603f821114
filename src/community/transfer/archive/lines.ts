import type { Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import type { Bundle } from "./bundle.ts";

/** The text is null where the line is longer than a line may be. */
export type Line = { number: number; text: string | null };
const LONGEST = 4_000_000;

/** The lines of a stream, one at a time, whatever its pieces are. A line without end costs no memory. */
export async function* linesOf(stream: Readable): AsyncGenerator<Line> {
  stream.setEncoding("utf8");
  let [number, rest, skipping] = [0, "", false];
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split("\n");
    rest = parts.pop()!;
    for (const part of parts) {
      yield { number: ++number, text: skipping || part.length > LONGEST ? null : part };
      skipping = false;
    }
    if (rest.length > LONGEST) [rest, skipping] = ["", true];
  }
  if (rest !== "" || skipping) yield { number: number + 1, text: skipping ? null : rest };
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

/** A file as one text, for formats that are many small files. Throws the refusal `invalid` beyond 50 MB. */
export async function textOf(stream: Readable, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > MOST_WHOLE) throw new Refusal("invalid", `${name} is larger than ${MOST_WHOLE / 1_000_000} MB.`);
    parts.push(chunk as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}
