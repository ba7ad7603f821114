import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { createAccent } from "#community/settings";
import { matchesEtag } from "#platform/http";
import type { WebContext } from "../web-context.ts";
import { urls } from "../urls.ts";

/**
 * Serves the web app manifest, which gives an installed community its own name, color and logo on a device.
 */
export function serveWebManifest(server: FastifyInstance, app: Pick<WebContext, "settings">) {
  server.get("/manifest.webmanifest", async (request, reply) => {
    const { name, sentence, accent, logo } = await app.settings.get();
    const body = JSON.stringify({
      name,
      short_name: name,
      description: sentence,
      id: "/",
      start_url: "/",
      scope: "/",
      display: "standalone",
      background_color: "#faf8f4",
      theme_color: createAccent(accent)?.light.accent ?? accent,
      icons: logo === "" ? DEFAULT_ICONS : iconsFor(logo),
    });
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    void reply.headers({ etag, "cache-control": "public, max-age=3600" });
    if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("application/manifest+json; charset=utf-8").send(body);
  });
}

const DEFAULT_ICONS = [
  { src: "/icon.svg", type: "image/svg+xml", sizes: "any" },
  { src: "/icon-192.png", type: "image/png", sizes: "192x192" },
  { src: "/icon-512.png", type: "image/png", sizes: "512x512" },
  { src: "/icon-maskable-512.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
];

const iconsFor = (logo: string) => [
  { src: urls.logo(logo, "192.png"), type: "image/png", sizes: "192x192" },
  { src: urls.logo(logo, "512.png"), type: "image/png", sizes: "512x512" },
  { src: urls.logo(logo, "maskable.png"), type: "image/png", sizes: "512x512", purpose: "maskable" },
];
