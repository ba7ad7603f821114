import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { EntityChange, FollowedEntity } from "./changes.ts";
import { readDiscussions } from "./discussions.ts";
import { readComments } from "./comments.ts";
import { readMessages } from "./messages.ts";
import { readGroups, readMemberships } from "./groups.ts";
import { readPosts, readReactions } from "./posts.ts";
import type { RecordForPerson, ApiRecord } from "./records.ts";

export { listChanges, affectedMember, FOLLOWED_ENTITIES } from "./changes.ts";
export type { EntityChange, FollowedEntity } from "./changes.ts";
export type { RecordForPerson, ApiRecord } from "./records.ts";
export { getPresenceVisibility, listScopeFollowers } from "./scopes.ts";
export { getPresenceAnywhere } from "./company.ts";
export type { PresenceVisibility, SubscriptionTarget } from "./scopes.ts";
export { listAffectedPeople } from "./concerned.ts";
export {
  AUTOMATED_ENTITIES,
  AUTOMATION_EVENT_TYPES,
  AUTOMATED_EVENTS,
  listAutomatedChanges,
  couldReadRecord,
  toAutomationRecord,
} from "./automated.ts";
export type { AutomatedChange } from "./automated.ts";
export { PER_VIEWER_ENTITIES, listPerViewerChanges, perViewerEntityFor } from "./viewed.ts";
export type { PerViewerChange } from "./viewed.ts";

// The same entities as tables that API clients query.
export { API_ENTITIES } from "./nouns/index.ts";
export { getEntityRow } from "./nouns/row.ts";
export type { EntityRow } from "./nouns/row.ts";
export type { EntityColumn, ApiEntity, EntityRelation } from "./nouns/noun.ts";

const RECORD_READERS: Record<FollowedEntity, (db: Db, change: EntityChange, people: string[]) => Promise<RecordForPerson | null>> = {
  Posts: readPosts,
  Discussions: readDiscussions,
  Reactions: readReactions,
  Memberships: readMemberships,
  Groups: readGroups,
  Comments: readComments,
  Messages: readMessages,
};

/**
 * The changed record as each of these people (and a guest) may read it, in one statement; null if it does not
 * exist.
 */
export const readRecordFor = (db: Db, change: EntityChange, people: string[]): Promise<RecordForPerson | null> =>
  RECORD_READERS[change.table](db, change, people);

/** A record as the viewer may read it; null if missing or hidden. */
export async function getRecord(
  db: Db,
  viewer: Viewer,
  table: "Posts" | "Discussions" | "Groups" | "Comments" | "Messages",
  objectId: string,
): Promise<ApiRecord | null> {
  const sight = await readRecordFor(db, { table, event: "updated", ids: { objectId } }, viewer.id === null ? [] : [viewer.id]);
  return sight?.(viewer.id) ?? null;
}
