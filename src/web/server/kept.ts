import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Shortcut } from "#platform/http";
import { SESSION } from "../cookies.ts";
import { bodyIn, type Encoding, type GuestPages, type KeptPage } from "./guest-pages.ts";
import { encodingFor, PAGE } from "./headers.ts";

/**
 * Everything besides its data that a guest's page depends on; null for requests that no cached page answers.
 */
export function guestKey({ method, url, headers }: IncomingMessage): string | null {
  const { cookie = "", host = "" } = headers;
  if ((method !== "GET" && method !== "HEAD") || cookie.includes(`${SESSION}=`)) return null;
  // Cookies are part of the key, since they choose language and theme. A guest has few.
  if (cookie.length > 200) return null;
  const language = (headers["accept-language"] ?? "").slice(0, 20);
  // Behind a trusted proxy the page contains the host and protocol of the original request.
  const proxied = `${headers["x-forwarded-host"] ?? ""} ${headers["x-forwarded-proto"] ?? ""}`.slice(0, 120);
  return `${url}\n${host}\n${proxied}\n${cookie}\n${language}`;
}

export function keptPage(request: IncomingMessage, pages: GuestPages): KeptPage | undefined {
  const key = guestKey(request);
  return key === null ? undefined : pages.get(key, Date.now());
}

/**
 * Answers guests from the page cache before the server handles the request. Pages that are not cached, or not
 * yet in the client's encoding, take the normal path.
 */
export const keptFirst =
  (pages: GuestPages): Shortcut =>
  (request, response, always) => {
    const page = keptPage(request, pages);
    if (!page) return false;
    const encoding = encodingFor(request.headers["accept-encoding"]);
    const known = isKnown(request, page);
    const body = page.bodies[encoding];
    if (!body && !known) return false;
    response.writeHead(known ? 304 : 200, { ...always, ...headOf(page, encoding, known ? undefined : body) });
    response.end(known || request.method === "HEAD" ? undefined : body);
    return true;
  };

/** The same when the body had to be encoded first. */
export async function sendKept(request: FastifyRequest, reply: FastifyReply, page: KeptPage) {
  const encoding = encodingFor(request.headers["accept-encoding"]);
  const known = isKnown(request.raw, page);
  const body = known ? undefined : await bodyIn(encoding, page);
  reply.hijack();
  reply.raw.writeHead(known ? 304 : 200, { ...(reply.getHeaders() as Record<string, string>), ...headOf(page, encoding, body) });
  reply.raw.end(request.method === "HEAD" ? undefined : body);
  return reply;
}

const isKnown = (request: IncomingMessage, page: KeptPage) => request.headers["if-none-match"]?.replace(/^W\//, "") === page.etag;

/** Without a body, the client has it already. */
function headOf(page: KeptPage, encoding: Encoding, body: Buffer | undefined): Record<string, string | number> {
  const head: Record<string, string | number> = { ...PAGE, etag: page.etag, "content-security-policy": page.policy };
  if (!body) return head;
  if (encoding !== "identity") head["content-encoding"] = encoding;
  head["content-length"] = body.length;
  return head;
}
