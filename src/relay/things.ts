import type { Happening } from "#platform/outbox";

/** The ids a happening can carry, and the list that each is in. */
const LISTS: Record<string, string> = {
  discussionId: "discussions",
  groupId: "groups",
  resourceId: "resources",
  collectionId: "resources",
  personId: "people",
};

/** What concerns nobody's pages but one's own, which are never kept. */
const OWN_AFFAIR =
  /^(discussion\.(read|followed)|bookmark\.|report\.|conversation\.|message\.|friend\.|notifications?\.|search\.|person\.(security|password|second-step|sessions|blocked|unblocked|muted|unmuted|filtered))/;
const SHOWN_EVERYWHERE = /^(person\.(changed|left|erased|status-changed|role-changed)|transfer\.|backend\.)/;

/**
 * What a happening may have changed on pages, by name: the thing and the lists it stands in. `null` means: anything.
 * People stand on every page by name and photo, so what changes about a person changes anything; that is rare.
 */
export function thingsOf(happening: Happening): string[] | null {
  if (OWN_AFFAIR.test(happening.type)) return [];
  if (SHOWN_EVERYWHERE.test(happening.type)) return null;
  const things = happening.type.startsWith("settings.") ? ["settings"] : [];
  for (const [key, list] of Object.entries(LISTS)) {
    const id = happening[key];
    if (typeof id === "string") things.push(`${key.slice(0, -2)}:${id}`, list);
  }
  // What moved was somewhere before, too.
  if (typeof happening["fromGroupId"] === "string") things.push(`group:${happening["fromGroupId"]}`);
  if (typeof happening["fromDiscussionId"] === "string") things.push(`discussion:${happening["fromDiscussionId"]}`);
  return things;
}
