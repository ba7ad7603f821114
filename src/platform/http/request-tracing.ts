import type { FastifyInstance, FastifyRequest } from "fastify";
import { createRequestTracer, type RequestSpan } from "#platform/telemetry";

/** Traces each request of the server (`startTelemetry`). */
export function traceRequests(server: FastifyInstance): void {
  const startSpan = createRequestTracer();
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  server.addHook("onRequest", (request, _reply, done) => {
    const span = startSpan(request.method);
    spans.set(request, span);
    span.run(done);
  });
  server.addHook("onResponse", async (request, { statusCode: status }) => {
    spans.get(request)?.end({ route: toTracedRoute(request, status), status });
  });
}

/**
 * Pages share one route, so the first part of their path is added, such as `/discussions/*`. A path that
 * does not exist is left out: anybody can write one.
 */
function toTracedRoute({ routeOptions, url }: FastifyRequest, status: number): string {
  const route = routeOptions.url ?? "/*";
  if (route !== "/*" || status === 404) return route;
  const [, area = ""] = /^\/([a-z-]{0,30})(?=[/?.]|$)/i.exec(url) ?? [];
  return area === "" ? "/" : `/${area}/*`;
}
