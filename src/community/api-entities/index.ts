import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { EntityChange, FollowedEntity } from "./entity-changes.ts";
import { readDiscussions } from "./discussion-records.ts";
import { readComments } from "./comment-records.ts";
import { readMessages } from "./message-records.ts";
import { readGroups, readMemberships } from "./group-records.ts";
import { readPosts, readReactions } from "./post-records.ts";
import type { RecordForPerson, ApiRecord } from "./api-record.ts";

export { listChanges, findAffectedMember, FOLLOWED_ENTITIES } from "./entity-changes.ts";
export type { EntityChange, FollowedEntity } from "./entity-changes.ts";
export type { RecordForPerson, ApiRecord } from "./api-record.ts";
export { getPresenceVisibility, listScopeFollowers } from "./subscription-scopes.ts";
export { getPresenceOutsideCommunity } from "./presence-outside-community.ts";
export type { PresenceVisibility, SubscriptionTarget } from "./subscription-scopes.ts";
export { listAffectedPeople } from "./affected-people.ts";
export {
  AUTOMATION_EVENT_TYPES,
  AUTOMATED_EVENTS,
  isAutomatedChange,
  listAutomatedChanges,
  couldReadRecord,
  toAutomationRecord,
} from "./automation-changes.ts";
export type { AutomatedChange } from "./automation-changes.ts";
export { PER_VIEWER_ENTITIES } from "./per-viewer-entities.ts";
export { listPerViewerChanges, perViewerEntityFor } from "./per-viewer-changes.ts";
export type { PerViewerChange } from "./per-viewer-entities.ts";

// Entities as tables that API clients query.
export { API_ENTITIES } from "./entities/index.ts";
export { getEntityRow } from "./entities/entity-row.ts";
export type { EntityRow } from "./entities/entity-row.ts";
export type { EntityColumn, ApiEntity, EntityRelation } from "./entities/entity.ts";

const RECORD_READERS: Record<
  FollowedEntity,
  (db: Db, change: EntityChange, people: string[]) => Promise<RecordForPerson | null>
> = {
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
export const readRecordFor = (
  db: Db,
  change: EntityChange,
  people: string[],
): Promise<RecordForPerson | null> => RECORD_READERS[change.table](db, change, people);

/** A record as the viewer may read it; null if missing or hidden. */
export async function getRecord(
  db: Db,
  viewer: Viewer,
  table: "Posts" | "Discussions" | "Groups" | "Comments" | "Messages",
  objectId: string,
): Promise<ApiRecord | null> {
  const recordFor = await readRecordFor(
    db,
    { table, event: "updated", ids: { objectId } },
    viewer.id === null ? [] : [viewer.id],
  );
  return recordFor?.(viewer.id) ?? null;
}
