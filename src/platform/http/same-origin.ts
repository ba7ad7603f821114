import type { FastifyRequest } from "fastify";

/**
 * True when a request that changes something comes from one of our pages. Browsers send the origin of a
 * form, which must be the target host or the public origin. A client without this header is not a browser
 * and sends no cookies automatically.
 */
export function isSameOrigin(request: FastifyRequest, publicOrigin: string): boolean {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
