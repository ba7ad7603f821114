import { notFound } from "#platform/refusal";
import type { RequestContext } from "../request-context.ts";
import { escapeXml } from "./atom-feed.ts";

/** Maximum requests per minute and client address. The index reads the ids of all public content. */
const SITEMAP_LIMIT = { points: 20, seconds: 60 };

/** @throws `not-found` in a private community, `too-many` */
export async function assertSitemapAccess({ app, from }: RequestContext): Promise<void> {
  await app.limits.take("sitemap", SITEMAP_LIMIT, from.address);
  if ((await app.settings.get()).audience === "private") throw notFound();
}

type SitemapElement = { tag: "sitemap" | "url"; address: string; changedAt?: Date };

/** Returns a file in the format of https://www.sitemaps.org/protocol.html. */
export function sitemapResponse(root: "sitemapindex" | "urlset", elements: SitemapElement[]): Response {
  const body = elements
    .map(({ tag, address, changedAt }) => {
      const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : "";
      return `<${tag}><loc>${escapeXml(address)}</loc>${changed}</${tag}>\n`;
    })
    .join("");
  return new Response(
    `<?xml version="1.0" encoding="utf-8"?>\n` +
      `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${body}</${root}>\n`,
    {
      headers: { "content-type": "application/xml; charset=utf-8", "cache-control": "public, max-age=3600" },
    },
  );
}
