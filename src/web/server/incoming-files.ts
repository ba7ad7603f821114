import { type Locker, Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { incomingFor, mayUpload, mostBytes } from "#community/uploads";
import type { SignedIn } from "#community/rules";
import { isOurs } from "#platform/http";
import { Locks } from "#platform/locks";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import type { House } from "../house.ts";
import { viewerOf } from "./files.ts";
import { IncomingStore } from "./incoming-store.ts";
import { mindFiles } from "./mind-uploads.ts";
import { localeOf, type Say } from "./uploads.ts";

const PATH = "/uploads/files";
const AT_ONCE = 5;

/**
 * Serves resumable uploads by the tus protocol (1.0.0, with creation and termination). A complete file is an
 * upload of the viewer; its id is the end of its address.
 */
export async function serveIncomingFiles(server: FastifyInstance, house: House, say: Say) {
  const underWay = new Map<string, number>();
  const locker = lockerOf(new Locks({ pool: house.database.pool }));
  await server.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const answer = async (request: FastifyRequest<{ Params: { id?: string } }>, reply: FastifyReply) => {
      void reply.header("cache-control", "no-store");
      const me = await admitted(request, house, underWay).catch((error: unknown) => refuse(request, reply, error, say));
      if (!me) return reply;
      const tus = new Server({
        path: PATH,
        datastore: new IncomingStore(house, me),
        locker,
        relativeLocation: true,
        allowedOrigins: [house.origin()],
        maxSize: () => mostBytes(house.settings),
        namingFunction: (_asked, metadata) => IncomingStore.begin(house, me, request.headers["upload-length"], metadata?.["filename"]),
        onUploadFinish: async (_asked, upload) => {
          await IncomingStore.finish(house, me, upload.id);
          return {};
        },
        onResponseError: (_asked, error) => spoken(error, house, request, say),
      });
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      await counted(underWay, me, request.method === "PATCH", () => tus.handle(request.raw, reply.raw));
    };
    part.route({ method: "POST", url: PATH, handler: answer });
    part.route({ method: ["HEAD", "PATCH", "DELETE"], url: `${PATH}/:id`, handler: answer });
  });
}

/**
 * Only one request at a time appends to a file, across processes; one with a dead connection gives way to the
 * next.
 */
const lockerOf = (locks: Locks): Locker => ({
  newLock(id) {
    let release = async () => {};
    return {
      lock: async (signal, cancel) => void (release = await locks.take(`upload:${id}`, { letGo: () => void cancel(), signal })),
      unlock: () => release(),
    };
  },
});

/** Checks sender, ownership and rate limits. */
async function admitted(
  request: FastifyRequest<{ Params: { id?: string } }>,
  house: House,
  underWay: Map<string, number>,
): Promise<SignedIn> {
  if (request.method !== "HEAD" && !isOurs(request, house.origin())) throw new Refusal("not-allowed", "That did not come from this site.");
  const me = mayUpload(await viewerOf(request, house));
  if (request.params.id !== undefined) await incomingFor(house, me, request.params.id);
  else await mindFiles(house, me);
  if (request.method === "PATCH" && (underWay.get(me.id) ?? 0) >= AT_ONCE)
    throw new Refusal("too-many", "Five files at once are enough. Let one arrive first.", { retryAfter: 5 });
  return me;
}

/**
 * Sends a refusal before the protocol begins. The rest of the body is read and discarded, so that the client
 * reads the response.
 */
async function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, say: Say): Promise<null> {
  if (!(error instanceof Refusal)) throw error;
  request.raw.resume();
  if (error.retryAfter !== undefined) void reply.header("retry-after", error.retryAfter);
  const body = said(await say(localeOf(request), error.message), error.reason);
  void reply.code(HTTP_STATUS[error.reason]).type("application/json").send(body);
  return null;
}

async function counted(underWay: Map<string, number>, { id }: SignedIn, counts: boolean, work: () => Promise<void>) {
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

type Fault = Error | { status_code: number; body: string };

/** Refusals are translated, errors of the protocol keep their message, anything else is logged as a bug. */
async function spoken(error: Fault, { log }: House, request: FastifyRequest, say: Say): Promise<{ status_code: number; body: string }> {
  const inTheirs = (sentence: string) => say(localeOf(request), sentence);
  if (error instanceof Refusal) return { status_code: HTTP_STATUS[error.reason], body: said(await inTheirs(error.message), error.reason) };
  if ("status_code" in error) return { status_code: error.status_code, body: said(error.body.trim(), "invalid") };
  log.error({ requestId: request.id, err: error }, "a file could not be taken");
  return { status_code: 500, body: said(await inTheirs("Something went wrong here. Please try again."), "invalid") };
}

const said = (message: string, reason: string) => JSON.stringify({ refused: { message, reason } });
