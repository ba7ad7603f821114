import { subscribe, unsubscribe } from "node:diagnostics_channel";

export type RecordedRequest = { method: string; path: string; url: string };

/**
 * Records the routes that the servers of this process answer from now on. Returns a function that stops the
 * recording.
 */
export function recordRequests(note: (it: RecordedRequest) => void): () => void {
  // The route is read from the server's own router, so that paths need not be matched here.
  const record = (it: unknown) => {
    const { route, request } = it as {
      route: { url: string; method: string };
      request: { originalUrl: string };
    };
    const path = route.url.replace(/^\/(api|[^/]+\/:apiKey)(?=\/)/, "");
    note({ method: route.method, path, url: request.originalUrl });
  };
  subscribe("tracing:fastify.request.handler:start", record);
  return () => void unsubscribe("tracing:fastify.request.handler:start", record);
}
