import type { IncomingMessage, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { isUnavailable } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { clientAddress, type TrustedProxies } from "#platform/client-address";
import type { Log } from "#platform/log";
import { msg } from "#platform/messages";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import { limitBodyTime, drainBody } from "./body-timeout.ts";

/**
 * Handles a request before the server does: answers it, or returns false. `always` holds the headers of
 * every response.
 */
export type EarlyRequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  always: Record<string, string>,
) => boolean;

export type HttpOptions = {
  log: Log;
  trustProxy: TrustedProxies | false;
  /** True when the public address is https: responses then have an HSTS header. */
  https?: boolean;
  shortcut?: EarlyRequestHandler;
  /** Rewrites the URL before routing, because some clients build unusual URLs. */
  normalizeUrl?: (url: string) => string;
};

/** Headers of every response. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=()",
} as const;

/**
 * The header is valid for one year and for this host only, because we do not control other hosts of the
 * domain.
 */
const HSTS_HEADER = { "strict-transport-security": "max-age=31536000" } as const;

/**
 * Creates the HTTP server: request ids, limits on time and size, one log line per response (the path without
 * its query, which can hold a secret), and a readable answer to every error.
 */
export function createHttpServer({
  log,
  trustProxy,
  https = false,
  shortcut,
  normalizeUrl,
}: HttpOptions): FastifyInstance {
  const always = https ? { ...ALWAYS, ...HSTS_HEADER } : ALWAYS;
  const newId = createRequestIds();
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- The log has more levels than the type of Fastify.
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    trustProxy,
    bodyLimit: 1_000_000,
    // Each body has its own time limit (`limitBodyTime`).
    requestTimeout: 0,
    http: { headersTimeout: 30_000 },
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    return503OnClosing: true,
    // Fastify's own HEAD routes skip compression and so report another length than GET.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500, ignoreDuplicateSlashes: false },
    ...(normalizeUrl && {
      rewriteUrl: (request: { url?: string | undefined }) => normalizeUrl(request.url ?? "/"),
    }),
    clientErrorHandler,
    frameworkErrors: (error, request, reply) =>
      // eslint-disable-next-line typescript/no-unsafe-type-assertion -- As above.
      void answerError(error, request as FastifyRequest, reply as unknown as FastifyReply, log),
  }) as unknown as FastifyInstance;
  addHeadRoutes(server);
  server.addHook("onRequest", async (request, reply) => {
    // Fastify's own getter returns `X-Forwarded-For` entries unchanged, with ports and brackets.
    Object.defineProperty(request, "ip", { value: clientAddress(request.raw, trustProxy) });
    reply.headers(always).header("x-request-id", request.id);
    assertFewParameters(request.url);
  });
  server.addHook("onResponse", async (request, reply) => {
    const path = pathForLog(request);
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "answered",
    );
  });
  server.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, log));
  if (shortcut) addShortcut(server, shortcut, newId, log, always);
  limitBodyTime(server.server);
  return server;
}

/** Milliseconds for which a draining process still answers requests on open connections. */
const DRAIN_TIME = 2_000;

/**
 * Prepares a process for its end while other processes take over: it accepts no new connections and asks
 * clients to open new ones, so that no request arrives on a connection that is being closed.
 */
export async function drainConnections(server: FastifyInstance): Promise<void> {
  // The HTTP server's own `close` would also close idle connections, on which a request may already be under
  // way.
  NetServer.prototype.close.call(server.server);
  server.server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await setTimeout(DRAIN_TIME);
}

/** Adds HEAD to every GET route: the response is rendered, and Node omits the body. */
function addHeadRoutes(server: FastifyInstance) {
  server.addHook("onRoute", function (route) {
    if (route.method === "GET") this.route({ ...route, url: route.routePath, method: "HEAD" });
  });
}

/** Maximum number of parameters in one address; our largest forms name every column of a table. */
export const MAX_QUERY_PARAMETERS = 1_000;

/** @throws `too-large`: looking parameters up by name takes quadratic time when there are many */
function assertFewParameters(url: string) {
  let count = url.includes("?") ? 1 : 0;
  for (let at = url.indexOf("&"); at >= 0; at = url.indexOf("&", at + 1)) count++;
  if (count > MAX_QUERY_PARAMETERS)
    throw new Refusal(
      "too-large",
      msg("An address can have {count} parameters at most.", { count: MAX_QUERY_PARAMETERS }),
    );
}

