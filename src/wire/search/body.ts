import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { isDeeperThan } from "#platform/http";
import { Fault } from "./fault.ts";

/** Maximum bytes of a call, before and after decompression. */
const MOST = 1_000_000;
/** Maximum nesting of lists and objects. Known parameters need three levels; unknown ones are echoed. */
const DEEPEST = 100;
const unpack = promisify(gunzip);

/**
 * Parses a call: JSON whatever its content type, since clients do not send one. An empty body is an empty
 * object.
 * @throws 400 for anything but an object, and 413 for too much
 */
export async function bodyOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const bytes = await bytesOf(request);
  if (bytes.length === 0) return {};
  const read = jsonOf((request.headers["content-encoding"] ?? "").includes("gzip") ? await unpacked(bytes) : bytes);
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Fault(400, "The body should be a JSON object");
  return read as Record<string, unknown>;
}

function jsonOf(bytes: Buffer): unknown {
  const text = bytes.toString();
  if (isDeeperThan(DEEPEST, text)) throw new Fault(400, `Lists and objects can stand ${DEEPEST} deep in one another`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault(400, `Invalid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

async function unpacked(bytes: Buffer): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: MOST });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new Fault(400, "The body says that it is gzip, and is not");
  }
}

const tooLarge = () => new Fault(413, `The body has more than ${MOST} bytes`);

async function bytesOf(request: FastifyRequest): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > MOST) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of (request.body as Readable | undefined) ?? []) {
    size += (part as Buffer).length;
    if (size > MOST) throw tooLarge();
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}
