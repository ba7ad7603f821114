import { listSitemapFiles } from "#community/overview";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertSitemapAccess, sitemapResponse } from "./sitemap-response.ts";

/** The index of the sitemap: its files, each with at most 10 000 pages that guests may read. */
export const loader = defineLoader(async ({ ctx, db, app }) => {
  await assertSitemapAccess(ctx);
  const files = await listSitemapFiles(db);
  const origin = app.origin();
  return sitemapResponse(
    "sitemapindex",
    files.map(({ kind, from }) => ({ tag: "sitemap", address: origin + urls.sitemapFile(kind, from) })),
  );
});
