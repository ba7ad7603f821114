import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { createAccent } from "#community/settings";
import { matchesEtag } from "#platform/http";
import { type Message, msg } from "#platform/messages";
import type { WebContext } from "../web-context.ts";
import { requestLocale, type TranslateInto } from "./picture-uploads.ts";
import { urls } from "../urls.ts";

/**
 * Serves the web app manifest, which gives an installed community its own name, color and logo on a device,
 * and shortcuts in the language of the browser.
 */
export function serveWebManifest(
  server: FastifyInstance,
  app: Pick<WebContext, "settings">,
  translate: TranslateInto,
) {
  server.get("/manifest.webmanifest", async (request, reply) => {
    const { name, sentence, accent, logo } = await app.settings.get();
    const locale = requestLocale(request);
    const shortcuts = SHORTCUTS.map(async (it) => ({ ...it, name: await translate(locale, it.name) }));
    const body = JSON.stringify({
      lang: locale,
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
      shortcuts: await Promise.all(shortcuts),
      screenshots: SCREENSHOTS,
    });
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    void reply.headers({ etag, "cache-control": "public, max-age=3600", vary: "accept-language" });
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

/** Entries of the icon's menu on a device. They open pages of members; a guest signs in first. */
const SHORTCUTS: { name: Message; url: string }[] = [
  { name: msg("New discussion"), url: urls.start() },
  { name: msg("New message"), url: urls.messages({ begin: "1" }) },
  { name: msg("Notifications"), url: urls.notifications() },
  { name: msg("Search"), url: urls.search() },
];

/** Shown by a browser before it installs the app. */
const SCREENSHOTS = [
  { src: "/screenshots/discussion-narrow.webp", sizes: "780x1688", form_factor: "narrow" },
  { src: "/screenshots/group-narrow.webp", sizes: "780x1688", form_factor: "narrow" },
  { src: "/screenshots/group-wide.webp", sizes: "1280x800", form_factor: "wide" },
].map((it) => ({ ...it, type: "image/webp" }));
