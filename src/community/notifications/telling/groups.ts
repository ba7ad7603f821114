import { sql } from "#platform/database";
import { appealWaits, asksForOwner, groupVisible, waitsToBeLetIn } from "#community/groups";
import { type Telling, theirTie } from "./telling.ts";

type Sql = Telling["item"];
/** About the group `g`. No actor is named: the group or the site acts. */
const aboutGroup = { object: { kind: "group" as const, id: sql`g.id` }, actor: null, latest: null };
type Decided = { groupId: string; personId: string };

/** A decision of a group about a person. No actor is named: the group decides. */
const decision = (it: Decided) => ({
  candidates: sql`select ${it.personId}::uuid as person_id, 1 as rank, 'group_decision' as kind, 'about_you' as reason`,
  object: { kind: "group" as const, id: sql`${it.groupId}::uuid` },
  actor: null,
  latest: null,
});

/** A removed member may no longer see the group: it is identified by its name at the time. */
export const takenOut = (it: Decided, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where m.state = 'removed'`,
  item,
  detail: sql`'removed'`,
  keptName: sql`g.name`,
  words: sql`m.reason`,
});

/**
 * The group and `known.name`, the name its person knows: the current one if they may see it or could until
 * now (`knew`), else the last one notified. People who never knew it get nothing.
 */
const byKnownName = (it: Decided, knew: boolean) => sql`
  join groups g on g.id = ${it.groupId} ${theirTie}
  cross join lateral (
    select case when ${knew}::boolean or ${groupVisible} then g.name
      else (select before.kept_name from notifications before
        where before.person_id = c.person_id and before.object_id = g.id and before.kept_name is not null order by before.updated_at desc limit 1)
      end as name) known`;

/** The same for a banned person, with the end of the ban if there is one. */
export const keptOut = (it: Decided & { knew: boolean }, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`${byKnownName(it, it.knew)} where m.state = 'banned' and known.name is not null`,
  item,
  detail: sql`'banned'`,
  keptName: sql`known.name`,
  words: sql`m.reason`,
  moment: sql`m.banned_until`,
});

/** A ban was lifted by a moderator. Its scheduled end needs no notification. */
export const letBack = (it: Decided & { by: string | null }, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`${byKnownName(it, false)} where m.state = 'removed' and known.name is not null and ${it.by}::uuid is not null`,
  item,
  detail: sql`'ban_ended'`,
  keptName: sql`known.name`,
});

/** Notifies moderators of a ban appeal, without a name, so that blocks do not apply. */
export const appealed = (it: { groupId: string }, item: Sql): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_appeal' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role in ('owner', 'moderator')`,
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where g.state <> 'deleted' and ${appealWaits}`,
  ...aboutGroup,
  item,
});

/** Notifies the banned person that the appeal was declined, and why. */
export const appealDeclined = (it: Decided, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`${byKnownName(it, false)} where m.state = 'banned' and m.appeal_declined_at is not null and known.name is not null`,
  item,
  detail: sql`'appeal_declined'`,
  keptName: sql`known.name`,
  words: sql`m.appeal_answer`,
  moment: sql`m.banned_until`,
});

/**
 * Notifies every member, even those who muted the group, that it will be more visible. No actor is named, so
 * that blocks do not apply.
 */
export const openingAnnounced = (it: { groupId: string; by: string }, item: Sql): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_opening' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and person_id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where m.state = 'member' and g.state <> 'deleted' and g.wider_at is not null`,
  ...aboutGroup,
  item,
  detail: sql`g.wider_visibility`,
  moment: sql`g.wider_at`,
});

/** Notifies former members that a group was deleted, by its name. */
export const deleted = (it: { groupId: string; by: string }, item: Sql): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_archived' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and notify_level <> 'mute' and person_id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where m.state = 'member' and g.state = 'deleted'`,
  ...aboutGroup,
  item,
  detail: sql`'deleted'`,
  keptName: sql`g.name`,
});

type AtDesk = { groupId: string; by: string };

/** Notifies staff of a pending group; no one is named, so that blocks do not apply. */
export const waits = (it: AtDesk, item: Sql): Telling => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role <> 'member' and state = 'active' and id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} where ${waitsToBeLetIn}`,
  ...aboutGroup,
  item,
});

/** Notifies admins of a group that asks for an owner. */
export const heirAsked = (it: AtDesk, item: Sql): Telling => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role = 'admin' and state = 'active' and id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} where ${asksForOwner}`,
  ...aboutGroup,
  item,
  detail: sql`'heir'`,
});

/** A decision of the approval queue, for the holders of the role it concerns. */
const decidedAtDesk = (it: AtDesk, role: "owner" | "moderator", so: Sql) => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_decision' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role = ${role} and person_id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where g.state <> 'deleted' and m.state = 'member' and ${so}`,
  ...aboutGroup,
});

export const letIn = (it: AtDesk, item: Sql): Telling => ({
  ...decidedAtDesk(it, "owner", sql`g.state <> 'pending'`),
  item,
  detail: sql`'let_in'`,
});

export const turnedDown = (it: AtDesk, item: Sql): Telling => ({
  ...decidedAtDesk(it, "owner", sql`g.state = 'pending' and m.reason <> ''`),
  item,
  detail: sql`'turned_down'`,
  words: sql`m.reason`,
});

/**
 * Notifies owners that an admin inspects the group, and why. No one is named, so that blocks do not apply;
 * the group's log, to which it links, names the admin.
 */
export const inspected = (it: AtDesk & { inspectionId: string }, item: Sql): Telling => ({
  ...decidedAtDesk(it, "owner", sql`i.id is not null`),
  sight: sql`
    join groups g on g.id = ${it.groupId} ${theirTie} join inspections i on i.id = ${it.inspectionId}
    where g.state <> 'deleted' and m.state = 'member'`,
  item,
  detail: sql`'inspected'`,
  words: sql`i.reason`,
  moment: sql`i.ends_at`,
});

/**
 * Notifies moderators that there will be no other owner, and the member who asked if there is no moderator.
 */
export const heirDeclined = (it: AtDesk & { askedBy?: string | null }, item: Sql): Telling => ({
  ...decidedAtDesk(it, "moderator", sql`g.heir_asked_at is null`),
  candidates: sql`
    select person_id, 1 as rank, 'group_decision' as kind, case role when 'moderator' then 'you_lead' else 'member' end as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and (role = 'moderator' or person_id = ${it.askedBy ?? null}::uuid) and person_id <> ${it.by}`,
  item,
  detail: sql`'heir_declined'`,
});
