import { sql } from "#platform/database";
import {
  joinMembership,
  hasPendingAppeal,
  isOwnerRequested,
  isGroupVisible,
  isGroupPendingApproval,
} from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type Sql = NotificationTrigger["item"];
/**
 * Subject of notifications about the group `g`. The actor is not named, because the group or the site acts.
 */
const aboutGroup = { object: { kind: "group" as const, id: sql`g.id` }, actor: null, latest: null };
type DecisionEvent = { groupId: string; personId: string };

/**
 * Notifies a person of the group's decision about them. The actor is not named, because the group decides.
 */
const createDecision = (decisionEvent: DecisionEvent) => ({
  candidates: sql`select ${decisionEvent.personId}::uuid as person_id, 1 as rank, 'group_decision' as kind,
    'about_you' as reason`,
  object: { kind: "group" as const, id: sql`${decisionEvent.groupId}::uuid` },
  actor: null,
  latest: null,
});

/**
 * Notifies a removed member, who may no longer see the group. The notification therefore contains the
 * group's name at the time.
 */
export const memberRemovedTrigger = (decisionEvent: DecisionEvent, item: Sql): NotificationTrigger => ({
  ...createDecision(decisionEvent),
  visibility: sql`join groups g on g.id = ${decisionEvent.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where m.state = 'removed'`,
  item,
  detail: sql`'removed'`,
  keptName: sql`g.name`,
  words: sql`m.reason`,
});

/**
 * Joins the group and, as `known.name`, the name that the candidate knows: the current name if they can see
 * the group, or could before this event (`knew`); else the last name in one of their notifications. Null for
 * people who never knew the group.
 */
const joinKnownName = (decisionEvent: DecisionEvent, knew: boolean) => sql`
  join groups g on g.id = ${decisionEvent.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
  cross join lateral (
    select case when ${knew}::boolean or ${isGroupVisible("g", "m")} then g.name
      else (select before.stored_name from notifications before
        where before.person_id = c.person_id and before.object_id = g.id and before.stored_name is not null
        order by before.updated_at desc limit 1)
      end as name) known`;

/** Notifies a banned person, with the end of the ban if there is one. */
export const memberBannedTrigger = (
  it: DecisionEvent & { knew: boolean },
  item: Sql,
): NotificationTrigger => ({
  ...createDecision(it),
  visibility: sql`${joinKnownName(it, it.knew)} where m.state = 'banned' and known.name is not null`,
  item,
  detail: sql`'banned'`,
  keptName: sql`known.name`,
  words: sql`m.reason`,
  moment: sql`m.banned_until`,
});

/** Notifies a person whose ban a moderator has lifted. The scheduled end of a ban sends no notification. */
export const banLiftedTrigger = (
  it: DecisionEvent & { by: string | null },
  item: Sql,
): NotificationTrigger => ({
  ...createDecision(it),
  visibility: sql`${joinKnownName(it, false)}
    where m.state = 'removed' and known.name is not null and ${it.by}::uuid is not null`,
  item,
  detail: sql`'ban_ended'`,
  keptName: sql`known.name`,
});

/**
 * Notifies moderators of a ban appeal. The appellant is not named, so that blocks do not prevent the
 * notification.
 */
export const banAppealedTrigger = (it: { groupId: string }, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_appeal' as kind, 'you_lead' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and role in ('owner', 'moderator')`,
  visibility: sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where g.state <> 'deleted' and ${hasPendingAppeal("g")}`,
  ...aboutGroup,
  item,
});

/** Notifies the banned person that the appeal was declined, and why. */
export const banAppealDeclinedTrigger = (decisionEvent: DecisionEvent, item: Sql): NotificationTrigger => ({
  ...createDecision(decisionEvent),
  visibility: sql`${joinKnownName(decisionEvent, false)} where m.state = 'banned' and m.appeal_declined_at is not null
    and known.name is not null`,
  item,
  detail: sql`'appeal_declined'`,
  keptName: sql`known.name`,
  words: sql`m.appeal_answer`,
  moment: sql`m.banned_until`,
});

/**
 * Notifies every member, even those who muted the group, of a scheduled wider visibility. The actor is not
 * named, so that blocks do not prevent the notification.
 */
export const visibilityChangeTrigger = (
  it: { groupId: string; by: string },
  item: Sql,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_opening' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and person_id <> ${it.by}`,
  visibility: sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where m.state = 'member' and g.state <> 'deleted' and g.wider_at is not null`,
  ...aboutGroup,
  item,
  detail: sql`g.wider_visibility`,
  moment: sql`g.wider_at`,
});

/** Notifies members that their group was deleted. The notification contains the group's name. */
export const groupDeletedTrigger = (it: { groupId: string; by: string }, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_archived' as kind, 'member' as reason from memberships
    where group_id = ${it.groupId} and state = 'member' and notify_level <> 'mute' and person_id <> ${it.by}`,
  visibility: sql`join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    where m.state = 'member' and g.state = 'deleted'`,
  ...aboutGroup,
  item,
  detail: sql`'deleted'`,
  keptName: sql`g.name`,
});

type ApprovalEvent = { groupId: string; by: string };

/** Notifies staff of a pending group. No one is named, so that blocks do not prevent the notification. */
export const groupPendingTrigger = (approvalEvent: ApprovalEvent, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role <> 'member' and state = 'active' and id <> ${approvalEvent.by}`,
  visibility: sql`join groups g on g.id = ${approvalEvent.groupId} where ${isGroupPendingApproval("g")}`,
  ...aboutGroup,
  item,
});

/** Notifies admins that a new owner was requested for a group. */
export const ownerRequestedTrigger = (approvalEvent: ApprovalEvent, item: Sql): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'group_waits' as kind, 'staff' as reason from people
    where site_role = 'admin' and state = 'active' and id <> ${approvalEvent.by}`,
  visibility: sql`join groups g on g.id = ${approvalEvent.groupId} where ${isOwnerRequested("g")}`,
  ...aboutGroup,
  item,
  detail: sql`'owner_requested'`,
});

/** Notifies the owners or moderators of a group of a decision in the approval queue. */
const createQueueDecision = (approvalEvent: ApprovalEvent, role: "owner" | "moderator", so: Sql) => ({
  candidates: sql`
    select person_id, 1 as rank, 'group_decision' as kind, 'you_lead' as reason from memberships
    where group_id = ${approvalEvent.groupId} and state = 'member' and role = ${role}
      and person_id <> ${approvalEvent.by}`,
  visibility: sql`join groups g on g.id = ${approvalEvent.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
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
 * Notifies owners that an admin inspects the group, with the reason. The admin is not named, so that blocks
 * do not prevent the notification. The notification links to the group's log, which names the admin.
 */
export const groupInspectedTrigger = (
  it: ApprovalEvent & { inspectionId: string },
  item: Sql,
): NotificationTrigger => ({
  ...createQueueDecision(it, "owner", sql`i.id is not null`),
  visibility: sql`
    join groups g on g.id = ${it.groupId} ${joinMembership(sql`c.person_id`, "g", "m")}
    join inspections i on i.id = ${it.inspectionId}
    where g.state <> 'deleted' and m.state = 'member'`,
  item,
  detail: sql`'inspected'`,
  words: sql`i.reason`,
  moment: sql`i.ends_at`,
});

/**
 * Notifies moderators that the request for a new owner was declined. If the group has no moderator, notifies
 * the member who made the request.
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
