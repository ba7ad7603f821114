import { sql } from "#platform/database";
import { appealWaits, asksForOwner, groupVisible, waitsToBeLetIn } from "#community/groups";
import { type Telling, theirTie } from "./telling.ts";

type Sql = Telling["item"];
/** The group `g`. Nobody is named: it is the group that does it, or the place. */
const aboutGroup = { object: { kind: "group" as const, id: sql`g.id` }, actor: null, latest: null };
type Decided = { groupId: string; personId: string };

/** What a group decides about somebody. Nobody is named: it is the group that decides. */
const decision = (it: Decided) => ({
  candidates: sql`select ${it.personId}::uuid as person_id, 1 as rank, 'group_decision' as kind, 'about_you' as reason`,
  object: { kind: "group" as const, id: sql`${it.groupId}::uuid` },
  actor: null,
  latest: null,
});

/** Whoever was taken out may see the group no longer: they are told of it by the name that it had for them. */
export const takenOut = (it: Decided, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where m.state = 'removed'`,
  item,
  detail: sql`'removed'`,
  keptName: sql`g.name`,
  words: sql`m.reason`,
});

/**
 * The group and `known.name`, by which somebody knows it: its own where they may know of it, or could until now (`knew`), else the
 * one that they were told last. Who has never heard of it hears nothing now.
 */
const byKnownName = (it: Decided, knew: boolean) => sql`
  join groups g on g.id = ${it.groupId} ${theirTie}
  cross join lateral (
    select case when ${knew}::boolean or ${groupVisible} then g.name
      else (select before.kept_name from notifications before
        where before.person_id = c.person_id and before.object_id = g.id and before.kept_name is not null order by before.updated_at desc limit 1)
      end as name) known`;

/** The same for whoever is kept out, with the moment when that ends, if it does. */
export const keptOut = (it: Decided & { knew: boolean }, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`${byKnownName(it, it.knew)} where m.state = 'banned' and known.name is not null`,
  item,
  detail: sql`'banned'`,
  keptName: sql`known.name`,
  words: sql`m.reason`,
  moment: sql`m.banned_until`,
});

/** And that somebody has ended it. When it ends by itself, at the moment that was told, there is nothing new in that. */
export const letBack = (it: Decided & { by: string | null }, item: Sql): Telling => ({
  ...decision(it),
  sight: sql`${byKnownName(it, false)} where m.state = 'removed' and known.name is not null and ${it.by}::uuid is not null`,
  item,
  detail: sql`'ban_ended'`,
  keptName: sql`known.name`,
});

/** Those who look after a group hear that somebody who is kept out asks to come back. Nobody is named, so that no block keeps it from anybody. */
export const appealed = (it: { groupId: string }, item: Sql): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_appeal' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role in ('owner', 'moderator')`,
  sight: sql`join groups g on g.id = ${it.groupId} ${theirTie} where g.state <> 'deleted' and ${appealWaits}`,
  ...aboutGroup,
  item,
});

/** And whoever asked, that they stay out, and why. */
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
 * That more people are going to find the group, or read it: everybody in it was promised to know of that before, whether they want
 * to hear of the group or not. Nobody is named, so that no block keeps it from anybody.
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

/** That a group is gone, by the name that it had, to those who were in it. */
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

/** Those who look after the place hear of a group that waits; nobody is named, so that no block keeps it from any of them. */
export const waits = (it: AtDesk, item: Sql): Telling => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role <> 'member' and state = 'active' and id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} where ${waitsToBeLetIn}`,
  ...aboutGroup,
  item,
});

/** And admins of one that asks for an owner. */
export const heirAsked = (it: AtDesk, item: Sql): Telling => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role = 'admin' and state = 'active' and id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} where ${asksForOwner}`,
  ...aboutGroup,
  item,
  detail: sql`'heir'`,
});

/** What was decided at the desk, to those in the group who have the role that it is about. */
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

/** Its owners hear that an admin looks into it, and why. Nobody is named, so that no block keeps it from anybody; the group's log, where this leads, says who. */
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

/** Those who moderate hear that there will be no other owner, and whoever asked, where nobody did. */
export const heirDeclined = (it: AtDesk & { askedBy?: string | null }, item: Sql): Telling => ({
  ...decidedAtDesk(it, "moderator", sql`g.heir_asked_at is null`),
  candidates: sql`
    select person_id, 1 as rank, 'group_decision' as kind, case role when 'moderator' then 'you_lead' else 'member' end as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and (role = 'moderator' or person_id = ${it.askedBy ?? null}::uuid) and person_id <> ${it.by}`,
  item,
  detail: sql`'heir_declined'`,
});
