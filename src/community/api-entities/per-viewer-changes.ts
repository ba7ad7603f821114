import { type Db, one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { viewerMembership } from "#community/groups";
import { isCollectionVisible } from "#community/resources";
import type { Viewer } from "#community/rules";
import { couldReadRecord } from "./automation-changes.ts";
import { type PerViewerChange, type PerViewerEntity, toText, type Event } from "./per-viewer-entities.ts";
import {
  findAnswer,
  findChangedDates,
  findChangedEvent,
  findCheckIn,
  findDeletedDates,
  findMovedUp,
  findNewEvents,
  findReleasedAnswers,
} from "./event-changes.ts";
import { findConversationChanges } from "./conversation-changes.ts";
import { findNewNotifications, findNotificationChanges } from "./notification-changes.ts";

type Find = (it: DomainEvent, db: Db, here: string[]) => PerViewerChange[] | Promise<PerViewerChange[]>;
/**
 * Domain events of some types, the entities whose records they change, and the function that finds the
 * changes.
 */
type Source = { types: RegExp; tables: readonly PerViewerEntity[]; find: Find };
const both = ({ by, personId }: DomainEvent) => [toText(by), toText(personId)].toSorted();

const person =
  (event: Event): Find =>
  ({ personId }) => [{ table: "Users", event, objectId: toText(personId), only: null }];
const resource =
  (event: Event): Find =>
  ({ resourceId }) => [{ table: "Resources", event, objectId: toText(resourceId), only: null }];
const friendship =
  (event: Event): Find =>
  (it) => [{ table: "Friendships", event, objectId: both(it).join(":"), only: both(it) }];
const collection =
  (event: Event): Find =>
  ({ collectionId }) => [{ table: "Collections", event, objectId: toText(collectionId), only: null }];

const SOURCES: Source[] = [
  { types: /^person\.joined$/, tables: ["Users"], find: person("created") },
  {
    types: /^person\.(changed|role-changed|status-changed|left)$/,
    tables: ["Users"],
    find: person("updated"),
  },
  {
    types: /^person\.erased$/,
    tables: ["Users"],
    find: ({ personId }, db) => [removalChange(db, "Users", { objectId: toText(personId) })],
  },
  { types: /^resource\.(added|saved|restored|unhidden)$/, tables: ["Resources"], find: resource("created") },
  {
    types: /^resource\.(edited|version|moved|address-accepted|link-\w+|featured|unfeatured)$/,
    tables: ["Resources"],
    find: resource("updated"),
  },
  {
    types: /^resource\.(removed|hidden)$/,
    tables: ["Resources"],
    find: ({ resourceId, groupId }, db) => [
      removalChange(db, "Resources", {
        objectId: toText(resourceId),
        groupId: groupId === null ? null : toText(groupId),
      }),
    ],
  },
  { types: /^collection\.created$/, tables: ["Collections"], find: collection("created") },
  { types: /^collection\.changed$/, tables: ["Collections"], find: collection("updated") },
  { types: /^collection\.removed$/, tables: ["Collections"], find: findRemovedCollection },
  { types: /^calendar\.(created|series-extended)$/, tables: ["Events"], find: findNewEvents },
  {
    types: /^calendar\.(changed|postponed|cancelled|host-left)$/,
    tables: ["Events"],
    find: findChangedEvent,
  },
  { types: /^calendar\.series-(changed|cancelled)$/, tables: ["Events"], find: findChangedDates },
  { types: /^calendar\.series-dates-deleted$/, tables: ["Events"], find: findDeletedDates },
  { types: /^calendar\.answered$/, tables: ["Attendances", "Events"], find: findAnswer },
  { types: /^calendar\.moved-up$/, tables: ["Attendances", "Events"], find: findMovedUp },
  { types: /^calendar\.checked-in$/, tables: ["Attendances"], find: findCheckIn },
  { types: /^calendar\.places-released$/, tables: ["Attendances", "Events"], find: findReleasedAnswers },
  { types: /^friend\.(requested|removal_undone)$/, tables: ["Friendships"], find: friendship("created") },
  { types: /^friend\.accepted$/, tables: ["Friendships"], find: friendship("updated") },
  { types: /^friend\.(removed|cancelled)$/, tables: ["Friendships"], find: friendship("deleted") },
  {
    // The sender still sees a pending request.
    types: /^friend\.declined$/,
    tables: ["Friendships"],
    find: (it) => removedFriendship(it, [toText(it["by"])]),
  },
  { types: /^person\.(un)?blocked$/, tables: ["Blocks", "Friendships"], find: findBlockChanges },
  { types: /^bookmark\.(added|changed|removed|due)$/, tables: ["Bookmarks"], find: findBookmarkChange },
  {
    types: /^(conversation\.|message\.written$)/,
    tables: ["Conversations", "Participants"],
    find: findConversationChanges,
  },
  { types: /^notifications?\.made$/, tables: ["Notifications"], find: findNewNotifications },
  { types: /^notification\.read$/, tables: ["Notifications"], find: findNotificationChanges },
];

/** Entities whose records an event of this type may have changed. */
export const perViewerEntityFor = ({ type }: DomainEvent): readonly PerViewerEntity[] =>
  SOURCES.find(({ types }) => types.test(type))?.tables ?? [];

/** The changed records that concern online people. */
export async function listPerViewerChanges(
  db: Db,
  domainEvent: DomainEvent,
  here: string[],
): Promise<PerViewerChange[]> {
  return (await SOURCES.find(({ types }) => types.test(domainEvent.type))?.find(domainEvent, db, here)) ?? [];
}

/**
 * The removal of a record, for subscribers who could read it. The row still exists and decides who these
 * subscribers are.
 */
function removalChange(
  db: Db,
  table: "Users" | "Resources",
  ids: { objectId: string } & Record<string, string | null>,
): PerViewerChange {
  const change = { table, event: "deleted" as const, ids };
  return {
    table,
    event: "deleted",
    objectId: ids.objectId,
    only: null,
    ids,
    couldRead: (viewer) => couldReadRecord(db, change, viewer),
  };
}

/**
 * The removal of a collection. Its row no longer exists: fields of the event decide who could read the
 * collection.
 */
function findRemovedCollection(
  { collectionId, groupId, audience, createdAt }: DomainEvent,
  db: Db,
): PerViewerChange[] {
  const group = groupId === null ? null : toText(groupId);
  const read = async (viewer: Viewer) =>
    (
      await one(
        db,
        sql<{ read: boolean }>`
          select exists (
            select
            from (select ${group}::uuid as group_id, ${toText(audience)} as audience,
              ${toText(createdAt)}::timestamptz as created_at) c
            left join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
              where ${isCollectionVisible("c", "g", "m")}) as read`,
      )
    ).read;
  const objectId = toText(collectionId);
  return [
    {
      table: "Collections",
      event: "deleted",
      objectId,
      only: null,
      ids: { groupId: group },
      couldRead: read,
    },
  ];
}

const removedFriendship = (it: DomainEvent, only: string[]): PerViewerChange[] => [
  { table: "Friendships", event: "deleted", objectId: both(it).join(":"), only },
];

/**
 * A block is visible only to the blocker. A friendship that the block ends is reported to both people as
 * deleted.
 */
function findBlockChanges(domainEvent: DomainEvent): PerViewerChange[] {
  const [ownerId, personId] = [toText(domainEvent["by"]), toText(domainEvent["personId"])];
  const event = domainEvent.type === "person.blocked" ? "created" : "deleted";
  const block: PerViewerChange = {
    table: "Blocks",
    event,
    objectId: `${ownerId}:${personId}`,
    only: [ownerId],
    ids: { ownerId, personId },
  };
  return domainEvent["wereFriends"] === true
    ? [block, ...removedFriendship(domainEvent, both(domainEvent))]
    : [block];
}

function findBookmarkChange(domainEvent: DomainEvent): PerViewerChange[] {
  const [ownerId, postId] = [toText(domainEvent["personId"]), toText(domainEvent["postId"])];
  const event =
    domainEvent.type === "bookmark.added"
      ? "created"
      : domainEvent.type === "bookmark.removed"
        ? "deleted"
        : "updated";
  return [
    {
      table: "Bookmarks",
      event,
      objectId: `${postId}:${ownerId}`,
      only: [ownerId],
      ids: { ownerId, postId },
    },
  ];
}
