export { listSitemapEntries, listSitemapFiles, SITEMAP_KINDS } from "./sitemap.ts";
export type { SitemapKind } from "./sitemap.ts";
export { getOverview } from "./overview.ts";
export type { Overview } from "./overview.ts";
