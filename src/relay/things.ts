import type { Happening } from "#platform/outbox";

/** Ids in an event, and the list that each belongs to. */
const LISTS: Record<string, string> = {
  discussionId: "discussions",
  groupId: "groups",
  resourceId: "resources",
  collectionId: "resources",
  personId: "people",
};

/** Events that affect only the person's own pages, which are never cached. */
const OWN_AFFAIR =
  /^(discussion\.(read|followed)|bookmark\.|report\.|conversation\.|message\.|friend\.|notifications?\.|search\.|person\.(security|password|second-step|sessions|blocked|unblocked|muted|unmuted|filtered))/;
const SHOWN_EVERYWHERE = /^(person\.(changed|left|erased|status-changed|role-changed)|transfer\.|backend\.)/;

/**
 * Cache tags of the entities and lists that an event may have changed. `null` means everything: people appear
 * on every page by name and photo, but they change rarely.
 */
export function thingsOf(happening: Happening): string[] | null {
  if (OWN_AFFAIR.test(happening.type)) return [];
  if (SHOWN_EVERYWHERE.test(happening.type)) return null;
  const things = happening.type.startsWith("settings.") ? ["settings"] : [];
  for (const [key, list] of Object.entries(LISTS)) {
    const id = happening[key];
    if (typeof id === "string") things.push(`${key.slice(0, -2)}:${id}`, list);
  }
  // A moved item also changes its previous group.
  if (typeof happening["fromGroupId"] === "string") things.push(`group:${happening["fromGroupId"]}`);
  if (typeof happening["fromDiscussionId"] === "string") things.push(`discussion:${happening["fromDiscussionId"]}`);
  return things;
}
