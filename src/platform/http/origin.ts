import type { FastifyRequest } from "fastify";

/**
 * Whether a request that changes something comes from a page of ours. Browsers say where a form stood: that has to be
 * the host it is sent to, or the public origin. What says nothing is no browser, and carries no one's cookies unasked.
 */
export function isOurs(request: FastifyRequest, publicOrigin: string): boolean {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
