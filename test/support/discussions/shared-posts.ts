import { expect } from "vitest";
import { cacheTagsFor } from "#event-handlers";
import { onCommitted } from "#platform/outbox";
import type { TaggedCache } from "#platform/tagged-cache";
import * as discussions from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";

/**
 * Drops cached values that a domain event has changed, as the event hub does. Returns a function that stops
 * this.
 */
export const dropChangedValues = (caches: Pick<TaggedCache<never>, "forget" | "clear">[]) =>
  onCommitted((domainEvent) => {
    const tags = cacheTagsFor(domainEvent);
    for (const cache of caches) {
      if (tags === null) cache.clear();
      else for (const tag of tags) cache.forget(tag);
    }
  });

const sharedPosts = discussions.createSharedPostsCache();
dropChangedValues([sharedPosts]);

/** Reads a page of posts, and expects the same result from a cache that earlier readers have filled. */
export async function getPostsPage(
  db: Db,
  viewer: Viewer,
  discussion: discussions.Discussion,
  where: Parameters<typeof discussions.getPostsPage>[3],
): Promise<discussions.PostsPage> {
  const page = await discussions.getPostsPage(db, viewer, discussion, where);
  for (const _ of ["cold", "warm"])
    expect(await discussions.getPostsPage(db, viewer, discussion, where, sharedPosts)).toEqual(page);
  return page;
}
