import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { EarlyRequestHandler } from "#platform/http";
import { SESSION_COOKIE } from "../cookies.ts";
import { encodedBody, type Encoding, type GuestPageCache, type CachedPage } from "./guest-page-cache.ts";
import { chooseEncoding, PAGE_HEADERS } from "./response-headers.ts";

/**
 * Key of a guest's page: all properties of the request on which the page depends. Null for requests that are
 * not served from the cache.
 */
export function guestPageKey({ method, url, headers }: IncomingMessage): string | null {
  const { cookie = "", host = "" } = headers;
  if ((method !== "GET" && method !== "HEAD") || cookie.includes(`${SESSION_COOKIE}=`)) return null;
  // Cookies are part of the key, since they set language and theme. Guests have few, so long ones are not
  // cached.
  if (cookie.length > 200) return null;
  const language = (headers["accept-language"] ?? "").slice(0, 20);
  // Behind a trusted proxy the page contains the host and protocol of the original request.
  const proxied = `${headers["x-forwarded-host"] ?? ""} ${headers["x-forwarded-proto"] ?? ""}`.slice(0, 120);
  return `${url}\n${host}\n${proxied}\n${cookie}\n${language}`;
}

export function findCachedPage(request: IncomingMessage, pages: GuestPageCache): CachedPage | undefined {
  const key = guestPageKey(request);
  return key === null ? undefined : pages.get(key, Date.now());
}

/**
 * Serves guests from the page cache before any other handler of the server. Pages that are not cached, or
 * not yet in the client's encoding, are handled as usual.
 */
export const serveCachedPages =
  (pages: GuestPageCache): EarlyRequestHandler =>
  (request, response, always) => {
    const page = findCachedPage(request, pages);
    if (!page) return false;
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    const known = isNotModified(request, page);
    const body = page.bodies[encoding];
    if (!body && !known) return false;
    response.writeHead(known ? 304 : 200, {
      ...always,
      ...pageHeaders(page, encoding, known ? undefined : body),
    });
    response.end(known || request.method === "HEAD" ? undefined : body);
    return true;
  };

/** Sends a cached page, after encoding it for this client if necessary. */
export async function sendCachedPage(request: FastifyRequest, reply: FastifyReply, page: CachedPage) {
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const known = isNotModified(request.raw, page);
  const body = known ? undefined : await encodedBody(encoding, page);
  reply.hijack();
  reply.raw.writeHead(known ? 304 : 200, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names of headers that are set have values
    ...(reply.getHeaders() as Record<string, string>),
    ...pageHeaders(page, encoding, body),
  });
  reply.raw.end(request.method === "HEAD" ? undefined : body);
  return reply;
}

const isNotModified = (request: IncomingMessage, page: CachedPage) =>
  request.headers["if-none-match"]?.replace(/^W\//, "") === page.etag;

/** Headers of a cached page; `body` is undefined if the client has the page already. */
function pageHeaders(
  page: CachedPage,
  encoding: Encoding,
  body: Buffer | undefined,
): Record<string, string | number> {
  const head: Record<string, string | number> = {
    ...PAGE_HEADERS,
    etag: page.etag,
    "content-security-policy": page.policy,
  };
  if (!body) return head;
  if (encoding !== "identity") head["content-encoding"] = encoding;
  head["content-length"] = body.length;
  return head;
}
