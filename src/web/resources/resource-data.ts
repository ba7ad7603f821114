import { getDraft, listOwnPendingPosts, draftTargets } from "#community/discussions";
import {
  hiddenResourceEditableFrom,
  listComments,
  needsNewAddress,
  getLinkHealth,
  listRelatedResources,
  type Resource,
  getResource,
  listAddableCollections,
  listResourceUses,
} from "#community/resources";
import { groupRules, isSignedIn, resourceRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { loadOpenActions, readUnresolvedMentions, revealPost } from "../discussions/discussion-data.ts";
import { readQueryParam } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import { addHeadingAnchors } from "./document-outline.ts";
import { getFilePreview } from "./files/file-preview.ts";

/** All data of a resource page for this viewer. */
export async function getResourcePage(
  app: Pick<WebContext, "db" | "storage">,
  db: Db,
  viewer: Viewer,
  id: string,
  url: URL,
) {
  const resource = await getResource(db, viewer, id);
  const where = draftTargets.resource(resource.id);
  const [comments, uses, draft, shown, ownCollections, link, related, pendingPosts] = await Promise.all([
    getCommentsPage(db, viewer, resource, url),
    listResourceUses(db, viewer, resource),
    isSignedIn(viewer) ? getDraft(db, viewer, where) : null,
    getFilePreview(app, viewer, resource, url),
    listAddableCollections(db, viewer, resource),
    resource.url === null ? null : getLinkHealth(db, viewer, resource.id),
    resource.removedAt ? [] : listRelatedResources(db, viewer, resource),
    // The query is skipped for other readers: only new members have comments that wait for approval, and only a
    // returned resource has an entry of its owner.
    isSignedIn(viewer) && (viewer.trust === "new" || resource.returnedAt !== null)
      ? listOwnPendingPosts(db, viewer, { resourceId: resource.id })
      : [],
  ]);
  const { bodyMd: _, bodyHtml, ...kept } = resource;
  return {
    resource: kept,
    ...addHeadingAnchors(bodyHtml),
    excerpt: createExcerpt(bodyHtml, 200),
    ...comments,
    comments: await revealPost(db, viewer, comments.comments, readQueryParam(url, "show")),
    openActions: { ...(await loadOpenActions(db, viewer, comments.comments, url)), keep: null },
    plain: readUnresolvedMentions(viewer, url),
    uses,
    ownCollections,
    related,
    shown,
    link,
    draft,
    pendingPosts: pendingPosts.filter(({ resource: changes }) => !changes),
    /** The entry of the viewer's own resource that a moderator asked them to change. */
    pendingChanges: pendingPosts.find(({ resource: changes }) => changes),
    place: where,
    can: resourcePermissions(viewer, resource),
    // A resubmission has the same id, so the comment is stored once.
    clientId: crypto.randomUUID(),
  };
}

/** Returns one page of comments, and the number of the comment after which there are more. */
export async function getCommentsPage(db: Db, viewer: Viewer, resource: Resource, url: URL) {
  const query = {
    after: Number.parseInt(readQueryParam(url, "after"), 10) || 0,
    post: Number(readQueryParam(url, "post")) || 0,
  };
  const { comments, after, more } = await listComments(db, viewer, resource, query);
  return { comments, after, more: more ? comments.at(-1)!.number : null };
}

export const resourcePermissions = (viewer: Viewer, resource: Resource) => ({
  own: resource.ownerId !== null && resource.ownerId === viewer.id,
  /** Since when the owner may edit a hidden resource; null if they may not. */
  mendable: resourceRules.mend(viewer, resource)
    ? (resource.returnedAt ?? hiddenResourceEditableFrom(resource.hiddenAt!))
    : null,
  unhide: resourceRules.unhide(viewer, resource),
  comment: resourceRules.comment(viewer, resource),
  limited: viewer.limited,
  suggest: needsNewAddress(resource) && resourceRules.comment(viewer, resource),
  moderate: resourceRules.moderate(viewer, resource),
  edit: resourceRules.edit(viewer, resource) || resourceRules.amend(viewer, resource),
  move: resourceRules.moveFrom(viewer, resource),
  remove: resourceRules.remove(viewer, resource),
  report: resourceRules.report(viewer, resource),
  restore: resourceRules.restore(viewer, resource),
  feature: resourceRules.feature(viewer, resource),
  arrange:
    resource.group !== null && resource.state === "published" && groupRules.edit(viewer, resource.group),
});

/** `asOf`: time at which the data was loaded, in milliseconds. Data with a later time is newer. */
export type ResourcePageData = Awaited<ReturnType<typeof getResourcePage>> & { asOf: number };
export type ShownResource = ResourcePageData["resource"];

export type FilePreview = Awaited<ReturnType<typeof getFilePreview>>;
