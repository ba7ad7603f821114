import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Shortcut } from "#platform/http";
import { SESSION_COOKIE } from "../cookies.ts";
import { encodedBody, type Encoding, type GuestPageCache, type CachedPage } from "./guest-page-cache.ts";
import { chooseEncoding, PAGE_HEADERS } from "./response-headers.ts";

/**
 * Everything besides its data that a guest's page depends on; null for requests that no cached page answers.
 */
export function guestPageKey({ method, url, headers }: IncomingMessage): string | null {
  const { cookie = "", host = "" } = headers;
  if ((method !== "GET" && method !== "HEAD") || cookie.includes(`${SESSION_COOKIE}=`)) return null;
  // Cookies are part of the key, since they choose language and theme. A guest has few.
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
 * Answers guests from the page cache before the server handles the request. Pages that are not cached, or not
 * yet in the client's encoding, take the normal path.
 */
export const serveCachedPages =
  (pages: GuestPageCache): Shortcut =>
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

/** The same when the body had to be encoded first. */
export async function sendCachedPage(request: FastifyRequest, reply: FastifyReply, page: CachedPage) {
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const known = isNotModified(request.raw, page);
  const body = known ? undefined : await encodedBody(encoding, page);
  reply.hijack();
  reply.raw.writeHead(known ? 304 : 200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...pageHeaders(page, encoding, body),
  });
  reply.raw.end(request.method === "HEAD" ? undefined : body);
  return reply;
}

const isNotModified = (request: IncomingMessage, page: CachedPage) =>
  request.headers["if-none-match"]?.replace(/^W\//, "") === page.etag;

/** Without a body, the client has it already. */
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
