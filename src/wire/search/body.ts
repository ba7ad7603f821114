import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { isDeeperThan } from "#platform/http";
import { Fault } from "./fault.ts";

/** Bytes of a call, before and after it is unpacked. */
const MOST = 1_000_000;
/** How deep lists and objects stand in one another at the most: what is known goes three deep, and what is not is said again. */
const DEEPEST = 100;
const unpack = promisify(gunzip);

/**
 * What a call says: JSON, whatever its content type is, since no client says that it is. Nothing at all is an empty object.
 * Throws 400 for what is no object and 413 for what is too large.
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
