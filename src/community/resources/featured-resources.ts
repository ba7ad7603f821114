import { type Db, limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { type ResourceKind, resourceRules, type Viewer } from "#community/rules";
import { getResourceForUpdate } from "./resource.ts";
import { joinResourceGroup, isResourceVisible } from "./resource-columns.ts";

/**
 * Features a resource on the front page for everyone who may see it.
 * @throws `not-found`, `gone`, `not-allowed`, like `unfeatureResource`
 */
export const featureResource = (tx: Tx, viewer: Viewer, input: { resourceId: string }) =>
  setFeatured(tx, viewer, input, true);

export const unfeatureResource = (tx: Tx, viewer: Viewer, input: { resourceId: string }) =>
  setFeatured(tx, viewer, input, false);

async function setFeatured(
  tx: Tx,
  viewer: Viewer,
  { resourceId }: { resourceId: string },
  on: boolean,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, resourceId);
  if (!resourceRules.feature(me, it))
    throw new Refusal("not-allowed", "Only admins and owners of the group can feature a resource.");
  if ((it.featuredAt !== null) === on) return;
  await run(
    tx,
    sql`update resources set featured_at = ${on ? tx.now : null}, featured_by = ${on ? me.id : null}
      where id = ${it.id}`,
  );
  await emit(tx, {
    type: on ? "resource.featured" : "resource.unfeatured",
    resourceId: it.id,
    groupId: it.group?.id ?? null,
    by: me.id,
  });
}

export type FeaturedResource = {
  id: string;
  title: string;
  why: string;
  kind: ResourceKind;
  siteName: string;
  language: string;
};
const MAX_FEATURED = 8;

/** SQL: featured resources, newest first, as rows of `Featured`. */
export const featuredResourceRows = (viewer: Viewer) => sql`
  select r.id, r.title, r.why, r.kind, r.site_name as "siteName", r.language
  from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
  where r.featured_at is not null and r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}
  order by r.featured_at desc, r.id desc ${limit(MAX_FEATURED)}`;

export const listFeaturedResources = (db: Db, viewer: Viewer): Promise<FeaturedResource[]> =>
  many(db, sql<FeaturedResource>`${featuredResourceRows(viewer)}`);
