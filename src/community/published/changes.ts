import type { Happening } from "#platform/outbox";

/** Entities that API clients can subscribe to, with their columns in API names. */
export const NOUNS = {
  Posts: ["objectId", "created", "updated", "ownerId", "discussionId", "groupId", "number", "text", "replyTo", "stub"],
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
  Groups: ["objectId", "created", "updated", "ownerId", "name", "slug", "purpose", "visibility", "joinPolicy", "state", "membersCount"],
  Comments: ["objectId", "created", "updated", "ownerId", "resourceId", "groupId", "number", "text", "stub"],
  Messages: ["objectId", "created", "updated", "ownerId", "conversationId", "seq", "text", "replyTo", "stub"],
} as const satisfies Record<string, readonly string[]>;

export type Noun = keyof typeof NOUNS;
/** A created, updated or deleted record: its id, and the fields known without reading it. */
export type Change = { table: Noun; event: "created" | "updated" | "deleted"; ids: { objectId: string } & Record<string, string> };

/** Domain events that change no record visible to others. Pending posts are no records yet. */
const UNSEEN =
  /^(discussion\.(read|followed)|(post|comment)\.mentioned|post\.(waits|sent_back|taken_back)|group\.(invitation_made|invitation_revoked|opening_\w+|ban_ended|appealed|appeal_declined|heir_asked|heir_declined|inspected))$/;
/** Events in which a person changes their own membership; in others `personId` names the member. */
const OWN_STEP = /^group\.(joined|requested|request_withdrawn|invitation_refused|left)$/;
const MEMBERSHIP_MADE = /^group\.(joined|requested|invited|admitted)$/;
const MEMBERSHIP_KEPT = /^group\.role_changed$/;

const GROUP_EVENTS: Record<string, Change["event"]> = {
  "group.created": "created",
  "group.brought_back": "created",
  "group.deleted": "deleted",
};

/** Records changed by a domain event, of those it names. */
export const changesIn = (happening: Happening): Change[] => (UNSEEN.test(happening.type) ? [] : changesOf(happening).filter(isNamed));

/** A record with an incomplete id cannot be read. */
const isNamed = ({ ids }: Change): boolean => ids.objectId.split(":").every((part) => part !== "");

function changesOf(happening: Happening): Change[] {
  const [kind] = happening.type.split(".");
  if (kind === "post" || kind === "poll") return postChanges(happening);
  if (kind === "discussion") return discussionChanges(happening);
  if (kind === "group") return groupChanges(happening);
  if (kind === "comment") return [commentChange(happening)];
  if (kind === "message") return [messageChange(happening)];
  // A link preview is shown below the text with the link.
  if (happening.type === "link.previewed") return text(happening, "discussionId") ? postChanges(happening) : [commentChange(happening)];
  return [];
}

const text = (happening: Happening, key: string): string => String(happening[key] ?? "");

function postChanges(it: Happening): Change[] {
  const discussionId = text(it, "discussionId");
  const place = { discussionId, groupId: text(it, "groupId") };
  const objectId = text(it, "postId");
  if (!discussionId) return [];
  if (it.type === "post.reacted" || it.type === "post.unreacted") {
    const [ownerId, emoji] = [text(it, "by"), text(it, "emoji")];
    const ids = { objectId: `${objectId}:${ownerId}:${emoji}`, postId: objectId, ownerId, emoji, ...place };
    return [{ table: "Reactions", event: it.type === "post.reacted" ? "created" : "deleted", ids }];
  }
  const post: Change = { table: "Posts", event: it.type === "post.written" ? "created" : "updated", ids: { objectId, ...place } };
  if (it.type !== "post.written") return [post];
  return [post, { table: "Discussions", event: "updated", ids: { objectId: discussionId, groupId: place.groupId } }];
}

/** A reaction changes its comment. A comment in the site library has no group. */
const commentChange = (it: Happening): Change => ({
  table: "Comments",
  event: it.type === "comment.written" ? "created" : "updated",
  ids: { objectId: text(it, "postId"), resourceId: text(it, "resourceId"), groupId: text(it, "groupId") },
});

/** A reaction changes its message. A deleted message stays as a stub. */
const messageChange = (it: Happening): Change => ({
  table: "Messages",
  event: it.type === "message.written" ? "created" : "updated",
  ids: { objectId: text(it, "messageId"), conversationId: text(it, "conversationId") },
});

function discussionChanges(it: Happening): Change[] {
  const [objectId, groupId] = [text(it, "discussionId"), text(it, "groupId")];
  const change = (event: Change["event"]): Change => ({ table: "Discussions", event, ids: { objectId, groupId } });
  if (it.type === "discussion.deleted") return [change("deleted")];
  if (it.type === "discussion.split-off") return [change("created")];
  if (it.type !== "discussion.started") return [change("updated")];
  return [change("created"), { table: "Posts", event: "created", ids: { objectId: text(it, "postId"), discussionId: objectId, groupId } }];
}

/** The member whose membership a domain event changes; null if it concerns the group and so all members. */
export const memberIn = (it: Happening): string | null => text(it, "personId") || (OWN_STEP.test(it.type) ? text(it, "by") : "") || null;

function groupChanges(it: Happening): Change[] {
  const groupId = text(it, "groupId");
  const personId = memberIn(it);
  if (personId === null) return [{ table: "Groups", event: GROUP_EVENTS[it.type] ?? "updated", ids: { objectId: groupId } }];
  const event = MEMBERSHIP_MADE.test(it.type) ? "created" : MEMBERSHIP_KEPT.test(it.type) ? "updated" : "deleted";
  return [{ table: "Memberships", event, ids: { objectId: `${groupId}:${personId}`, groupId, personId } }];
}
