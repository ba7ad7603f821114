import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { WrittenPage } from "#backend/tables";
import { beginFault } from "#platform/http";
import { Refusal } from "#platform/refusal";
import { partOf, storable } from "./address.ts";
import { bodyOf } from "./bodies.ts";
import { type Caller, type Callers, wrongKey } from "./caller.ts";
import { FROM_ANYWHERE, servePreflight } from "./cors.ts";
import { countCall, countStranger } from "./counting.ts";
import { toldOf } from "./errors.ts";
import { ANSWERED, type RestHouse, type Route, WrittenJson } from "./route.ts";
import { serveUnsupported } from "./unsupported.ts";

const LARGEST = 1_000_000;
const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"];

type Keyed = FastifyRequest & { caller: Caller };
type Door = { house: RestHouse; callers: Callers; routes: readonly Route[] };

/** Registers the routes under a prefix: those whose bodies are parsed here, and those that read their own. */
export async function serveCalls(server: FastifyInstance, prefix: string, door: Door) {
  await server.register(
    async (scope) => {
      beginScope(scope, door.house);
      servePreflight(scope);
      scope.route({ method: METHODS, url: "/*", handler: nothingHere });
      for (const streams of [false, true])
        await scope.register(async (part) => {
          part.removeAllContentTypeParsers();
          if (streams) part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
          else readBodies(part);
          for (const route of door.routes) if ((route.streams ?? false) === streams) serveRoute(part, door, route);
        });
    },
    { prefix },
  );
}

/** Answers paths that look like calls with an unknown app id. */
export async function serveStrangers(server: FastifyInstance, { house }: Door) {
  await server.register(async (scope) => {
    beginScope(scope, house);
    serveUnsupported(scope, METHODS);
    scope.route({
      method: METHODS,
      // As long as ids are, so that no page matches.
      url: "/:appId(^[\\w-]{16,200}$)/:apiKey/*",
      handler: async () => {
        throw wrongKey();
      },
    });
  });
}

function beginScope(scope: FastifyInstance, { log }: RestHouse) {
  scope.addHook("onRequest", async (_request, reply) => void reply.headers(FROM_ANYWHERE));
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, message } = beginFault(error, request, reply, log);
    if (!(error instanceof Refusal)) return json(reply, { code: status, message });
    const told = toldOf(error);
    // Field errors, as forms get them.
    const errorData = {
      ...(Object.keys(error.fields).length > 0 && { fields: error.fields }),
      ...error.data,
    };
    return json(reply.code(told.status), { code: told.code, message: told.message, errorData });
  });
}

function readBodies(part: FastifyInstance) {
  part.addContentTypeParser("*", { parseAs: "string" }, (request, text, done) => {
    try {
      done(null, bodyOf(text as string, request.headers["content-type"]));
    } catch (error) {
      done(error as Error);
    }
  });
}

function serveRoute(part: FastifyInstance, { house, callers }: Door, route: Route) {
  part.route<{ Params: Record<string, string>; Querystring: Record<string, string | string[]> }>({
    method: route.method,
    url: route.path,
    bodyLimit: route.most ?? LARGEST,
    // Before the body is read: callers without permission are refused immediately.
    onRequest: async (request) => {
      const { apiKey } = request.params;
      const key = apiKey === undefined ? "client" : callers.keyOf(apiKey);
      const caller = await callers.of(key, request, route).catch(async (error: unknown) => {
        if (!route.uncounted && key !== "server") await countStranger(house, request);
        throw error;
      });
      if (!route.uncounted) await countCall(house, caller, request);
      await route.before?.({ house, caller, params: partsOf(request.params) });
      (request as unknown as Keyed).caller = caller;
    },
    handler: async (request, reply) => {
      const { caller } = request as unknown as Keyed;
      const params = partsOf(request.params);
      const answer = await route.handle({ house, caller, params, query: storableQuery(request.query), body: request.body, request, reply });
      return answer === ANSWERED ? reply : json(reply, answer);
    },
  });
}

const json = (reply: FastifyReply, answer: unknown) =>
  reply.header("content-type", "application/json; charset=utf-8").send(answer === undefined ? "" : sent(textOf(answer)));

/**
 * Longer texts exceed Node's preallocated UTF-8 buffer: writing them as a string takes three times the
 * memory.
 */
const LONG = 5_000;
const sent = (text: string): string | Buffer => (text.length < LONG ? text : Buffer.from(text));

const textOf = (answer: unknown): string =>
  answer instanceof WrittenPage || answer instanceof WrittenJson ? answer.json : JSON.stringify(answer);

function partsOf(params: Record<string, string>): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const name in params) if (name !== "apiKey") parts[name] = partOf(params[name]!);
  return parts;
}

function storableQuery(query: Record<string, string | string[]>) {
  for (const name in query) {
    const value = query[name]!;
    query[name] = typeof value === "string" ? storable(value) : value.map(storable);
  }
  return query;
}

async function nothingHere() {
  throw new Refusal("not-found", "There is nothing at this address.");
}
