import { listSitemapEntries, SITEMAP_KINDS, type SitemapKind } from "#community/overview";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { readQueryParam } from "../form-parsing.ts";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertSitemapAccess, sitemapResponse } from "./sitemap-response.ts";

const PAGES: Record<SitemapKind, (key: string) => string> = {
  groups: urls.group,
  discussions: urls.discussion,
  resources: urls.resource,
};

/** One file of the sitemap; `from` is the id of the entry at which the file begins. */
export const loader = defineLoader(async ({ ctx, db, app, url, params }) => {
  await assertSitemapAccess(ctx);
  const kind = SITEMAP_KINDS.find((it) => params["file"] === `${it}.xml`);
  if (!kind) throw notFound();
  const from = readQueryParam(url, "from");
  const entries = await listSitemapEntries(db, kind, isId(from) ? from : null);
  const origin = app.origin();
  return sitemapResponse(
    "urlset",
    entries.map(({ key, changedAt }) => ({ tag: "url", address: origin + PAGES[kind](key), changedAt })),
  );
});
