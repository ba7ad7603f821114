import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { getMessageFile } from "#community/conversations";
import { getPendingPostFile, getPostFile } from "#community/discussions";
import { getGroupExportFile } from "#community/groups";
import { getExportFile, getPicture, findSession } from "#community/accounts";
import { getEvidenceFile } from "#community/moderation";
import { getFile, type StoredFile, getThumbnail } from "#community/resources";
import { GUEST, type Viewer } from "#community/rules";
import {
  contentDisposition,
  SANDBOX_HEADERS,
  matchesEtag,
  parseRange,
  contentTypeHeader,
} from "#platform/http";
import { notFound, Refusal } from "#platform/refusal";
import { readCookies, SESSION_COOKIE } from "../cookies.ts";
import type { WebContext } from "../web-context.ts";

type FileRequest = FastifyRequest<{ Params: { uploadId: string } }>;
type FindFile = (
  app: Pick<WebContext, "database" | "db" | "storage">,
  viewer: Viewer,
  uploadId: string,
) => Promise<StoredFile>;

/** Serves stored pictures and files that the viewer of the request may see. */
export async function serveFiles(
  server: FastifyInstance,
  app: Pick<WebContext, "database" | "db" | "settings" | "storage" | "now">,
) {
  const answer = (find: FindFile) => async (request: FileRequest, reply: FastifyReply) => {
    // Refusals are not cached either: a hidden file may become visible tomorrow.
    void reply.header("cache-control", "no-store");
    const viewer = await resolveViewer(request, app);
    const { audience } = await app.settings.get();
    if (audience === "private" && viewer.id === null) throw notFound();
    const file = await find(app, viewer, request.params.uploadId);
    return sendFile(request, reply, { ...file, open: file.open && audience === "public" }, app);
  };
  server.route({ method: ["GET", "HEAD"], url: "/files/pictures/:uploadId", handler: answer(findPicture) });
  server.route({ method: ["GET", "HEAD"], url: "/files/evidence/:uploadId", handler: answer(findEvidence) });
  server.route({ method: ["GET", "HEAD"], url: "/files/exports/:uploadId", handler: answer(findExport) });
  server.route({
    method: ["GET", "HEAD"],
    url: "/files/:uploadId/thumbnail",
    handler: answer(findThumbnail),
  });
  server.route({ method: ["GET", "HEAD"], url: "/files/:uploadId", handler: answer(findFile) });
}

export async function resolveViewer(
  request: FastifyRequest,
  app: Pick<WebContext, "database" | "settings" | "now">,
): Promise<Viewer> {
  const token = readCookies(request.headers.cookie).get(SESSION_COOKIE);
  const known = token ? await findSession(app, token, "web") : null;
  return known?.viewer ?? GUEST;
}

/** Finds files of the library and of groups; all others are pictures in posts and messages. */
const findFile: FindFile = ({ db }, viewer, uploadId) =>
  getFile(db, viewer, uploadId)
    .catch(orElse(() => getPostFile(db, viewer, uploadId)))
    .catch(orElse(() => getMessageFile(db, viewer, uploadId)))
    .catch(orElse(() => getPendingPostFile(db, viewer, uploadId)));

/** Finds a picture or file of a case. */
const findEvidence: FindFile = ({ database }, viewer, id) =>
  database.inTransaction((tx) => getEvidenceFile(tx, viewer, id));

/** Finds the thumbnail of a library file. */
const findThumbnail: FindFile = async ({ db, storage }, viewer, uploadId) => {
  const found = await getThumbnail(db, viewer, uploadId);
  const size = await storage.sizeOf(found.hash);
  if (size === null) throw notFound();
  return { ...found, size };
};

/** Finds an export that the viewer requested: their own data, or a group's. */
const findExport: FindFile = (app, viewer, id) =>
  findOwnExport(app, viewer, id).catch(orElse(() => findGroupExport(app, viewer, id)));

const findOwnExport: FindFile = async ({ db }, viewer, id) => ({
  ...(await getExportFile(db, viewer, id, new Date())),
  mime: "application/zip",
  fileName: "everything.zip",
  open: false,
});

const findGroupExport: FindFile = async ({ db }, viewer, id) => {
  const { slug, ...file } = await getGroupExportFile(db, viewer, id, new Date());
  return { ...file, mime: "application/zip", fileName: `${slug}.zip`, open: false };
};

/** Runs a second lookup if the first one throws `not-found`. */
const orElse =
  <T>(look: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (error instanceof Refusal && error.reason === "not-found") return look();
    throw error;
  };

/** Looks for a picture of a person first, since most pictures are; then for a picture of a group. */
async function findPicture(
  { db }: Pick<WebContext, "db">,
  viewer: Viewer,
  uploadId: string,
): Promise<StoredFile> {
  const ofPerson = await getPicture(db, viewer, uploadId).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  });
  if (ofPerson) return { ...ofPerson, fileName: "" };
  const file = await getFile(db, viewer, uploadId);
  if (!file.mime.startsWith("image/")) throw notFound();
  return file;
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  { storage }: Pick<WebContext, "storage">,
) {
  const etag = `"${file.hash}"`;
  const stale = request.headers["if-range"] !== undefined && request.headers["if-range"] !== etag;
  const range = stale ? null : parseRange(request.headers.range, file.size);
  if (matchesEtag(request.headers["if-none-match"], etag))
    return reply.headers(cacheHeaders(file, etag)).code(304).send();
  if (range === "none")
    return reply
      .code(416)
      .header("content-range", `bytes */${file.size}`)
      .type("text/plain; charset=utf-8")
      .send("There is no such part of this file.");

  const body = request.method === "HEAD" ? undefined : await storage.open(file.hash, range ?? undefined);
  if (range) void reply.code(206).header("content-range", `bytes ${range.from}-${range.to}/${file.size}`);
  return reply
    .headers({
      ...cacheHeaders(file, etag),
      ...SANDBOX_HEADERS,
      "content-type": contentTypeHeader(file.mime),
      "content-length": range ? range.to - range.from + 1 : file.size,
      "content-disposition": contentDisposition(file),
      "cross-origin-resource-policy": "same-origin",
    })
    .send(body);
}

/**
 * The bytes of an upload never change, so they are cached. With `vary`, the browser does not show private
 * files from its cache after signing out.
 */
const cacheHeaders = ({ open }: StoredFile, etag: string) =>
  open
    ? { etag, "cache-control": "public, max-age=31536000, immutable" }
    : { etag, "cache-control": "private, max-age=3600", vary: "Cookie" };
