import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { buildOpenApi } from "./openapi.ts";
import { renderDocsPage, DOCS_CONTENT_POLICY } from "./docs-page.ts";
import type { RestContext } from "../rest/index.ts";

type DocsContext = Pick<RestContext, "origin" | "appId" | "clientKey" | "services">;

/**
 * Serves the API documentation at `/api/docs` and as OpenAPI at `/api/docs/openapi.json`, generated from the
 * registries.
 */
export function serveDocs(
  server: FastifyInstance,
  { origin, appId, clientKey, services }: DocsContext,
): void {
  const documented = () => ({
    base: `${origin()}/${appId}/${clientKey}`,
    services: services.all(),
  });
  const page = cacheByEdition(
    () => renderDocsPage(documented()),
    () => services.edition,
  );
  const description = cacheByEdition(
    () => JSON.stringify(buildOpenApi(documented())),
    () => services.edition,
  );
  serve("/api/docs", "text/html; charset=utf-8", page, { "content-security-policy": DOCS_CONTENT_POLICY });
  serve("/api/docs/openapi.json", "application/json; charset=utf-8", description, {
    "access-control-allow-origin": "*",
  });

  function serve(path: string, type: string, what: () => CachedText, headers: Record<string, string>) {
    server.get(path, async (request, reply) => {
      const { text, etag } = what();
      reply.headers({ ...headers, etag, "cache-control": "no-cache" });
      return request.headers["if-none-match"] === etag ? reply.code(304).send() : reply.type(type).send(text);
    });
  }
}

type CachedText = { text: string; etag: string };

/** Caches the result until services are added or removed. */
function cacheByEdition(make: () => string, edition: () => number): () => CachedText {
  let cachedText: CachedText | null = null;
  let madeFor = -1;
  return () => {
    if (cachedText && madeFor === edition()) return cachedText;
    madeFor = edition();
    const text = make();
    cachedText = { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
    return cachedText;
  };
}
