import { type Locker, Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { getIncomingUpload, requireUploader, getMaxBytes } from "#community/uploads";
import type { SignedIn } from "#community/rules";
import type { Message } from "#platform/messages";
import { isSameOrigin } from "#platform/http";
import { Locks } from "#platform/locks";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import type { WebContext } from "../web-context.ts";
import { resolveViewer } from "./serve-files.ts";
import { TusDataStore } from "./tus-data-store.ts";
import { assertFileLimit } from "./upload-rate-limits.ts";
import { requestLocale, type TranslateInto } from "./picture-uploads.ts";

const UPLOAD_PATH = "/uploads/files";
const MAX_CONCURRENT = 5;

/**
 * Serves resumable uploads by the tus protocol (1.0.0, with creation and termination). A complete file
 * becomes an upload of the viewer; its id is the last segment of its address.
 */
export async function serveResumableUploads(
  server: FastifyInstance,
  app: Pick<
    WebContext,
    "database" | "settings" | "limits" | "storage" | "scanner" | "log" | "origin" | "now"
  >,
  translate: TranslateInto,
) {
  const underWay = new Map<string, number>();
  const locker = createLocker(new Locks({ pool: app.database.pool }));
  await server.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const answer = async (request: FastifyRequest<{ Params: { id?: string } }>, reply: FastifyReply) => {
      void reply.header("cache-control", "no-store");
      const me = await authorizeUpload(request, app, underWay).catch((error: unknown) =>
        sendRefusal(request, reply, error, translate),
      );
      if (!me) return reply;
      const tus = new Server({
        path: UPLOAD_PATH,
        datastore: new TusDataStore(app, me),
        locker,
        relativeLocation: true,
        allowedOrigins: [app.origin()],
        maxSize: () => getMaxBytes(app.settings),
        namingFunction: (_asked, metadata) =>
          TusDataStore.begin(app, me, request.headers["upload-length"], metadata?.["filename"]),
        onUploadFinish: async (_asked, upload) => {
          await TusDataStore.finish(app, me, upload.id);
          return {};
        },
        onResponseError: (_asked, error) => formatError(error, app, request, translate),
      });
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      await trackConcurrency(underWay, me, request.method === "PATCH", () =>
        tus.handle(request.raw, reply.raw),
      );
    };
    part.route({ method: "POST", url: UPLOAD_PATH, handler: answer });
    part.route({ method: ["HEAD", "PATCH", "DELETE"], url: `${UPLOAD_PATH}/:id`, handler: answer });
  });
}

/**
 * Creates locks, so that only one request at a time appends to a file, across processes. A request with a
 * dead connection releases its lock to the next one.
 */
const createLocker = (locks: Locks): Locker => ({
  newLock(id) {
    let release = async () => {};
    return {
      lock: async (signal, cancel) =>
        void (release = await locks.take(`upload:${id}`, { onReleaseRequest: () => void cancel(), signal })),
      unlock: () => release(),
    };
  },
});

/** Checks sender, ownership and rate limits of an upload request. */
async function authorizeUpload(
  request: FastifyRequest<{ Params: { id?: string } }>,
  app: Pick<WebContext, "database" | "settings" | "limits" | "storage" | "scanner" | "origin" | "now">,
  underWay: Map<string, number>,
): Promise<SignedIn> {
  if (request.method !== "HEAD" && !isSameOrigin(request, app.origin()))
    throw new Refusal("not-allowed", "The request did not come from this site.");
  const me = requireUploader(await resolveViewer(request, app));
  if (request.params.id !== undefined) await getIncomingUpload(app, me, request.params.id);
  else await assertFileLimit(app, me);
  if (request.method === "PATCH" && (underWay.get(me.id) ?? 0) >= MAX_CONCURRENT)
    throw new Refusal("too-many", "At most five uploads at a time.", { retryAfter: 5 });
  return me;
}

/**
 * Sends a refusal before the tus protocol handles the request. The rest of the body is read and discarded,
 * since the client reads the response only after sending the whole body.
 */
async function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  translate: TranslateInto,
): Promise<null> {
  if (!(error instanceof Refusal)) throw error;
  request.raw.resume();
  if (error.retryAfter !== undefined) void reply.header("retry-after", error.retryAfter);
  const body = refusalBody(await translate(requestLocale(request), error.descriptor), error.reason);
  void reply.code(HTTP_STATUS[error.reason]).type("application/json").send(body);
  return null;
}

async function trackConcurrency(
  underWay: Map<string, number>,
  { id }: SignedIn,
  counts: boolean,
  work: () => Promise<void>,
) {
  if (!counts) return work();
  underWay.set(id, (underWay.get(id) ?? 0) + 1);
  try {
    await work();
  } finally {
    const left = (underWay.get(id) ?? 1) - 1;
    if (left > 0) underWay.set(id, left);
    else underWay.delete(id);
  }
}

type UploadError = Error | { status_code: number; body: string };

/**
 * Formats an error: refusals are translated, errors of the protocol keep their message, and all others are
 * logged as bugs.
 */
async function formatError(
  error: UploadError,
  { log }: Pick<WebContext, "log">,
  request: FastifyRequest,
  translate: TranslateInto,
): Promise<{ status_code: number; body: string }> {
  const inTheirs = (message: Message) => translate(requestLocale(request), message);
  if (error instanceof Refusal)
    return {
      status_code: HTTP_STATUS[error.reason],
      body: refusalBody(await inTheirs(error.descriptor), error.reason),
    };
  if ("status_code" in error)
    return { status_code: error.status_code, body: refusalBody(error.body.trim(), "invalid") };
  log.error({ requestId: request.id, err: error }, "a file could not be taken");
  return {
    status_code: 500,
    body: refusalBody(await inTheirs("Something went wrong here. Please try again."), "invalid"),
  };
}

const refusalBody = (message: string, reason: string) => JSON.stringify({ refused: { message, reason } });
