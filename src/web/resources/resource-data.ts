import { draftFor, ownHeld, place } from "#community/discussions";
import {
  commentsOn,
  leadsNowhere,
  linkHealthOf,
  relatedTo,
  type Resource,
  resourceFor,
  shelvesToPutOn,
  usedIn,
} from "#community/resources";
import { groupRules, isSignedIn, resourceRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { excerptOf } from "#platform/markup";
import { beingDone, plainIn, withRevealed } from "../discussions/discussion-data.ts";
import { asked } from "../forms.ts";
import type { House } from "../house.ts";
import { withOutline } from "./outline.ts";
import { shownOf } from "./shown-of.ts";

/** All data of a resource page for this viewer. */
export async function resourcePage(house: House, db: Db, viewer: Viewer, id: string, url: URL) {
  const resource = await resourceFor(db, viewer, id);
  const where = place.resource(resource.id);
  const [said, uses, draft, shown, shelves, link, related, held] = await Promise.all([
    commentsPage(db, viewer, resource, url),
    usedIn(db, viewer, resource),
    isSignedIn(viewer) ? draftFor(db, viewer, where) : null,
    shownOf(house, viewer, resource, url),
    shelvesToPutOn(db, viewer, resource),
    resource.url === null ? null : linkHealthOf(db, viewer, resource.id),
    resource.removedAt ? [] : relatedTo(db, viewer, resource),
    // Only newcomers have pending comments.
    isSignedIn(viewer) && viewer.trust === "new" ? ownHeld(db, viewer, { resourceId: resource.id }) : [],
  ]);
  const { bodyMd: _, bodyHtml, ...kept } = resource;
  return {
    resource: kept,
    ...withOutline(bodyHtml),
    excerpt: excerptOf(bodyHtml, 200),
    ...said,
    comments: await withRevealed(db, viewer, said.comments, asked(url, "show")),
    doing: { ...(await beingDone(db, viewer, said.comments, url)), keep: null },
    plain: plainIn(viewer, url),
    uses,
    shelves,
    related,
    shown,
    link,
    draft,
    held,
    place: where,
    may: mayDo(viewer, resource),
    // Makes the submission idempotent: it is stored once, however often it is sent.
    clientId: crypto.randomUUID(),
  };
}

/** One page of comments, and the number after which there are more. */
export async function commentsPage(db: Db, viewer: Viewer, resource: Resource, url: URL) {
  const query = { after: Number.parseInt(asked(url, "after"), 10) || 0, post: Number(asked(url, "post")) || 0 };
  const { comments, after, more } = await commentsOn(db, viewer, resource, query);
  return { comments, after, more: more ? comments.at(-1)!.number : null };
}

export const mayDo = (viewer: Viewer, it: Resource) => ({
  own: it.keeperId !== null && it.keeperId === viewer.id,
  comment: resourceRules.comment(viewer, it),
  limited: viewer.limited,
  suggest: leadsNowhere(it) && resourceRules.comment(viewer, it),
  moderate: resourceRules.moderate(viewer, it),
  edit: resourceRules.edit(viewer, it) || resourceRules.amend(viewer, it),
  move: resourceRules.moveFrom(viewer, it),
  remove: resourceRules.remove(viewer, it),
  report: resourceRules.report(viewer, it),
  restore: resourceRules.restore(viewer, it),
  feature: resourceRules.feature(viewer, it),
  arrange: it.group !== null && it.state === "published" && groupRules.edit(viewer, it.group),
});

/** `asOf`: milliseconds when it was loaded; later data is newer. */
export type ResourcePageData = Awaited<ReturnType<typeof resourcePage>> & { asOf: number };
export type ShownResource = ResourcePageData["resource"];

export type ShownText = Awaited<ReturnType<typeof shownOf>>;
