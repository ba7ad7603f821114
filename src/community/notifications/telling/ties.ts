import { sql } from "#platform/database";
import { groupVisible } from "#community/groups";
import { type Telling, theirTie } from "./telling.ts";

type Sql = Telling["item"];
type Tie = { by: string; personId: string };
type InGroup = { groupId: string; by: string; personId: string };

const only = (personId: string, kind: string, reason: string) =>
  sql`select ${personId}::uuid as person_id, 1 as rank, ${kind} as kind, ${reason} as reason`;

const friendship = ({ by, personId }: Tie) =>
  sql`f.low_id = least(${by}::uuid, ${personId}::uuid) and f.high_id = greatest(${by}::uuid, ${personId}::uuid)`;

/**
 * A pending request, and an accepted one. A rejection notifies no one, and a request repeated within a day is
 * pending without notification.
 */
export const askedToBeFriends = (it: Tie & { again?: boolean }, item: Sql): Telling => ({
  candidates: sql`${only(it.personId, "friend_request", "asked_you")} where not ${it.again ?? false}::boolean`,
  sight: sql`join friendships f on ${friendship(it)} where f.state = 'pending' and f.requested_by = ${it.by}`,
  object: { kind: "person", id: sql`${it.by}::uuid` },
  actor: it.by,
  latest: null,
  item,
});

export const becameFriends = (it: Tie, item: Sql): Telling => ({
  candidates: only(it.personId, "friend_accepted", "you_asked"),
  sight: sql`join friendships f on ${friendship(it)} where f.state = 'friends'`,
  object: { kind: "person", id: sql`${it.by}::uuid` },
  actor: it.by,
  latest: null,
  item,
});

const group = (it: Pick<InGroup, "groupId">, state: Sql) =>
  sql`join groups g on g.id = ${it.groupId} ${theirTie} where g.state <> 'deleted' and ${state}`;
const aboutGroup = (it: Pick<InGroup, "groupId">) => ({ object: { kind: "group" as const, id: sql`${it.groupId}::uuid` }, latest: null });

export const invited = (it: InGroup, item: Sql): Telling => ({
  candidates: only(it.personId, "group_invitation", "invited_you"),
  sight: group(it, sql`m.state = 'invited'`),
  ...aboutGroup(it),
  actor: it.by,
  item,
});

/** Notifies moderators of each pending join request: a duty, so blocks do not apply. */
export const askedToJoin = (it: Omit<InGroup, "personId">, item: Sql): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_request' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role in ('owner', 'moderator')`,
  sight: group(it, sql`exists (select from memberships r where r.group_id = g.id and r.person_id = ${it.by} and r.state = 'requested')`),
  ...aboutGroup(it),
  actor: it.by,
  item,
});

/** The decision on a join request. No one is named: the group decides. */
export const decided = (it: InGroup, answer: "admitted" | "declined", item: Sql): Telling => ({
  candidates: only(it.personId, "group_decision", "you_asked"),
  sight: group(it, sql`m.state = ${answer === "admitted" ? "member" : "declined"} and ${groupVisible}`),
  ...aboutGroup(it),
  actor: null,
  item,
  detail: sql`${answer}`,
  words: sql`case when m.state = 'declined' then m.reason else '' end`,
});

/** Actions for a group name no one, so that blocks do not apply. */
export const roleChanged = (it: InGroup, item: Sql): Telling => ({
  candidates: only(it.personId, "group_role", "member"),
  sight: group(it, sql`m.state = 'member' and m.person_id <> ${it.by}`),
  ...aboutGroup(it),
  actor: null,
  item,
  detail: sql`m.role`,
});

export const archived = (it: Omit<InGroup, "personId">, item: Sql): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_archived' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and notify_level <> 'mute' and person_id <> ${it.by}`,
  sight: group(it, sql`m.state = 'member' and g.state = 'archived'`),
  ...aboutGroup(it),
  actor: null,
  item,
});

/** A change of a person's own account by anyone: the only kind that also notifies the actor. */
export const ownAccount = (it: { personId: string; what: string }, item: Sql): Telling => ({
  candidates: only(it.personId, "security", "account"),
  sight: sql`where true`,
  object: { kind: "person", id: sql`${it.personId}::uuid` },
  actor: null,
  latest: null,
  item,
  detail: sql`${it.what}`,
});
