import type { DomainEvent } from "#platform/outbox";

/** Ids in an event, and the list that each belongs to. */
const LIST_TAGS: Record<string, string> = {
  discussionId: "discussions",
  groupId: "groups",
  resourceId: "resources",
  collectionId: "resources",
  personId: "people",
};

/** Events that affect only the person's own pages, which are never cached. */
const PERSONAL_EVENTS = new RegExp(
  String.raw`^(discussion\.(read|followed)|bookmark\.|report\.|conversation\.|message\.` +
    String.raw`|friend\.|notifications?\.|search\.|person\.(security|password|second-step` +
    String.raw`|sessions|blocked|unblocked|muted|unmuted|filtered))`,
);
const SITE_WIDE_EVENTS = /^(person\.(changed|left|erased|status-changed|role-changed)|transfer\.|backend\.)/;

/**
 * Cache tags of the entities and lists that an event may have changed. `null` means everything: people appear
 * on every page by name and photo, but they change rarely.
 */
export function cacheTagsFor(domainEvent: DomainEvent): string[] | null {
  if (PERSONAL_EVENTS.test(domainEvent.type)) return [];
  if (SITE_WIDE_EVENTS.test(domainEvent.type)) return null;
  const things = domainEvent.type.startsWith("settings.") ? ["settings"] : [];
  for (const [key, list] of Object.entries(LIST_TAGS)) {
    const id = domainEvent[key];
    if (typeof id === "string") things.push(`${key.slice(0, -2)}:${id}`, list);
  }
  // A moved item also changes its previous group.
  if (typeof domainEvent["fromGroupId"] === "string") things.push(`group:${domainEvent["fromGroupId"]}`);
  if (typeof domainEvent["fromDiscussionId"] === "string")
    things.push(`discussion:${domainEvent["fromDiscussionId"]}`);
  return things;
}
