import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";

/**
 * Pages that crawlers need not request, because they have no content of their own. Other pages that must not
 * be indexed have a tag in their head.
 */
const EXCLUDED = [
  urls.search(),
  urls.login(),
  urls.register(),
  urls.resetPassword(),
  "/admin",
  "/moderation",
];

/** Rules for crawlers (RFC 9309). A private community allows no crawling. */
export const loader = defineLoader(async ({ app }) => {
  const isPrivate = (await app.settings.get()).audience === "private";
  const lines = isPrivate
    ? ["User-agent: *", "Disallow: /"]
    : [
        "User-agent: *",
        ...EXCLUDED.map((path) => `Disallow: ${path}`),
        "",
        `Sitemap: ${app.origin()}${urls.sitemap()}`,
      ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
});
