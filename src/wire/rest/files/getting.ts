import { Readable } from "node:stream";
import { countFiles, type Entry, isFile, listFiles, type Opened, openFile, type Order } from "#backend/files";
import { z } from "zod";
import { networkOf } from "#platform/client-address";
import { dispositionOf, HARMLESS, isKnown, rangeOf, typeOf } from "#platform/http";
import { countCall } from "../counting.ts";
import { parsed } from "../parse.ts";
import { ANSWERED, type Call } from "../route.ts";
import { addressOf, pathIn, whoIn } from "./asking.ts";

/** Downloads per five minutes and session, or address without one. */
const GOT = { points: 6_000, seconds: 300 };
const MOST_LISTED = 1_000;

export const flag = z.enum(["true", "false", "null", ""], "is true or false").transform((text) => text === "true");
const whole = z
  .string("is said once")
  .regex(/^\d{1,9}$/, "is a whole number of at least 0")
  .transform(Number);
const Listing = z.object({
  pattern: z.string("is said once").optional(),
  sub: flag.default(false),
  pagesize: whole.refine((n) => n <= MOST_LISTED, `is ${MOST_LISTED} at the most`).default(100),
  offset: whole.default(0),
  sortBy: z
    .string("is said once")
    .regex(/^(name|size|created|updated)( (asc|desc))?$/i, "is name, size, created or updated, and asc or desc after it")
    .optional(),
});
const Counting = Listing.extend({ countDirectories: flag.default(false) });

/** Answers a path: the file's bytes, a directory listing, a count, or whether it exists. */
export async function getFile(call: Call): Promise<unknown> {
  const { house, query } = call;
  const path = pathIn(call);
  if (query["action"] === "exists" || query["action"] === "count") {
    await countCall(house, call.caller, call.request);
    if (query["action"] === "exists") return isFile(house.files, whoIn(call), path);
    const { pattern, sub, countDirectories } = parsed(Counting, query);
    return countFiles(house.files, whoIn(call), path, { pattern, deep: sub, directories: countDirectories });
  }
  const { key, session } = call.caller;
  if (key !== "server") await house.limits.take("files-got", GOT, session?.id ?? networkOf(call.request.ip));
  const file = await openFile(house.files, whoIn(call), path);
  if (file !== "directory") return send(call, file);
  await countCall(house, call.caller, call.request);
  const { pattern, sub, pagesize, offset, sortBy } = parsed(Listing, query);
  const wanted = { pattern, deep: sub, most: pagesize, offset, order: orderOf(sortBy) };
  return (await listFiles(house.files, whoIn(call), path, wanted)).map((entry) => entryOut(call, entry));
}

function orderOf(text: string | undefined): Order | undefined {
  const [by, way] = (text ?? "").toLowerCase().split(" ");
  return by ? { by: by as Order["by"], descending: way === "desc" } : undefined;
}

function entryOut(call: Call, { name, path, createdAt, updatedAt, size }: Entry) {
  const publicUrl = addressOf(call, path);
  return { name, createdOn: createdAt.getTime(), updatedOn: updatedAt.getTime(), publicUrl, url: path.join("/"), size };
}

async function send({ request, reply, caller }: Call, { node, open }: Opened) {
  const etag = `"${node.version}"`;
  // Content and permissions may change: caches must revalidate each time.
  const kept = {
    etag,
    "cache-control": caller.session ? "private, no-cache" : "no-cache",
    vary: "user-token",
    "last-modified": node.updatedAt.toUTCString(),
  };
  if (isKnown(request.headers["if-none-match"], etag)) {
    void reply.headers(kept).code(304).send();
    return ANSWERED;
  }
  const stale = request.headers["if-range"] !== undefined && request.headers["if-range"] !== etag;
  const range = stale ? null : rangeOf(request.headers.range, node.size);
  if (range === "none") {
    void reply.code(416).header("content-range", `bytes */${node.size}`).type("text/plain; charset=utf-8");
    void reply.send("There is no such part of this file.");
    return ANSWERED;
  }
  const body = request.method === "HEAD" ? Readable.from([]) : await open(range ?? undefined);
  if (range) void reply.code(206).header("content-range", `bytes ${range.from}-${range.to}/${node.size}`);
  void reply
    .headers({
      ...kept,
      ...HARMLESS,
      "content-type": typeOf(node.mime),
      "content-length": range ? range.to - range.from + 1 : node.size,
      "content-disposition": dispositionOf({ mime: node.mime, fileName: node.name }),
      "cross-origin-resource-policy": "cross-origin",
    })
    .send(body);
  return ANSWERED;
}
