import type { DomainEvent } from "#platform/outbox";

/** Entities that API clients can subscribe to, with their columns in API names. */
export const FOLLOWED_ENTITIES = {
  Posts: [
    "objectId",
    "created",
    "updated",
    "ownerId",
    "discussionId",
    "groupId",
    "number",
    "text",
    "replyTo",
    "stub",
  ],
  Discussions: [
    "objectId",
    "created",
    "updated",
    "ownerId",
    "groupId",
    "title",
    "tags",
    "state",
    "locked",
    "lockedReason",
    "pinned",
    "resolved",
    "replies",
    "lastNumber",
    "lastPostAt",
  ],
  Reactions: ["objectId", "created", "updated", "ownerId", "postId", "discussionId", "groupId", "emoji"],
  Memberships: ["objectId", "created", "updated", "ownerId", "groupId", "personId", "state", "role"],
  Groups: [
    "objectId",
    "created",
    "updated",
    "ownerId",
    "name",
    "slug",
    "purpose",
    "visibility",
    "joinPolicy",
    "state",
    "membersCount",
  ],
  Comments: ["objectId", "created", "updated", "ownerId", "resourceId", "groupId", "number", "text", "stub"],
  Messages: ["objectId", "created", "updated", "ownerId", "conversationId", "seq", "text", "replyTo", "stub"],
} as const satisfies Record<string, readonly string[]>;

export type FollowedEntity = keyof typeof FOLLOWED_ENTITIES;
/** A created, updated or deleted record: its id, and the fields that are known from the event. */
export type EntityChange = {
  table: FollowedEntity;
  event: "created" | "updated" | "deleted";
  ids: { objectId: string } & Record<string, string>;
};

/** Domain events that change no record visible to others. Pending posts are not records yet. */
const IGNORED_EVENTS = new RegExp(
  String.raw`^(discussion\.(read|followed)|(post|comment)\.mentioned|post\.(pending|returned` +
    String.raw`|withdrawn)|group\.(invitation_created|invitation_revoked|opening_\w+|ban_ended` +
    String.raw`|appealed|appeal_declined|owner_requested|owner_request_declined|inspected))$`,
);
/** Events about the actor's own membership. In all others `personId` is the member. */
const OWN_MEMBERSHIP_EVENTS = /^group\.(joined|requested|request_withdrawn|invitation_declined|left)$/;
const MEMBERSHIP_CREATED = /^group\.(joined|requested|invited|join_approved|ban_undone)$/;
const MEMBERSHIP_UPDATED = /^group\.role_changed$/;

const GROUP_EVENTS: Record<string, EntityChange["event"]> = {
  "group.created": "created",
  "group.restored": "created",
  "group.deleted": "deleted",
};

/** Records that a domain event names and changes. */
export const listChanges = (domainEvent: DomainEvent): EntityChange[] =>
  IGNORED_EVENTS.test(domainEvent.type) ? [] : mapEvent(domainEvent).filter(hasCompleteId);

/** A record with an incomplete id cannot be read. */
const hasCompleteId = ({ ids }: EntityChange): boolean =>
  ids.objectId.split(":").every((part) => part !== "");

function mapEvent(domainEvent: DomainEvent): EntityChange[] {
  const [kind] = domainEvent.type.split(".");
  if (kind === "post" || kind === "poll") return listPostChanges(domainEvent);
  if (kind === "discussion") return listDiscussionChanges(domainEvent);
  if (kind === "group") return listGroupChanges(domainEvent);
  if (kind === "comment") return [createCommentChange(domainEvent)];
  if (kind === "message") return [createMessageChange(domainEvent)];
  // The preview is shown below the post that has the link.
  if (domainEvent.type === "link.previewed")
    return fieldText(domainEvent, "discussionId")
      ? listPostChanges(domainEvent)
      : [createCommentChange(domainEvent)];
  return [];
}

