import { sql } from "#platform/database";
import { joinMembership, isGroupVisible } from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type Sql = NotificationTrigger["item"];
type RelationshipEvent = { by: string; personId: string };
type MembershipEvent = { groupId: string; by: string; personId: string };

const singleCandidate = (personId: string, kind: string, reason: string) =>
  sql`select ${personId}::uuid as person_id, 1 as rank, ${kind} as kind, ${reason} as reason`;

const friendshipCondition = ({ by, personId }: RelationshipEvent) =>
  sql`f.low_id = least(${by}::uuid, ${personId}::uuid)
    and f.high_id = greatest(${by}::uuid, ${personId}::uuid)`;

/**
 * Notifies of a friend request. A request repeated within a day is pending without a notification, and a
 * rejection notifies no one.
 */
export const friendRequestTrigger = (
  it: RelationshipEvent & { again?: boolean },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`${singleCandidate(it.personId, "friend_request", "asked_you")}
    where not ${it.again ?? false}::boolean`,
  visibility: sql`join friendships f on ${friendshipCondition(it)}
    where f.state = 'pending' and f.requested_by = ${it.by}`,
  object: { kind: "person", id: sql`${it.by}::uuid` },
  actor: it.by,
  latest: null,
  item,
});

export const friendAcceptedTrigger = (
  relationshipEvent: RelationshipEvent,
  item: Sql,
): NotificationTrigger => ({
  candidates: singleCandidate(relationshipEvent.personId, "friend_accepted", "you_asked"),
  visibility: sql`join friendships f on ${friendshipCondition(relationshipEvent)} where f.state = 'friends'`,
  object: { kind: "person", id: sql`${relationshipEvent.by}::uuid` },
  actor: relationshipEvent.by,
  latest: null,
  item,
});

const joinGroupInState = (it: Pick<MembershipEvent, "groupId">, state: Sql) =>
  sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where g.state <> 'deleted' and ${state}`;
const groupTarget = (it: Pick<MembershipEvent, "groupId">) => ({
  object: { kind: "group" as const, id: sql`${it.groupId}::uuid` },
  latest: null,
});

export const invitationTrigger = (membershipEvent: MembershipEvent, item: Sql): NotificationTrigger => ({
  candidates: singleCandidate(membershipEvent.personId, "group_invitation", "invited_you"),
  visibility: joinGroupInState(membershipEvent, sql`m.state = 'invited'`),
  ...groupTarget(membershipEvent),
  actor: membershipEvent.by,
  item,
});

/** Notifies moderators of each pending join request. Blocks do not apply, because deciding is their duty. */
export const joinRequestTrigger = (
  it: Omit<MembershipEvent, "personId">,
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_request' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role in ('owner', 'moderator')`,
  visibility: joinGroupInState(
    it,
    sql`exists (select from memberships r
      where r.group_id = g.id and r.person_id = ${it.by} and r.state = 'requested')`,
  ),
  ...groupTarget(it),
  actor: it.by,
  item,
});

/** Notifies a person of the decision on their join request. No one is named, because the group decides. */
export const joinDecisionTrigger = (
  membershipEvent: MembershipEvent,
  answer: "join_approved" | "declined",
  item: Sql,
): NotificationTrigger => ({
  candidates: singleCandidate(membershipEvent.personId, "group_decision", "you_asked"),
  visibility: joinGroupInState(
    membershipEvent,
    sql`m.state = ${answer === "join_approved" ? "member" : "declined"} and ${isGroupVisible("g", "m")}`,
  ),
  ...groupTarget(membershipEvent),
  actor: null,
  item,
  detail: sql`${answer}`,
  words: sql`case when m.state = 'declined' then m.reason else '' end`,
});

/**
 * Notifies a member of a changed role. The actor is not named, so that blocks do not prevent the
 * notification.
 */
export const roleChangedTrigger = (membershipEvent: MembershipEvent, item: Sql): NotificationTrigger => ({
  candidates: singleCandidate(membershipEvent.personId, "group_role", "member"),
  visibility: joinGroupInState(
    membershipEvent,
    sql`m.state = 'member' and m.person_id <> ${membershipEvent.by}`,
  ),
  ...groupTarget(membershipEvent),
  actor: null,
  item,
  detail: sql`m.role`,
});

export const groupArchivedTrigger = (
  it: Omit<MembershipEvent, "personId">,
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_archived' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and notify_level <> 'mute' and person_id <> ${it.by}`,
  visibility: joinGroupInState(it, sql`m.state = 'member' and g.state = 'archived'`),
  ...groupTarget(it),
  actor: null,
  item,
});

/**
 * Notifies a person of a change to their account. Only this kind of notification is also sent to the actor.
 */
export const ownAccountTrigger = (
  it: { personId: string; what: string },
  item: Sql,
): NotificationTrigger => ({
  candidates: singleCandidate(it.personId, "security", "account"),
  visibility: sql`where true`,
  object: { kind: "person", id: sql`${it.personId}::uuid` },
  actor: null,
  latest: null,
  item,
  detail: sql`${it.what}`,
});
