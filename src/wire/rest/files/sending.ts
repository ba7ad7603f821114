import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable, Transform } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import type { Content } from "#backend/files";
import { z } from "zod";
import { networkOf } from "#platform/client-address";
import { takesItsTime } from "#platform/http";
import { Refusal } from "#platform/refusal";
import { bodyOf } from "../bodies.ts";
import { parsed } from "../parse.ts";
import type { Call } from "../route.ts";

/** Concurrent uploads per session, or per address without one. */
const AT_ONCE = 20;
const LONGEST_JSON = 10_000;
const FORM = { fieldSize: 2_000, fields: 20, files: 1, parts: 25, headerPairs: 50 };

const brokenOff = () => new Refusal("invalid", "That file broke off on its way. Please send it again.", { kind: "bad-body" });

const underWay = new Map<string, number>();

/**
 * Handles a body that may take hours to arrive. After a refusal reading stops, so that the client sees the
 * answer.
 */
export async function unhurried({ request, caller }: Call, work: () => Promise<void>): Promise<void> {
  const who = caller.session?.id ?? networkOf(request.ip);
  const many = (underWay.get(who) ?? 0) + 1;
  if (many > AT_ONCE && caller.key !== "server")
    throw new Refusal("too-many", `${AT_ONCE} files at once are enough. Let one arrive first.`, { retryAfter: 5 });
  underWay.set(who, many);
  takesItsTime(request.raw);
  try {
    await work();
  } finally {
    const left = underWay.get(who)! - 1;
    if (left > 0) underWay.set(who, left);
    else underWay.delete(who);
  }
}

/** The bytes of a body; base64 text is decoded where the call says so. */
export function bytesIn({ request }: Call, as: "base64" | "raw"): Content {
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const raw = tapOn(request.raw);
  if (as === "raw" || (type !== "" && type !== "text/plain")) return { from: raw, length: lengthOf(request.raw) };
  const decoded = new FromBase64();
  // It may fail before anyone reads it; the reader gets the error then.
  decoded.on("error", () => {});
  raw.once("error", (error) => decoded.destroy(error));
  decoded.once("close", () => raw.destroy());
  const length = lengthOf(request.raw);
  // A base64 character carries six bits; padding and line breaks only make the estimate too high.
  return { from: raw.pipe(decoded), length: length === null ? null : Math.max(0, Math.floor((length * 3) / 4) - 2) };
}

export type Sent = { kind: "nothing" } | { kind: "url"; url: string } | { kind: "file"; bring: () => Promise<Content> };
const FromUrl = z.object({ url: z.string("Say the url to fetch it from.").min(1).max(2_000) });

/** Reads the source of an upload by content type. */
export async function sentIn(call: Call): Promise<Sent> {
  const { headers, raw } = call.request;
  if (lengthOf(raw) === 0 || (lengthOf(raw) === null && headers["transfer-encoding"] === undefined)) return { kind: "nothing" };
  const type = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === "application/json") return { kind: "url", url: parsed(FromUrl, bodyOf(await textOf(raw), type)).url };
  if (type === "multipart/form-data") return { kind: "file", bring: () => fileIn(raw) };
  return { kind: "file", bring: async () => bytesIn(call, "raw") };
}

function lengthOf({ headers }: IncomingMessage): number | null {
  const said = headers["content-length"];
  return said === undefined ? null : Number(said);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of tapOn(request) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LONGEST_JSON) throw new Refusal("too-large", `As JSON, ${LONGEST_JSON} bytes are enough here.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** A pass-through of the request body, so that abandoning it does not close the client's connection. */
function tapOn(request: IncomingMessage): Readable {
  const tap = new PassThrough({ highWaterMark: 256 * 1024 });
  tap.on("error", () => {});
  const broke = () => request.complete || tap.destroy(brokenOff());
  request.once("close", broke).once("error", broke);
  tap.once("close", () => request.off("close", broke).off("error", broke));
  return request.pipe(tap);
}

/** The first file of a form; other fields are ignored. The form is parsed while the file is read. */
function fileIn(request: IncomingMessage): Promise<Content> {
  return new Promise((found, failed) => {
    const raw = tapOn(request);
    const parser = formOf(request);
    let file: Readable | null = null;
    const broke = (error: Error) => {
      const told = error instanceof Refusal ? error : brokenOff();
      failed(told);
      // The parser reports only a successful end to its file.
      file?.destroy(told);
      raw.destroy();
    };
    parser.once("file", (_field: string, stream: NodeJS.ReadableStream) => {
      file = stream as Readable;
      // Abandoned early: the rest is discarded.
      file.on("error", () => {}).once("close", () => (stream as Readable).readableEnded || raw.destroy());
      const length = lengthOf(request);
      found({ from: file, length: length === null ? null : Math.max(0, length - FORM_AROUND) });
    });
    parser.once("finish", () => failed(new Refusal("invalid", "There is no file in that form.", { kind: "bad-body" })));
    parser.once("error", broke);
    raw.once("error", broke);
    raw.pipe(parser);
  });
}
/** Maximum form bytes besides the file; the file itself is counted on arrival. */
const FORM_AROUND = 50_000;

function formOf({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({ headers: { "content-type": headers["content-type"] } as BusboyHeaders, limits: FORM });
  } catch {
    throw brokenOff();
  }
}

/** Streaming base64 decoder for both alphabets, with or without line breaks. */
class FromBase64 extends Transform {
  #left = "";
  #ended = false;
  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, bytes?: Buffer) => void) {
    const text = this.#left + chunk.toString("latin1").replace(/\s+/g, "");
    if (!/^[\w+/-]*={0,2}$/.test(text) || (this.#ended && text !== "")) return done(notBase64());
    this.#ended = text.endsWith("=") && text.length % 4 === 0;
    const whole = text.length - (text.length % 4);
    this.#left = text.slice(whole);
    done(null, Buffer.from(text.slice(0, whole), "base64"));
  }
  override _flush(done: (error: Error | null, bytes?: Buffer) => void) {
    if (this.#left.replace(/=+$/, "").length === 1) return done(notBase64());
    done(null, Buffer.from(this.#left, "base64"));
  }
}
const notBase64 = () => new Refusal("invalid", "The content of a file comes as text in base64.", { kind: "bad-body" });
