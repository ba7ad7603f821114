import { sql } from "#platform/database";
import type { EventEnding } from "./clear-moderator-notifications.ts";
import { withdrawRows } from "./mark-read.ts";

/** Details of notifications that stay when the content is visible again. */
const CASE_MEASURES = ["warned", "locked", "slowed"];

/** Withdraws the notification about a removed or hidden post or comment that is visible again. */
export const withdrawPostRemoval: EventEnding = (tx, { postId }) =>
  withdrawRows(
    tx,
    sql`n.latest_id = ${postId}::uuid and n.kind = 'post_removed' and n.detail <> all(${CASE_MEASURES})`,
  );

/** Withdraws the notification about a removed or hidden resource that is visible again. */
export const withdrawResourceRemoval: EventEnding = (tx, { resourceId: id }) =>
  withdrawRows(
    tx,
    sql`n.object_id = ${id}::uuid and n.kind = 'post_removed' and n.latest_id is null
      and n.detail <> all(${CASE_MEASURES})`,
  );

/**
 * Withdraws the notifications about the measure of a decision that was undone. Those of earlier decisions and of
 * other people's warnings stay.
 */
export const withdrawCaseMeasure: EventEnding = (tx, { caseId, measure, decidedAt }) =>
  withdrawRows(
    tx,
    sql`n.object_id in (
        select coalesce(x.discussion_id, x.resource_id, r.resource_id, r.person_id, m.author_id)
        from reports r left join posts x on x.id = r.post_id
          left join reported_messages m on m.report_id = r.id and m.chosen
        where r.case_id = ${caseId}::uuid)
      and n.updated_at >= ${decidedAt}::timestamptz and (
        (n.kind = 'post_removed' and n.detail = ${measure} and ${measure}::text in ('locked', 'slowed'))
        or (n.kind = 'post_removed' and n.detail = ${measure} and ${measure}::text = 'warned'
          and n.person_id in (select m.author_id from reports r join reported_messages m on m.report_id = r.id
            where r.case_id = ${caseId}::uuid and m.chosen))
        or (n.kind = 'post_decided' and n.detail like 'returned%' and ${measure}::text = 'returned'
          and not exists (select from pending_posts h where h.author_id = n.person_id
            and n.object_id in (h.discussion_id, h.resource_id) and h.returned_at is not null)))`,
  );

/** Withdraws the notification about a ban that was undone. */
export const withdrawBan: EventEnding = (tx, { groupId, personId }) =>
  withdrawRows(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.person_id = ${personId}::uuid and n.kind = 'group_decision'
      and n.detail = 'banned'`,
  );
