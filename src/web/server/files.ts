import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { messageFileFor } from "#community/conversations";
import { heldFileFor, postFileFor } from "#community/discussions";
import { groupExportFileFor } from "#community/groups";
import { exportFileFor, pictureFor } from "#community/people";
import { fileFor, type StoredFile, thumbnailFor } from "#community/resources";
import { GUEST, type Viewer } from "#community/rules";
import { dispositionOf, HARMLESS, isKnown, rangeOf, typeOf } from "#platform/http";
import { notFound, Refusal } from "#platform/refusal";
import { readCookies, SESSION } from "../cookies.ts";
import type { House } from "../house.ts";

type Asked = FastifyRequest<{ Params: { uploadId: string } }>;
type Find = (house: House, viewer: Viewer, uploadId: string) => Promise<StoredFile>;

/** Serves stored pictures and files, each looked up as the viewer of the request. */
export async function serveFiles(server: FastifyInstance, house: House) {
  const answer = (find: Find) => async (request: Asked, reply: FastifyReply) => {
    // Also for refusals: what is hidden today may be visible tomorrow.
    void reply.header("cache-control", "no-store");
    const viewer = await viewerOf(request, house);
    const { audience } = await house.settings.get();
    if (audience === "private" && viewer.id === null) throw notFound();
    const file = await find(house, viewer, request.params.uploadId);
    return send(request, reply, { ...file, open: file.open && audience === "public" }, house);
  };
  server.route({ method: ["GET", "HEAD"], url: "/files/pictures/:uploadId", handler: answer(picture) });
  server.route({ method: ["GET", "HEAD"], url: "/files/exports/:uploadId", handler: answer(exported) });
  server.route({ method: ["GET", "HEAD"], url: "/files/:uploadId/thumbnail", handler: answer(thumbnail) });
  server.route({ method: ["GET", "HEAD"], url: "/files/:uploadId", handler: answer(file) });
}

export async function viewerOf(request: FastifyRequest, house: House): Promise<Viewer> {
  const token = readCookies(request.headers.cookie).get(SESSION);
  const known = token ? await house.accounts.sessionFor(token, "web") : null;
  return known?.viewer ?? GUEST;
}

/** Files of the library and of groups; all others are pictures in posts and messages. */
const file: Find = ({ db }, viewer, uploadId) =>
  fileFor(db, viewer, uploadId)
    .catch(elsewhere(() => postFileFor(db, viewer, uploadId)))
    .catch(elsewhere(() => messageFileFor(db, viewer, uploadId)))
    .catch(elsewhere(() => heldFileFor(db, viewer, uploadId)));

/** Thumbnail of a library file. */
const thumbnail: Find = async ({ db, storage }, viewer, uploadId) => {
  const found = await thumbnailFor(db, viewer, uploadId);
  const size = await storage.sizeOf(found.hash);
  if (size === null) throw notFound();
  return { ...found, size };
};

/** Exports that the viewer asked for: their own data, or a group's. */
const exported: Find = (house, viewer, id) => ownExport(house, viewer, id).catch(elsewhere(() => takenAlong(house, viewer, id)));

const ownExport: Find = async ({ db }, viewer, id) => ({
  ...(await exportFileFor(db, viewer, id, new Date())),
  mime: "application/zip",
  fileName: "everything.zip",
  open: false,
});

const takenAlong: Find = async ({ db }, viewer, id) => {
  const { slug, ...file } = await groupExportFileFor(db, viewer, id, new Date());
  return { ...file, mime: "application/zip", fileName: `${slug}.zip`, open: false };
};

/** Looks somewhere else if the first lookup finds nothing. */
const elsewhere =
  <T>(look: () => Promise<T>) =>
  (error: unknown): Promise<T> => {
    if (error instanceof Refusal && error.reason === "not-found") return look();
    throw error;
  };

/** Most pictures are of people; the rest belong to groups. */
async function picture({ db }: House, viewer: Viewer, uploadId: string): Promise<StoredFile> {
  const ofPerson = await pictureFor(db, viewer, uploadId).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  });
  if (ofPerson) return { ...ofPerson, fileName: "" };
  const file = await fileFor(db, viewer, uploadId);
  if (!file.mime.startsWith("image/")) throw notFound();
  return file;
}

async function send(request: FastifyRequest, reply: FastifyReply, file: StoredFile, { storage }: House) {
  const etag = `"${file.hash}"`;
  const stale = request.headers["if-range"] !== undefined && request.headers["if-range"] !== etag;
  const range = stale ? null : rangeOf(request.headers.range, file.size);
  if (isKnown(request.headers["if-none-match"], etag)) return reply.headers(keepingOf(file, etag)).code(304).send();
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
      ...keepingOf(file, etag),
      ...HARMLESS,
      "content-type": typeOf(file.mime),
      "content-length": range ? range.to - range.from + 1 : file.size,
      "content-disposition": dispositionOf(file),
      "cross-origin-resource-policy": "same-origin",
    })
    .send(body);
}

/**
 * The bytes of an upload never change. `vary` keeps private ones from being read from the browser's cache
 * after signing out.
 */
const keepingOf = ({ open }: StoredFile, etag: string) =>
  open
    ? { etag, "cache-control": "public, max-age=31536000, immutable" }
    : { etag, "cache-control": "private, max-age=3600", vary: "Cookie" };
