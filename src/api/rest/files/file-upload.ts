import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable, Transform } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { FileContent } from "#baas/files";
import { z } from "zod";
import { clientNetwork } from "#platform/client-address";
import { allowSlowBody } from "#platform/http";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { toReadable } from "#platform/streams";
import { parseBody } from "../parse-body.ts";
import { parseInput } from "../parse-input.ts";
import type { Call } from "../rest-route.ts";

/** Maximum concurrent uploads per session, or per address without a session. */
const MAX_CONCURRENT = 20;
const MAX_JSON = 10_000;
const FORM_LIMITS = { fieldSize: 2_000, fields: 20, files: 1, parts: 25, headerPairs: 50 };

const interruptedUpload = () =>
  new Refusal("invalid", "The upload was interrupted. Send the file again.", { kind: "bad-body" });

const activeUploads = new Map<string, number>();

/**
 * Runs an upload, whose body may take hours to arrive, within the limit of concurrent uploads. After a
 * refusal the body is no longer read, so that the client sees the answer.
 */
export async function withUploadLimit({ request, caller }: Call, work: () => Promise<void>): Promise<void> {
  const who = caller.session?.id ?? clientNetwork(request.ip);
  const many = (activeUploads.get(who) ?? 0) + 1;
  if (many > MAX_CONCURRENT && caller.key !== "server")
    throw new Refusal(
      "too-many",
      msg("At most {count} files can be uploaded at once.", { count: MAX_CONCURRENT }),
      {
        retryAfter: 5,
      },
    );
  activeUploads.set(who, many);
  allowSlowBody(request.raw);
  try {
    await work();
  } finally {
    const left = activeUploads.get(who)! - 1;
    if (left > 0) activeUploads.set(who, left);
    else activeUploads.delete(who);
  }
}

/** Reads the body as bytes; `base64` text is decoded. */
export function readBodyBytes({ request }: Call, as: "base64" | "raw"): FileContent {
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const raw = passThrough(request.raw);
  if (as === "raw" || (type !== "" && type !== "text/plain"))
    return { from: raw, length: declaredLength(request.raw) };
  const decoded = new Base64Decoder();
  // The stream may fail before it is read. The reader gets the error when it starts; this listener prevents
  // a crash until then.
  decoded.on("error", () => {});
  raw.once("error", (error) => decoded.destroy(error));
  decoded.once("close", () => raw.destroy());
  const length = declaredLength(request.raw);
  // A base64 character encodes six bits. Padding and line breaks make the estimate too high, never too low.
  return {
    from: raw.pipe(decoded),
    length: length === null ? null : Math.max(0, Math.floor((length * 3) / 4) - 2),
  };
}

export type UploadSource =
  | { kind: "nothing" }
  | { kind: "url"; url: string }
  | { kind: "file"; bring: () => Promise<FileContent> };
export const UrlUpload = z.object({
  url: z.string("Give the url to fetch the file from.").min(1).max(2_000),
});

/** Reads what is uploaded: a form, a URL or raw bytes, depending on the content type. */
export async function readUpload(call: Call): Promise<UploadSource> {
  const { headers, raw } = call.request;
  if (
    declaredLength(raw) === 0 ||
    (declaredLength(raw) === null && headers["transfer-encoding"] === undefined)
  )
    return { kind: "nothing" };
  const type = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === "application/json")
    return { kind: "url", url: parseInput(UrlUpload, parseBody(await readText(raw), type)).url };
  if (type === "multipart/form-data") return { kind: "file", bring: () => readFormFile(raw) };
  return { kind: "file", bring: async () => readBodyBytes(call, "raw") };
}

function declaredLength({ headers }: IncomingMessage): number | null {
  const contentLength = headers["content-length"];
  return contentLength === undefined ? null : Number(contentLength);
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of passThrough(request) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_JSON)
      throw new Refusal("too-large", msg("A JSON body can have at most {count} bytes.", { count: MAX_JSON }));
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/**
 * Copies the request body into another stream, which can be destroyed without closing the client's
 * connection.
 */
function passThrough(request: IncomingMessage): Readable {
  const tap = new PassThrough({ highWaterMark: 256 * 1024 });
  tap.on("error", () => {});
  const broke = () => request.complete || tap.destroy(interruptedUpload());
  request.once("close", broke).once("error", broke);
  tap.once("close", () => request.off("close", broke).off("error", broke));
  return request.pipe(tap);
}

/** Returns the first file of a form while it is still arriving; other fields are ignored. */
function readFormFile(request: IncomingMessage): Promise<FileContent> {
  return new Promise((found, failed) => {
    const raw = passThrough(request);
    const parser = createFormParser(request);
    let file: Readable | null = null;
    const broke = (error: Error) => {
      const refusal = error instanceof Refusal ? error : interruptedUpload();
      failed(refusal);
      // The parser does not pass errors on to the stream of the file.
      file?.destroy(refusal);
      raw.destroy();
    };
    parser.once("file", (_field: string, stream: NodeJS.ReadableStream) => {
      file = toReadable(stream);
      // If the reader stops early, the rest of the body is discarded.
      file.on("error", () => {}).once("close", () => file?.readableEnded || raw.destroy());
      const length = declaredLength(request);
      found({ from: file, length: length === null ? null : Math.max(0, length - MAX_FORM_OVERHEAD) });
    });
    parser.once("finish", () =>
      failed(new Refusal("invalid", "The form contains no file.", { kind: "bad-body" })),
    );
    parser.once("error", broke);
    raw.once("error", broke);
    raw.pipe(parser);
  });
}
/** Maximum bytes of a form besides the file, whose size is limited separately. */
const MAX_FORM_OVERHEAD = 50_000;

function createFormParser({ headers }: IncomingMessage): BusboyInstance {
  try {
    // A form without a content type has no boundary either, so that the parser refuses it.
    return new Busboy({
      headers: { "content-type": headers["content-type"] ?? "" },
      limits: FORM_LIMITS,
    });
  } catch {
    throw interruptedUpload();
  }
}

/** Streaming base64 decoder for both alphabets, with or without line breaks. */
class Base64Decoder extends Transform {
  #left = "";
  #ended = false;
  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, bytes?: Buffer) => void) {
    const text = this.#left + chunk.toString("latin1").replace(/\s+/g, "");
    if (!/^[\w+/-]*={0,2}$/.test(text) || (this.#ended && text !== "")) return done(invalidBase64());
    this.#ended = text.endsWith("=") && text.length % 4 === 0;
    const whole = text.length - (text.length % 4);
    this.#left = text.slice(whole);
    done(null, Buffer.from(text.slice(0, whole), "base64"));
  }
  override _flush(done: (error: Error | null, bytes?: Buffer) => void) {
    if (this.#left.replace(/=+$/, "").length === 1) return done(invalidBase64());
    done(null, Buffer.from(this.#left, "base64"));
  }
}
const invalidBase64 = () =>
  new Refusal("invalid", "The content of a file must be a base64 string.", { kind: "bad-body" });
