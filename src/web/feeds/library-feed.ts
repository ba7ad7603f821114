import { listResources } from "#community/resources";
import { GUEST } from "#community/rules";
import { getTranslations, translate } from "../i18n/index.ts";
import { feedUrl, urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess, atomResponse, escapeXml } from "./atom-feed.ts";

/** The latest resources that guests may see, as an Atom feed. */
export const loader = defineLoader(async ({ ctx, db, app, request }) => {
  await assertFeedAccess(ctx);
  const { name } = await app.settings.get();
  const { rows } = await listResources(db, GUEST, {});
  return atomResponse(ctx, request, {
    id: app.origin() + feedUrl(urls.resources()),
    title: `${name} · ${translate(getTranslations(ctx.locale), "Resources")}`,
    self: feedUrl(urls.resources()),
    to: urls.resources(),
    language: null,
    begun: new Date(0),
    entries: rows.map(({ id, title, language, why, createdAt, updatedAt, owner }) => ({
      id,
      title,
      language,
      to: urls.resource(id),
      published: createdAt,
      updated: updatedAt ?? createdAt,
      author: owner && { name: owner.name, to: urls.person(owner.id) },
      html: why === "" ? null : `<p>${escapeXml(why)}</p>`,
    })),
  });
});
