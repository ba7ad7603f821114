import type { FastifyInstance } from "fastify";

/** Browser apps of any origin may call and read answers. This is safe because the API ignores cookies. */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "retry-after, x-request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset",
};

const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
  "access-control-max-age": "86400",
};
const ALLOWED_HEADERS = "content-type, user-token, bl-execution-type";

/**
 * Answers preflight requests. Services have custom headers, so every requested header with a valid name is
 * allowed.
 */
export function servePreflight(scope: FastifyInstance) {
  scope.options("/*", async (request, reply) => {
    const requestedHeaders = request.headers["access-control-request-headers"] ?? "";
    const more = /^[\w, -]{1,1000}$/.test(requestedHeaders) ? `, ${requestedHeaders}` : "";
    return reply
      .code(204)
      .headers({
        ...PREFLIGHT_HEADERS,
        vary: "access-control-request-headers",
        "access-control-allow-headers": ALLOWED_HEADERS + more,
      })
      .send();
  });
}
