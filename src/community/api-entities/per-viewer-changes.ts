import { type Db, many, one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { viewerMembership } from "#community/groups";
import { isCollectionVisible } from "#community/resources";
import type { Viewer } from "#community/rules";
import { couldReadRecord } from "./automation-changes.ts";

type Event = "created" | "updated" | "deleted";
/**
 * A changed record that each subscriber loads with their own permissions. `only`: the people it concerns;
 * null for all. `ids`: known fields of a deleted record, for conditions. `couldRead`: whether a viewer could
 * read a deleted record.
 */
export type PerViewerChange = {
  table: PerViewerEntity;
  event: Event;
  objectId: string;
  only: string[] | null;
  ids?: Record<string, string | null>;
  couldRead?: (viewer: Viewer) => Promise<boolean>;
};

/** Entities whose changes are delivered per viewer, as `PerViewerChange`. */
export const PER_VIEWER_ENTITIES = [
  "Users",
  "Resources",
  "Collections",
  "Friendships",
  "Blocks",
  "Bookmarks",
  "Conversations",
  "Participants",
  "Notifications",
] as const;
type PerViewerEntity = (typeof PER_VIEWER_ENTITIES)[number];

type Find = (it: DomainEvent, db: Db, here: string[]) => PerViewerChange[] | Promise<PerViewerChange[]>;
/**
 * Domain events of some types, the entities whose records they change, and the function that finds the
 * changes.
 */
type Source = { types: RegExp; tables: readonly PerViewerEntity[]; find: Find };

const text = (value: DomainEvent[string] | undefined): string => String(value ?? "");
const both = ({ by, personId }: DomainEvent) => [text(by), text(personId)].toSorted();

const person =
  (event: Event): Find =>
  ({ personId }) => [{ table: "Users", event, objectId: text(personId), only: null }];
const resource =
  (event: Event): Find =>
  ({ resourceId }) => [{ table: "Resources", event, objectId: text(resourceId), only: null }];
const friendship =
  (event: Event): Find =>
  (it) => [{ table: "Friendships", event, objectId: both(it).join(":"), only: both(it) }];
const collection =
  (event: Event): Find =>
  ({ collectionId }) => [{ table: "Collections", event, objectId: text(collectionId), only: null }];

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
    find: ({ personId }, db) => [removalChange(db, "Users", { objectId: text(personId) })],
  },
  { types: /^resource\.(added|saved|restored)$/, tables: ["Resources"], find: resource("created") },
  {
    types: /^resource\.(edited|version|moved|address-accepted|link-\w+|featured|unfeatured)$/,
    tables: ["Resources"],
    find: resource("updated"),
  },
  {
    types: /^resource\.removed$/,
    tables: ["Resources"],
    find: ({ resourceId, groupId }, db) => [
      removalChange(db, "Resources", {
        objectId: text(resourceId),
        groupId: groupId === null ? null : text(groupId),
      }),
    ],
  },
  { types: /^collection\.created$/, tables: ["Collections"], find: collection("created") },
  { types: /^collection\.changed$/, tables: ["Collections"], find: collection("updated") },
  { types: /^collection\.removed$/, tables: ["Collections"], find: findRemovedCollection },
  { types: /^friend\.(requested|removal_undone)$/, tables: ["Friendships"], find: friendship("created") },
  { types: /^friend\.accepted$/, tables: ["Friendships"], find: friendship("updated") },
  { types: /^friend\.(removed|cancelled)$/, tables: ["Friendships"], find: friendship("deleted") },
  {
    // The sender still sees a pending request.
    types: /^friend\.declined$/,
    tables: ["Friendships"],
    find: (it) => removedFriendship(it, [text(it["by"])]),
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
  const group = groupId === null ? null : text(groupId);
  const read = async (viewer: Viewer) =>
    (
      await one(
        db,
        sql<{ read: boolean }>`
          select exists (
            select
            from (select ${group}::uuid as group_id, ${text(audience)} as audience,
              ${text(createdAt)}::timestamptz as created_at) c
            left join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
              where ${isCollectionVisible("c", "g", "m")}) as read`,
      )
    ).read;
  const objectId = text(collectionId);
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
  const [ownerId, personId] = [text(domainEvent["by"]), text(domainEvent["personId"])];
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
  const [ownerId, postId] = [text(domainEvent["personId"]), text(domainEvent["postId"])];
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

type ParticipantRow = { personId: string; state: string; isBlocked: boolean };

/**
 * Current and former participants of a conversation. `isBlocked` is true if a block separates them from
 * `personId`.
 */
const listParticipants = (db: Db, conversationId: string, personId: string | null) =>
  many(
    db,
    sql<ParticipantRow>`
      select t.person_id as "personId", t.state, exists (
        select from blocks b where (b.blocker_id = t.person_id and b.blocked_id = ${personId}::uuid)
          or (b.blocked_id = t.person_id and b.blocker_id = ${personId}::uuid)) as "isBlocked"
      from participants t where t.conversation_id = ${conversationId}::uuid`,
  );

async function findConversationChanges(domainEvent: DomainEvent, db: Db): Promise<PerViewerChange[]> {
  const [conversationId, by, step] = [
    text(domainEvent["conversationId"]),
    text(domainEvent["by"]),
    domainEvent.type.split(".")[1],
  ];
  const subjectId = text(domainEvent["personId"] ?? domainEvent["by"]);
  const participants = await listParticipants(db, conversationId, subjectId);
  const inside = participants
    .filter(({ state }) => state === "accepted" || state === "request")
    .map(({ personId }) => personId);
  const conversation = (event: Event, only: string[]): PerViewerChange => ({
    table: "Conversations",
    event,
    objectId: conversationId,
    only,
  });
  const participant = (event: Event, personId: string, only: string[]): PerViewerChange => {
    const ids = { conversationId, personId };
    return { table: "Participants", event, objectId: `${conversationId}:${personId}`, only, ids };
  };
  if (step === "written" && domainEvent["seq"] === 1)
    return [
      conversation("created", inside),
      ...participants.map(({ personId }) => participant("created", personId, inside)),
    ];
  if (step === "joined")
    return [conversation("created", [subjectId]), participant("created", subjectId, inside)];
  if (step === "left" || step === "removed") {
    const informed = participants
      .filter(({ personId, isBlocked }) => inside.includes(personId) && !isBlocked)
      .map(({ personId }) => personId);
    return [
      conversation("deleted", [subjectId]),
      participant("deleted", subjectId, [...informed, subjectId]),
    ];
  }
  // For a person who declines the request, the conversation is deleted.
  if (step === "participant_changed")
    return [conversation(inside.includes(by) ? "updated" : "deleted", [by])];
  if (step === "read") return [conversation("updated", [by])];
  if (step === "accepted") return [conversation("updated", [by]), participant("updated", by, inside)];
  return [conversation("updated", inside)];
}

/** New notifications can update an unread row: each person gets their latest updated row. */
async function findNewNotifications(
  { objectId }: DomainEvent,
  db: Db,
  here: string[],
): Promise<PerViewerChange[]> {
  const rows = await many(
    db,
    sql<{ id: string; personId: string; isNew: boolean }>`
      select distinct on (person_id) id, person_id as "personId", updated_at = created_at as "isNew"
      from notifications
      where object_id = ${text(objectId)}::uuid and person_id = any(${here}::uuid[])
      order by person_id, updated_at desc`,
  );
  return rows.map(({ id, personId, isNew }) => ({
    table: "Notifications",
    event: isNew ? "created" : "updated",
    objectId: id,
    only: [personId],
  }));
}

/**
 * Changes of notifications: read, unread, seen, or withdrawn because the person can no longer see the
 * subject.
 */
function findNotificationChanges({ personId, ids, withdrawn }: DomainEvent): PerViewerChange[] {
  const event = withdrawn === true ? "deleted" : "updated";
  const changed = text(ids)
    .split(",")
    .filter((id) => id !== "");
  return changed.map((objectId) => ({ table: "Notifications", event, objectId, only: [text(personId)] }));
}
