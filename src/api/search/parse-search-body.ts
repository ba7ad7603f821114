import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { errorCode, errorMessage } from "#platform/errors";
import { isDeeperThan } from "#platform/http";
import { isObject } from "#platform/objects";
import { readChunks } from "#platform/streams";
import { SearchApiError } from "./search-api-error.ts";

/** Maximum bytes of a call, before and after decompression. */
const MAX_BYTES = 1_000_000;
/**
 * Maximum nesting of lists and objects. Known parameters need three levels; unknown ones are repeated in the
 * answer.
 */
const MAX_DEPTH = 100;
const gunzipAsync = promisify(gunzip);

/**
 * Parses the body of a call as JSON whatever its content type, since clients do not send one. An empty body
 * is an empty object.
 * @throws 400 for anything but an object, 413 for too large a body
 */
export async function parseSearchBody(request: FastifyRequest): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  const json = parseJson(
    (request.headers["content-encoding"] ?? "").includes("gzip") ? await decompress(bytes) : bytes,
  );
  if (!isObject(json)) throw new SearchApiError(400, "The body should be a JSON object");
  return json;
}

function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString();
  if (isDeeperThan(MAX_DEPTH, text))
    throw new SearchApiError(400, `Lists and objects can be nested at most ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SearchApiError(400, `Invalid JSON: ${errorMessage(error).slice(0, 200)}`);
  }
}

async function decompress(bytes: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw tooLargeError();
    throw new SearchApiError(400, "The body is declared as gzip, but is not");
  }
}

const tooLargeError = () => new SearchApiError(413, `The body has more than ${MAX_BYTES} bytes`);

async function readBytes(request: FastifyRequest): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) throw tooLargeError();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.body instanceof Readable ? readChunks(request.body) : []) {
    size += part.length;
    if (size > MAX_BYTES) throw tooLargeError();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
