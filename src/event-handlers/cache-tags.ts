import type { DomainEvent } from "#platform/outbox";

/**
 * Event fields that hold the id of an entity, each with the cache tag of the lists that contain such
 * entities.
 */
const LIST_TAGS: Record<string, string> = {
  discussionId: "discussions",
  eventId: "events",
  seriesId: "events",
  groupId: "groups",
  resourceId: "resources",
  collectionId: "resources",
  personId: "people",
};

/** Events that affect only pages of members, which are never cached. */
const PERSONAL_EVENTS = new RegExp(
  String.raw`^(discussion\.(read|followed)|calendar\.poll-|bookmark\.|report\.|case\.|conversation\.` +
    String.raw`|message\.|friend\.|notifications?\.|search\.|webhook\.|person\.(security|password|second-step` +
    String.raw`|sessions|blocked|unblocked|muted|unmuted|filtered))`,
);
/** Events that do not change the names, states or rights of the discussion and its group. */
const CONTENT_EVENTS = /^(post|comment|poll|link|calendar)\./;
/** Events after which an event in the calendar may show or hide its place: the post may be its description. */
const DESCRIPTION_EVENTS = /^post\.(hidden|unhidden|removed|restored)$/;
const SITE_WIDE_EVENTS = /^(person\.(changed|left|erased|status-changed|role-changed)|transfer\.|backend\.)/;

/**
 * Returns the cache tags of the entities and lists that an event may have changed; null for everything. A
 * changed person affects everything, because names and photos appear on every page; such changes are rare. A
 * post changes its discussion and the list of its group (`group-list:…`), but not the group itself
 * (`group:…`), which all pages of its discussions show.
 */
export function cacheTagsFor(domainEvent: DomainEvent): string[] | null {
  if (PERSONAL_EVENTS.test(domainEvent.type)) return [];
  if (SITE_WIDE_EVENTS.test(domainEvent.type)) return null;
  const things = domainEvent.type.startsWith("settings.") ? ["settings"] : [];
  if (DESCRIPTION_EVENTS.test(domainEvent.type)) things.push("events");
  const isContent = CONTENT_EVENTS.test(domainEvent.type);
  for (const [key, list] of Object.entries(LIST_TAGS)) {
    const id = domainEvent[key];
    if (typeof id !== "string") continue;
    if (key === "groupId") things.push(`group-list:${id}`);
    if (key !== "groupId" || !isContent) things.push(`${key.slice(0, -2)}:${id}`);
    things.push(list);
  }
  // A moved item also changes its previous group.
  const from = domainEvent["fromGroupId"];
  if (typeof from === "string") things.push(`group:${from}`, `group-list:${from}`);
  if (typeof domainEvent["fromDiscussionId"] === "string")
    things.push(`discussion:${domainEvent["fromDiscussionId"]}`);
  return things;
}