/** Runs the shortcut until the server is closing; from then on Fastify answers 503. */
function addShortcut(
  server: FastifyInstance,
  shortcut: EarlyRequestHandler,
  newId: () => string,
  log: Log,
  always: Record<string, string>,
) {
  let closing = false;
  server.addHook("preClose", async () => void (closing = true));
  const onward = server.server.listeners("request") as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.server.removeAllListeners("request");
  server.server.on("request", (request, response) => {
    const requestId = newId();
    if (closing || !shortcut(request, response, { ...always, "x-request-id": requestId }))
      return onward.forEach((listen) => listen(request, response));
    const path = redactSecrets(request.url?.split("?", 1)[0] ?? "");
    log.info({ requestId, method: request.method, path, status: response.statusCode, ms: 0 }, "answered");
  });
}

/**
 * Creates request ids. They are unique in this process and cheap; they serve only to search the logs, so
 * they may be guessable.
 */
function createRequestIds() {
  const own = uuidv7().slice(-12);
  let count = 0;
  return () => `${own}-${(++count).toString(36)}`;
}

function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply, log: Log) {
  const { status, message } = prepareErrorReply(error, request, reply, log);
  if ((request.headers.accept ?? "").includes("text/html"))
    return reply.type("text/html; charset=utf-8").send(renderPlainErrorPage(status, message, request.id));
  return reply.send(jsonError(status, message));
}

/**
 * Logs the error and prepares the reply: sets status and Retry-After, and discards the rest of the request's
 * body.
 */
export function prepareErrorReply(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
) {
  const fault = describeHttpError(error);
  const { status, retryAfter } = fault;
  if (status >= 500)
    log[status === 503 ? "warn" : "error"]({ requestId: request.id, err: error }, "a request failed");
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  reply.code(status);
  drainBody(request.raw, reply.raw);
  return fault;
}

function describeHttpError(error: FastifyError | Error): {
  status: number;
  message: string;
  retryAfter?: number;
} {
  if (error instanceof Refusal)
    return { status: HTTP_STATUS[error.reason], message: error.message, retryAfter: error.retryAfter };
  if (isUnavailable(error))
    return {
      status: 503,
      message: "The database is not reachable right now. Try again in a moment.",
      retryAfter: 5,
    };
  const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
  if (status >= 500) return { status, message: "Internal Server Error" };
  return { status, message: ENGLISH_MESSAGES[status] ?? "The request cannot be read." };
}

const ENGLISH_MESSAGES: Record<number, string> = {
  404: "There is no page at this address.",
  405: "This is not possible here.",
  408: "The request took too long.",
  413: "This is too large.",
  414: "That address is too long.",
  415: "This kind of content is not supported.",
};

/** Error in the shape that API clients read. */
export const jsonError = (status: number, message: string) => ({ code: status, message });

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Language of an error page, and its label for the link to the start page. */
type PageLanguage = { lang: string; dir: "ltr" | "rtl"; home: string };
const ENGLISH: PageLanguage = { lang: "en", dir: "ltr", home: "Go to the home page" };

/**
 * Renders the error page for when no other page can be rendered: without scripts, external styles or
 * anything to load. `more` is HTML.
 */
export const renderPlainErrorPage = (
  status: number,
  message: string,
  incident = "",
  { lang, dir, home } = ENGLISH,
  more = "",
) => `<!DOCTYPE html>
<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${status} ${escapeHtml(message)}</title>
<style>body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}
body{color:#1e2227;background:#faf8f4}a{color:#0b6b5d}textarea{display:block;width:100%;font:inherit}
@media(prefers-color-scheme:dark){body{color:#ece8e1;background:#15171b}a{color:#5cc8b5}}</style></head>
<body><main><p>${status}</p><h1>${escapeHtml(message)}</h1>
<p><a href="/">${escapeHtml(home)}</a></p>${more}
${incident ? `<p><small>${escapeHtml(incident)}</small></p>` : ""}</main></body></html>`;

/** Answers requests that are not readable as HTTP: headers too large or too slow, or not HTTP at all. */
function clientErrorHandler(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const line =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  const body = JSON.stringify(jsonError(Number(line.slice(0, 3)), line.slice(4)));
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ` +
      `${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Returns the path of a request for the log. An address with parameters is logged as its route, because API
 * clients put keys, tokens and mail addresses there. Pages share one route and are logged by path.
 */
function pathForLog({ url, routeOptions }: FastifyRequest): string {
  const route = routeOptions.url;
  if (route === undefined || route === "*" || route === "/*") return redactSecrets(url.split("?", 1)[0]!);
  return route;
}

/** Hides path segments that are as long as keys and tokens, as in an invitation link, from the log. */
const redactSecrets = (path: string) => path.replace(/\/[\w%-]{40,}(?=\/|$)/g, "/…");
