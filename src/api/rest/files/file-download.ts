import { Readable } from "node:stream";
import {
  countFiles,
  type FileEntry,
  fileExists,
  listFiles,
  type OpenedFile,
  openFile,
  type FileOrder,
  FILE_ORDERS,
} from "#baas/files";
import { z } from "zod";
import { clientNetwork } from "#platform/client-address";
import {
  contentDisposition,
  SANDBOX_HEADERS,
  matchesEtag,
  parseRange,
  contentTypeHeader,
} from "#platform/http";
import { isOneOf } from "#platform/objects";
import { countCall } from "../call-limits.ts";
import { parseInput } from "../parse-input.ts";
import { RESPONSE_SENT, type Call } from "../rest-route.ts";
import { fileUrl, readFilePath, toFileCaller } from "./file-requests.ts";

/** Maximum downloads per session, or per address without a session, in five minutes. */
const DOWNLOAD_LIMIT = { points: 6_000, seconds: 300 };
const MAX_LISTED = 1_000;

export const booleanParam = z
  .enum(["true", "false", "null", ""], "must be true or false")
  .transform((text) => text === "true");
const integerParam = z
  .string("must be given once")
  .regex(/^\d{1,9}$/, "must be a whole number of at least 0")
  .transform(Number);
const ListingParams = z.object({
  pattern: z.string("must be given once").optional(),
  sub: booleanParam.default(false),
  pagesize: integerParam.refine((n) => n <= MAX_LISTED, `can be at most ${MAX_LISTED}`).default(100),
  offset: integerParam.default(0),
  sortBy: z
    .string("must be given once")
    .regex(
      /^(name|size|created|updated)( (asc|desc))?$/i,
      "must be name, size, created or updated, followed by asc or desc",
    )
    .optional(),
});
export const CountParams = ListingParams.extend({ countDirectories: booleanParam.default(false) });

/**
 * Answers a GET on a path with the file's bytes, a directory listing, a count, or whether the file exists.
 */
export async function getFile(call: Call): Promise<unknown> {
  const { app, query } = call;
  const path = readFilePath(call);
  if (query["action"] === "exists" || query["action"] === "count") {
    await countCall(app, call.caller, call.request);
    if (query["action"] === "exists") return fileExists(app.files, toFileCaller(call), path);
    const { pattern, sub, countDirectories } = parseInput(CountParams, query);
    return countFiles(app.files, toFileCaller(call), path, {
      pattern,
      deep: sub,
      directories: countDirectories,
    });
  }
  const { key, session } = call.caller;
  if (key !== "server")
    await app.limits.take("files-got", DOWNLOAD_LIMIT, session?.id ?? clientNetwork(call.request.ip));
  const file = await openFile(app.files, toFileCaller(call), path);
  if (file !== "directory") return sendFile(call, file);
  await countCall(app, call.caller, call.request);
  const { pattern, sub, pagesize, offset, sortBy } = parseInput(ListingParams, query);
  const wanted = { pattern, deep: sub, most: pagesize, offset, order: parseOrder(sortBy) };
  return (await listFiles(app.files, toFileCaller(call), path, wanted)).map((entry) =>
    formatEntry(call, entry),
  );
}

function parseOrder(text: string | undefined): FileOrder | undefined {
  const [by, direction] = (text ?? "").toLowerCase().split(" ");
  return isOneOf(FILE_ORDERS, by) ? { by, descending: direction === "desc" } : undefined;
}

function formatEntry(call: Call, { name, path, createdAt, updatedAt, size }: FileEntry) {
  const publicUrl = fileUrl(call, path);
  return {
    name,
    createdOn: createdAt.getTime(),
    updatedOn: updatedAt.getTime(),
    publicUrl,
    url: path.join("/"),
    size,
  };
}

async function sendFile({ request, reply, caller }: Call, { node, open }: OpenedFile) {
  const etag = `"${node.version}"`;
  // Headers for caches, which must revalidate each time because content and permissions may change.
  const kept = {
    etag,
    "cache-control": caller.session ? "private, no-cache" : "no-cache",
    vary: "user-token",
    "last-modified": node.updatedAt.toUTCString(),
  };
  if (matchesEtag(request.headers["if-none-match"], etag)) {
    void reply.headers(kept).code(304).send();
    return RESPONSE_SENT;
  }
  const stale = request.headers["if-range"] !== undefined && request.headers["if-range"] !== etag;
  const range = stale ? null : parseRange(request.headers.range, node.size);
  if (range === "none") {
    void reply.code(416).header("content-range", `bytes */${node.size}`).type("text/plain; charset=utf-8");
    void reply.send("There is no such part of this file.");
    return RESPONSE_SENT;
  }
  const body = request.method === "HEAD" ? Readable.from([]) : await open(range ?? undefined);
  if (range) void reply.code(206).header("content-range", `bytes ${range.from}-${range.to}/${node.size}`);
  void reply
    .headers({
      ...kept,
      ...SANDBOX_HEADERS,
      "content-type": contentTypeHeader(node.mime),
      "content-length": range ? range.to - range.from + 1 : node.size,
      "content-disposition": contentDisposition({ mime: node.mime, fileName: node.name }),
      "cross-origin-resource-policy": "cross-origin",
    })
    .send(body);
  return RESPONSE_SENT;
}
