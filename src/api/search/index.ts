import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SearchEngine } from "#community/search";
import type { Log } from "#platform/log";
import { countCall, rateLimitHeaders } from "../rest/index.ts";
import { parseSearchBody } from "./parse-search-body.ts";
import {
  assertPermission,
  type Caller,
  readSearchCaller,
  type SearchKeyContext,
  createViewerKeyParent,
} from "./search-caller.ts";
import { SearchApiError } from "./search-api-error.ts";
import { sendErrorResponse } from "./error-answers.ts";
import type { SearchCall, SearchEndpoint } from "./search-endpoint.ts";
import { METHODS, REFUSED_ROUTES, refuseAccess, SEARCH_ENDPOINTS } from "./search-routes.ts";

export { createViewerKeys } from "./search-caller.ts";
export type { SearchEndpoint } from "./search-endpoint.ts";
export { SEARCH_ENDPOINTS } from "./search-routes.ts";
export { SearchError } from "./search-shapes.ts";

export type SearchContext = Omit<SearchKeyContext, "viewersKey"> & {
  engine: SearchEngine;
  log: Log;
  seal: Buffer;
};

/** Input in the URL of a call. */
type RouteInput = { Params: SearchCall["path"]; Querystring: SearchCall["query"] };

/** Any origin may call: answers depend only on the key, and cookies are never read. */
const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After",
  "timing-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "private, no-store",
};
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
  "access-control-allow-headers":
    "content-type, content-encoding, x-algolia-api-key, x-algolia-application-id, x-algolia-agent, " +
    "x-algolia-usertoken, request-id, authorization",
  "access-control-max-age": "86400",
};

/**
 * Serves the search API, `/1/…`, in the protocol of Algolia's clients. It searches the community's own index
 * for documents visible to the key's viewer. Bodies are parsed as JSON whatever their content type. Errors
 * are `{message, status}`.
 */
export async function serveSearch(server: FastifyInstance, context: SearchContext) {
  const app: SearchKeyContext = { ...context, viewersKey: createViewerKeyParent(context.seal) };
  await server.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    part.addHook("onRequest", async (_request, reply) => void reply.headers(CORS_HEADERS));
    part.setErrorHandler((error: Error, request, reply) =>
      sendErrorResponse(context.log, error, request, reply),
    );
    const answer =
      (run: SearchEndpoint["handle"]) => async (request: FastifyRequest<RouteInput>, reply: FastifyReply) => {
        const caller = await readSearchCaller(app, request);
        await countTokenCall(app, caller, request, reply);
        const body = request.method === "POST" ? await parseSearchBody(request) : {};
        return run({
          app,
          engine: context.engine,
          caller,
          body,
          path: request.params,
          query: request.query,
          address: request.ip,
        });
      };
    for (const { method, path, right, handle } of SEARCH_ENDPOINTS) {
      const run: SearchEndpoint["handle"] = async (call) => {
        if (right) assertPermission(call.caller, right);
        return handle(call);
      };
      part.route<RouteInput>({ method, url: path, handler: answer(run) });
    }
    for (const { method, url } of REFUSED_ROUTES)
      part.route<RouteInput>({ method: [...method], url, handler: answer(refuseAccess) });
    part.options("/1/*", answerPreflight);
    part.route({
      method: [...METHODS],
      url: "/1/*",
      handler: () => Promise.reject(new SearchApiError(404, "Path not supported by this API")),
    });
  });
}

/** Counts a call with a personal access token like any other call of the API, and tells what is left. */
async function countTokenCall(
  app: SearchKeyContext,
  { viewer, tokenId }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (tokenId === null) return;
  const allowance = await countCall(app, { key: "client", viewer, session: { id: tokenId } }, request);
  if (!allowance) return;
  const headers = rateLimitHeaders(allowance);
  const exposed = ["Retry-After", ...Object.keys(headers)].join(", ");
  reply.headers({ ...headers, "access-control-expose-headers": exposed });
}

/** Answers preflight requests. */
async function answerPreflight(request: FastifyRequest, reply: FastifyReply) {
  const wanted = request.headers["access-control-request-headers"];
  const allowed =
    wanted !== undefined && /^[\w\s,-]{1,1000}$/.test(wanted)
      ? wanted
      : PREFLIGHT_HEADERS["access-control-allow-headers"];
  return reply
    .headers({
      ...PREFLIGHT_HEADERS,
      "access-control-allow-headers": allowed,
      vary: "Access-Control-Request-Headers",
    })
    .code(204)
    .send();
}
