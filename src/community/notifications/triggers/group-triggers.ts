import { sql } from "#platform/database";
import {
  joinMembership,
  hasPendingAppeal,
  isOwnerRequested,
  groupVisible,
  isGroupPendingApproval,
} from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type Sql = NotificationTrigger["item"];
/** About the group `g`. No actor is named: the group or the site acts. */
const aboutGroup = { object: { kind: "group" as const, id: sql`g.id` }, actor: null, latest: null };
type DecisionEvent = { groupId: string; personId: string };

/** A decision of a group about a person. No actor is named: the group decides. */
const createDecision = (decisionEvent: DecisionEvent) => ({
  candidates: sql`select ${decisionEvent.personId}::uuid as person_id, 1 as rank, 'group_decision' as kind,
    'about_you' as reason`,
  object: { kind: "group" as const, id: sql`${decisionEvent.groupId}::uuid` },
  actor: null,
  latest: null,
});

/** A removed member may no longer see the group: it is identified by its name at the time. */
export const memberRemovedTrigger = (decisionEvent: DecisionEvent, item: Sql): NotificationTrigger => ({
  ...createDecision(decisionEvent),
  sight: sql`join groups g on g.id = ${decisionEvent.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where m.state = 'removed'`,
  item,
  detail: sql`'removed'`,
  keptName: sql`g.name`,
  words: sql`m.reason`,
});

/**
 * The group and `known.name`, the name its person knows: the current one if they may see it or could until
 * now (`knew`), else the last one notified. People who never knew it get nothing.
 */
const joinKnownName = (decisionEvent: DecisionEvent, knew: boolean) => sql`
  join groups g on g.id = ${decisionEvent.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
  cross join lateral (
    select case when ${knew}::boolean or ${groupVisible("g", "m")} then g.name
      else (select before.stored_name from notifications before
        where before.person_id = c.person_id and before.object_id = g.id and before.stored_name is not null
        order by before.updated_at desc limit 1)
      end as name) known`;

/** The same for a banned person, with the end of the ban if there is one. */
export const memberBannedTrigger = (
  it: DecisionEvent & { knew: boolean },
  item: Sql,
): NotificationTrigger => ({
  ...createDecision(it),
  sight: sql`${joinKnownName(it, it.knew)} where m.state = 'banned' and known.name is not null`,
  item,
  detail: sql`'banned'`,
  keptName: sql`known.name`,
  words: sql`m.reason`,
  moment: sql`m.banned_until`,
});

/** A ban was lifted by a moderator. Its scheduled end needs no notification. */
export const banLiftedTrigger = (
  it: DecisionEvent & { by: string | null },
  item: Sql,
): NotificationTrigger => ({
  ...createDecision(it),
  sight: sql`${joinKnownName(it, false)}
    where m.state = 'removed' and known.name is not null and ${it.by}::uuid is not null`,
  item,
  detail: sql`'ban_ended'`,
  keptName: sql`known.name`,
});

/** Notifies moderators of a ban appeal, without a name, so that blocks do not apply. */
export const banAppealedTrigger = (it: { groupId: string }, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_appeal' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role in ('owner', 'moderator')`,
  sight: sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where g.state <> 'deleted' and ${hasPendingAppeal("g")}`,
  ...aboutGroup,
  item,
});

/** Notifies the banned person that the appeal was declined, and why. */
export const banAppealDeclinedTrigger = (decisionEvent: DecisionEvent, item: Sql): NotificationTrigger => ({
  ...createDecision(decisionEvent),
  sight: sql`${joinKnownName(decisionEvent, false)} where m.state = 'banned' and m.appeal_declined_at is not null
    and known.name is not null`,
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
export const visibilityChangeTrigger = (
  it: { groupId: string; by: string },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_opening' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and person_id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where m.state = 'member' and g.state <> 'deleted' and g.wider_at is not null`,
  ...aboutGroup,
  item,
  detail: sql`g.wider_visibility`,
  moment: sql`g.wider_at`,
});

