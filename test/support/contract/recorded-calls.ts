import { subscribe, unsubscribe } from "node:diagnostics_channel";

export type RecordedRequest = { method: string; path: string; url: string };

/**
 * Records which routes the servers of this process are asked for from now on. Returns a function that stops
 * it.
 */
export function recordRequests(note: (it: RecordedRequest) => void): () => void {
  // Taken from the server's own router, so that no path is guessed here.
  const hear = (it: unknown) => {
    const { route, request } = it as {
      route: { url: string; method: string };
      request: { originalUrl: string };
    };
    const path = route.url.replace(/^\/(api|[^/]+\/:apiKey)(?=\/)/, "");
    note({ method: route.method, path, url: request.originalUrl });
  };
  subscribe("tracing:fastify.request.handler:start", hear);
  return () => void unsubscribe("tracing:fastify.request.handler:start", hear);
}
