import type { IncomingMessage } from "node:http";
import { addAbortSignal, type Duplex, PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { getOwnProperty } from "#platform/objects";
import { decodePage } from "./charset.ts";
import { FetchError, OversizedResponse } from "./fetch-errors.ts";

/** Maximum uncompressed bytes of a page that are read: its metadata is at the beginning. */
const MAX_PAGE_BYTES = 512 * 1024;
/** Maximum bytes read from the connection for a page; compression never makes content much longer. */
const MAX_COMPRESSED = MAX_PAGE_BYTES + 64 * 1024;

const DECOMPRESSORS: Record<string, () => Duplex> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Streams the body; fails with a `FetchError` when no data arrives for too long. */
export function readFileResponse(answer: IncomingMessage): { body: Readable; length: number | null } {
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (answer.statusCode !== 200 || encoding !== "identity") {
    answer.destroy();
    throw new FetchError(
      answer.statusCode === 200
        ? "The response is compressed, which was not requested."
        : "The response is empty.",
    );
  }
  const contentLength = answer.headers["content-length"];
  const body = new PassThrough();
  // The body may fail before it has a reader; a later reader still gets the error.
  body.on("error", () => {});
  pipeline(answer as Readable, body).catch(() =>
    body.destroy(new FetchError("The response was cut off.", { passing: true })),
  );
  return {
    body,
    length: contentLength !== undefined && /^\d{1,15}$/.test(contentLength) ? Number(contentLength) : null,
  };
}

/** True for a failed response whose cause is a temporary problem of the server. */
const isTemporary = ({ statusCode = 0 }: IncomingMessage) =>
  statusCode >= 500 || [408, 425, 429].includes(statusCode);

export async function readHtml(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const type = answer.headers["content-type"] ?? "";
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = getOwnProperty(DECOMPRESSORS, encoding);
  try {
    if (answer.statusCode !== 200)
      throw new FetchError("There is no page.", { passing: isTemporary(answer) });
    if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) throw new FetchError("This is not a page.");
    if (!unpack && encoding !== "identity") throw new FetchError("The response has an unknown compression.");
    const source = unpack ? decompress(answer, unpack()) : answer;
    return decodePage(await readBeginning(addAbortSignal(signal, source)), type);
  } finally {
    answer.destroy();
  }
}

/** Validators of a response, cut to the lengths that we store. */
export const readValidators = ({ headers }: IncomingMessage) => ({
  etag: headers.etag && headers.etag.length <= 300 ? headers.etag : null,
  lastModified: headers["last-modified"]?.slice(0, 100) ?? null,
});

type DocumentOptions = {
  signal: AbortSignal;
  known: { etag: string | null; lastModified: string | null };
  most: number;
};

/** Reads a whole text of at most `most` bytes, decompressed. After 304 the known validators are kept. */
export async function readDocument(answer: IncomingMessage, { signal, known, most }: DocumentOptions) {
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = getOwnProperty(DECOMPRESSORS, encoding);
  try {
    if (answer.statusCode === 304) return { text: null, etag: known.etag, lastModified: known.lastModified };
    if (answer.statusCode !== 200)
      throw new FetchError("There is no document.", { passing: isTemporary(answer) });
    if (!unpack && encoding !== "identity") throw new FetchError("The response has an unknown compression.");
    if (Number(answer.headers["content-length"] ?? 0) > most)
      throw new OversizedResponse("The response is too large.");
    const source = unpack ? decompress(answer, unpack(), most) : answer;
    const bytes = await readBeginning(addAbortSignal(signal, source), most + 1);
    if (bytes.length > most) throw new OversizedResponse("The response is too large.");
    return { text: new TextDecoder().decode(bytes), ...readValidators(answer) };
  } finally {
    answer.destroy();
  }
}

/** Decompresses the body. A broken or undecodable stream fails the read with its error. */
function decompress(answer: IncomingMessage, unpacking: Duplex, most = MAX_COMPRESSED): Readable {
  pipeline(answer as Readable, limitBytes(most), unpacking).catch(() => {});
  return unpacking;
}

/** Reads the beginning of a body. The rest of a longer one is never requested. */
async function readBeginning(source: Readable, most = MAX_PAGE_BYTES): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of source as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most);
}

/** Maximum bytes of a response that are read as text. */
const MAX_TEXT_BYTES = 10 * 1024;

/** Reads the beginning of any response as UTF-8. A compressed body, which nobody requested, is not read. */
export async function readTextBeginning(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  try {
    if (answer.headers["content-encoding"]) return "";
    const bytes = await readBeginning(addAbortSignal(signal, answer), MAX_TEXT_BYTES);
    return new TextDecoder().decode(bytes, { stream: true });
  } finally {
    answer.destroy();
  }
}

/** Passes up to `most` bytes and fails at the next one. */
function limitBytes(most: number): Transform {
  let size = 0;
  return new Transform({
    transform(part: Buffer, _encoding, callback) {
      size += part.length;
      callback(size > most ? new FetchError("The response is too large.") : null, part);
    },
  });
}