/** Notifies former members that a group was deleted, by its name. */
export const groupDeletedTrigger = (it: { groupId: string; by: string }, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_archived' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and notify_level <> 'mute' and person_id <> ${it.by}`,
  sight: sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where m.state = 'member' and g.state = 'deleted'`,
  ...aboutGroup,
  item,
  detail: sql`'deleted'`,
  keptName: sql`g.name`,
});

type ApprovalEvent = { groupId: string; by: string };

/** Notifies staff of a pending group; no one is named, so that blocks do not apply. */
export const groupPendingTrigger = (approvalEvent: ApprovalEvent, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role <> 'member' and state = 'active' and id <> ${approvalEvent.by}`,
  sight: sql`join groups g on g.id = ${approvalEvent.groupId} where ${isGroupPendingApproval("g")}`,
  ...aboutGroup,
  item,
});

/** Notifies admins of a group that asks for an owner. */
export const ownerRequestedTrigger = (approvalEvent: ApprovalEvent, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role = 'admin' and state = 'active' and id <> ${approvalEvent.by}`,
  sight: sql`join groups g on g.id = ${approvalEvent.groupId} where ${isOwnerRequested("g")}`,
  ...aboutGroup,
  item,
  detail: sql`'owner_requested'`,
});

/** A decision of the approval queue, for the holders of the role it concerns. */
const createQueueDecision = (approvalEvent: ApprovalEvent, role: "owner" | "moderator", so: Sql) => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_decision' as kind, 'you_lead' as reason from memberships
    where group_id = ${approvalEvent.groupId} and state = 'member' and role = ${role}
      and person_id <> ${approvalEvent.by}`,
  sight: sql`join groups g on g.id = ${approvalEvent.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where g.state <> 'deleted' and m.state = 'member' and ${so}`,
  ...aboutGroup,
});

export const groupApprovedTrigger = (approvalEvent: ApprovalEvent, item: Sql): NotificationTrigger => ({
  ...createQueueDecision(approvalEvent, "owner", sql`g.state <> 'pending'`),
  item,
  detail: sql`'approved'`,
});

export const groupRejectedTrigger = (approvalEvent: ApprovalEvent, item: Sql): NotificationTrigger => ({
  ...createQueueDecision(approvalEvent, "owner", sql`g.state = 'pending' and m.reason <> ''`),
  item,
  detail: sql`'rejected'`,
  words: sql`m.reason`,
});

/**
 * Notifies owners that an admin inspects the group, and why. No one is named, so that blocks do not apply;
 * the group's log, to which it links, names the admin.
 */
export const groupInspectedTrigger = (
  it: ApprovalEvent & { inspectionId: string },
  item: Sql,
): NotificationTrigger => ({
  ...createQueueDecision(it, "owner", sql`i.id is not null`),
  sight: sql`
    join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    join inspections i on i.id = ${it.inspectionId}
    where g.state <> 'deleted' and m.state = 'member'`,
  item,
  detail: sql`'inspected'`,
  words: sql`i.reason`,
  moment: sql`i.ends_at`,
});

/**
 * Notifies moderators that there will be no other owner, and the member who asked if there is no moderator.
 */
export const ownerDeclinedTrigger = (
  it: ApprovalEvent & { askedBy?: string | null },
  item: Sql,
): NotificationTrigger => ({
  ...createQueueDecision(it, "moderator", sql`g.owner_requested_at is null`),
  candidates: sql`
    select person_id, 1 as rank, 'group_decision' as kind, case role when 'moderator' then 'you_lead'
      else 'member' end as reason from memberships
    where group_id = ${it.groupId} and state = 'member'
      and (role = 'moderator' or person_id = ${it.askedBy ?? null}::uuid) and person_id <> ${it.by}`,
  item,
  detail: sql`'owner_request_declined'`,
});
