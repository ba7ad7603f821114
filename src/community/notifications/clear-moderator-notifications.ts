import { sql, type Tx } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { hasPendingPost, hasPendingForStaff } from "#community/discussions";
import { hasPendingAppeal, isOwnerRequested, isGroupPendingApproval } from "#community/groups";
import { markRowsRead } from "./mark-read.ts";

/** Ends the notifications whose subject a domain event has read, dealt with or hidden. */
export type EventEnding = (tx: Tx, domainEvent: DomainEvent) => Promise<void>;

/** Marks notifications as read for all moderators, once no join request is pending. */
export const clearJoinRequests: EventEnding = (tx, { groupId }) =>
  markRowsRead(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_request'
        and not exists (select from memberships r where r.group_id = n.object_id and r.state = 'requested')`,
  );

/** Marks notifications as read for all moderators, once no ban appeal is pending. */
export const clearAppeals: EventEnding = (tx, { groupId }) =>
  markRowsRead(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_appeal'
        and not exists (select from groups g where g.id = n.object_id and ${hasPendingAppeal("g")})`,
  );

/**
 * Marks notifications as read for all moderators, once nothing is pending in the group, under a resource
 * outside groups, or in the site-wide library and in profiles.
 */
export const clearPendingPosts: EventEnding = (tx, { groupId, resourceId, type }) => {
  const place = groupId ?? (type === "resource.approved" ? null : resourceId);
  const [it, person] = [sql`n.object_id`, sql`n.person_id`];
  const others = place ? hasPendingPost(it, person) : hasPendingForStaff(person);
  const object = place ? sql`n.object_id = ${place}::uuid` : sql`n.object_kind = 'person'`;
  return markRowsRead(tx, sql`n.kind = 'post_waits' and ${object} and not ${others}`);
};

/**
 * Marks notifications as read for all staff, once one of them has decided. A resulting role has its own
 * notification.
 */
export const clearApprovalQueue: EventEnding = (tx, { groupId }) =>
  markRowsRead(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_waits'
        and not exists (select from groups g
          where g.id = n.object_id and (${isGroupPendingApproval("g")} or ${isOwnerRequested("g")}))`,
  );

/** Marks notifications as read for all staff, once one of them has approved or rejected the account. */
export const clearPendingAccount: EventEnding = (tx, { personId }) =>
  markRowsRead(tx, sql`n.object_id = ${personId}::uuid and n.kind = 'account_waits'`);