const fieldText = (domainEvent: DomainEvent, key: string): string => String(domainEvent[key] ?? "");

function listPostChanges(domainEvent: DomainEvent): EntityChange[] {
  const discussionId = fieldText(domainEvent, "discussionId");
  const containerIds = { discussionId, groupId: fieldText(domainEvent, "groupId") };
  const objectId = fieldText(domainEvent, "postId");
  if (!discussionId) return [];
  if (domainEvent.type === "post.reacted" || domainEvent.type === "post.unreacted") {
    const [ownerId, emoji] = [fieldText(domainEvent, "by"), fieldText(domainEvent, "emoji")];
    const ids = {
      objectId: `${objectId}:${ownerId}:${emoji}`,
      postId: objectId,
      ownerId,
      emoji,
      ...containerIds,
    };
    return [{ table: "Reactions", event: domainEvent.type === "post.reacted" ? "created" : "deleted", ids }];
  }
  const post: EntityChange = {
    table: "Posts",
    event: domainEvent.type === "post.written" ? "created" : "updated",
    ids: { objectId, ...containerIds },
  };
  if (domainEvent.type !== "post.written") return [post];
  return [
    post,
    {
      table: "Discussions",
      event: "updated",
      ids: { objectId: discussionId, groupId: containerIds.groupId },
    },
  ];
}

/** A reaction updates its comment. A comment in the site library has no group. */
const createCommentChange = (domainEvent: DomainEvent): EntityChange => ({
  table: "Comments",
  event: domainEvent.type === "comment.written" ? "created" : "updated",
  ids: {
    objectId: fieldText(domainEvent, "postId"),
    resourceId: fieldText(domainEvent, "resourceId"),
    groupId: fieldText(domainEvent, "groupId"),
  },
});

/** A reaction updates its message. A deleted message remains as a stub. */
const createMessageChange = (domainEvent: DomainEvent): EntityChange => ({
  table: "Messages",
  event: domainEvent.type === "message.written" ? "created" : "updated",
  ids: {
    objectId: fieldText(domainEvent, "messageId"),
    conversationId: fieldText(domainEvent, "conversationId"),
  },
});

function listDiscussionChanges(domainEvent: DomainEvent): EntityChange[] {
  const [objectId, groupId] = [fieldText(domainEvent, "discussionId"), fieldText(domainEvent, "groupId")];
  const change = (event: EntityChange["event"]): EntityChange => ({
    table: "Discussions",
    event,
    ids: { objectId, groupId },
  });
  if (domainEvent.type === "discussion.deleted") return [change("deleted")];
  if (domainEvent.type === "discussion.split-off") return [change("created")];
  if (domainEvent.type !== "discussion.started") return [change("updated")];
  return [
    change("created"),
    {
      table: "Posts",
      event: "created",
      ids: { objectId: fieldText(domainEvent, "postId"), discussionId: objectId, groupId },
    },
  ];
}

/**
 * The member whose membership a domain event changes; null if the event concerns all members of the group.
 */
export const findAffectedMember = (it: DomainEvent): string | null =>
  fieldText(it, "personId") || (OWN_MEMBERSHIP_EVENTS.test(it.type) ? fieldText(it, "by") : "") || null;

function listGroupChanges(domainEvent: DomainEvent): EntityChange[] {
  const groupId = fieldText(domainEvent, "groupId");
  const personId = findAffectedMember(domainEvent);
  if (personId === null)
    return [
      { table: "Groups", event: GROUP_EVENTS[domainEvent.type] ?? "updated", ids: { objectId: groupId } },
    ];
  const event = MEMBERSHIP_CREATED.test(domainEvent.type)
    ? "created"
    : MEMBERSHIP_UPDATED.test(domainEvent.type)
      ? "updated"
      : "deleted";
  return [{ table: "Memberships", event, ids: { objectId: `${groupId}:${personId}`, groupId, personId } }];
}
