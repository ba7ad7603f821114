import { z } from "zod";
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
const FileName = z.templateLiteral([z.enum(SITEMAP_KINDS), ".xml"]);

/** One file of the sitemap; `from` is the id of the entry at which the file begins. */
export const loader = defineLoader(async ({ ctx, db, app, url, params }) => {
  await assertSitemapAccess(ctx);
  const { data: name } = FileName.safeParse(params["file"]);
  if (!name) throw notFound();
  const kind = name.replace(/\.xml$/, "") as SitemapKind;
  const from = readQueryParam(url, "from");
  const entries = await listSitemapEntries(db, kind, isId(from) ? from : null);
  const origin = app.origin();
  return sitemapResponse(
    "urlset",
    entries.map(({ key, changedAt }) => ({ tag: "url", address: origin + PAGES[kind](key), changedAt })),
  );
});
