import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SerializedPage } from "#baas/data";
import { closedToTokens } from "#community/common";
import { tokenRules } from "#community/rules";
import { toError } from "#platform/errors";
import { prepareErrorReply } from "#platform/http";
import type { Message } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { decodePathPart, removeUnstorable } from "./url-normalization.ts";
import { parseBody } from "./parse-body.ts";
import { type Caller, type Callers, wrongKeyRefusal } from "./rest-caller.ts";
import { CORS_HEADERS, servePreflight } from "./cors.ts";
import { countCall, countUnknownTokenCall, rateLimitHeaders } from "./call-limits.ts";
import { describeRefusal } from "./errors.ts";
import { type Endpoint, runEndpoint } from "./endpoint.ts";
import { RESPONSE_SENT, type Call, type RestContext, SerializedJson } from "./rest-route.ts";
import { serveUnsupported } from "./unsupported-routes.ts";

const MAX_BODY = 1_000_000;
const ALL_METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"];

/** Name under which a request holds its caller until the handler runs. */
const CALLER = Symbol("caller");
/** Translates a message into the language of the request's `Accept-Language` header. */
export type TranslateForRequest = (request: FastifyRequest, message: Message) => Promise<string>;
type RestServer = {
  app: RestContext;
  callers: Callers;
  endpoints: readonly Endpoint[];
  translate: TranslateForRequest;
};

/** Registers all routes under a prefix. Routes that read their body as a stream are registered separately. */
export async function serveRoutesUnder(server: FastifyInstance, prefix: string, rest: RestServer) {
  await server.register(
    async (scope) => {
      prepareScope(scope, rest);
      servePreflight(scope);
      scope.route({ method: ALL_METHODS, url: "/*", handler: refuseUnknownPath });
      for (const streams of [false, true])
        await scope.register(async (part) => {
          part.removeAllContentTypeParsers();
          part.decorateRequest(CALLER);
          if (streams) part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
          else addBodyParser(part);
          for (const endpoint of rest.endpoints)
            if ((endpoint.streams ?? false) === streams) registerEndpoint(part, rest, endpoint);
        });
    },
    { prefix },
  );
}

/** Answers paths that look like calls with an unknown app id. */
export async function serveUnknownApps(server: FastifyInstance, rest: RestServer) {
  await server.register(async (scope) => {
    prepareScope(scope, rest);
    serveUnsupported(scope, ALL_METHODS);
    scope.route({
      method: ALL_METHODS,
      // Application ids have at least 16 characters, so that this never matches the path of a page.
      url: "/:appId(^[\\w-]{16,200}$)/:apiKey/*",
      handler: async () => {
        throw wrongKeyRefusal();
      },
    });
  });
}

function prepareScope(scope: FastifyInstance, { app: { log }, translate }: RestServer) {
  scope.addHook("onRequest", async (_request, reply) => void reply.headers(CORS_HEADERS));
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const fault = prepareErrorReply(error, request, reply, log);
    if (!(error instanceof Refusal)) return sendJson(reply, { code: fault.status, message: fault.message });
    const description = describeRefusal(error);
    // Clients compare the English text of errors that have a code of their own, so only other errors are
    // translated.
    const isKnownByText = description.code !== description.status;
    const message = isKnownByText ? description.message : await translate(request, error.descriptor);
    const errorData = { ...(await translateFields(error, (it) => translate(request, it))), ...error.data };
    return sendJson(reply.code(description.status).header("vary", "accept-language"), {
      code: description.code,
      message,
      errorData,
    });
  });
}

/** Translated errors by field; nothing if there are none. */
async function translateFields(
  { fieldDescriptors }: Refusal,
  translate: (message: Message) => Promise<string>,
): Promise<{ fields?: Record<string, string> }> {
  const fields: Record<string, string> = {};
  for (const name in fieldDescriptors) fields[name] = await translate(fieldDescriptors[name]!);
  return Object.keys(fields).length > 0 ? { fields } : {};
}

function addBodyParser(part: FastifyInstance) {
  part.addContentTypeParser("*", { parseAs: "string" }, (request, text, done) => {
    try {
      done(null, parseBody(String(text), request.headers["content-type"]));
    } catch (error) {
      done(toError(error));
    }
  });
}

function registerEndpoint(part: FastifyInstance, { app, callers }: RestServer, endpoint: Endpoint) {
  part.route<{ Params: Record<string, string>; Querystring: Record<string, string | string[]> }>({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.most ?? MAX_BODY,
    // Runs before the body is read, so that callers without permission are refused immediately.
    onRequest: async (request, reply) => {
      const { apiKey } = request.params;
      const key = apiKey === undefined ? "client" : callers.keyOf(apiKey);
      const caller = await callers.of(key, request, endpoint).catch(async (error: unknown) => {
        if (!endpoint.uncounted && key !== "server") await countUnknownTokenCall(app, request);
        throw error;
      });
      const allowance = endpoint.uncounted ? null : await countCall(app, caller, request);
      if (allowance && caller.viewer.scopes) reply.headers(rateLimitHeaders(allowance));
      const params = decodeParams(request.params);
      assertTableOpenToToken(caller, params["table"]);
      await endpoint.permission.check?.({ app, caller, params });
      request.setDecorator(CALLER, caller);
    },
    handler: async (request, reply) => {
      const caller = request.getDecorator<Caller>(CALLER);
      const params = decodeParams(request.params);
      const call: Call = {
        app,
        caller,
        params,
        query: cleanQuery(request.query),
        body: request.body,
        request,
        reply,
      };
      const answer = await runEndpoint(endpoint, call);
      return answer === RESPONSE_SENT ? reply : sendJson(reply, answer);
    },
  });
}

/** Refuses personal access tokens for data tables, because scopes name only the community's entities. */
function assertTableOpenToToken({ viewer }: Caller, table: string | undefined) {
  if (viewer.scopes && table !== undefined && tokenRules.entityArea(table) === undefined)
    throw closedToTokens();
}

const sendJson = (reply: FastifyReply, answer: unknown) =>
  reply
    .header("content-type", "application/json; charset=utf-8")
    .send(answer === undefined ? "" : encodeText(formatAnswer(answer)));

/**
 * Characters above which an answer is sent as bytes: a longer text does not fit into Node's preallocated
 * UTF-8 buffer, and writing it as a string would take three times the memory.
 */
const LONG_TEXT = 5_000;
const encodeText = (text: string): string | Buffer => (text.length < LONG_TEXT ? text : Buffer.from(text));

const formatAnswer = (answer: unknown): string =>
  answer instanceof SerializedPage || answer instanceof SerializedJson ? answer.json : JSON.stringify(answer);

function decodeParams(params: Record<string, string>): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const name in params) if (name !== "apiKey") parts[name] = decodePathPart(params[name]!);
  return parts;
}

function cleanQuery(query: Record<string, string | string[]>) {
  for (const name in query) {
    const value = query[name]!;
    query[name] = typeof value === "string" ? removeUnstorable(value) : value.map(removeUnstorable);
  }
  return query;
}

async function refuseUnknownPath() {
  throw new Refusal("not-found", "There is no page at this address.");
}
