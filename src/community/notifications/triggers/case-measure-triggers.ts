import { sql } from "#platform/database";
import { isContentReadable, isDiscussionReadable, joinMembership } from "#community/groups";
import type { NotificationTrigger } from "./notification-trigger.ts";

/** `measure`: `warned`, or `locked` and `slowed` for the discussion of the reported post. */
type CaseMeasureEvent = {
  caseId: string;
  measure: string;
  personId: string;
  postId: string | null;
  discussionId: string | null;
  resourceId: string | null;
};

/**
 * Notifies a person of a warning, or of the lock or slow mode of a discussion, with rule and reason. No one is
 * named, because the site or the group decides. Content is named if the person can read it.
 */
export const caseMeasureTrigger = (
  it: CaseMeasureEvent,
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`select ${it.personId}::uuid as person_id, 1 as rank, 'post_removed' as kind,
    'your_post' as reason`,
  visibility: sql`join cases k on k.id = ${it.caseId} and k.action = ${it.measure} and k.resolved_at is not null
    left join discussions d on d.id = ${it.discussionId}::uuid
    left join resources s on s.id = ${it.resourceId}::uuid
    left join groups g on g.id = coalesce(d.group_id, s.group_id) ${joinMembership(sql`c.person_id`, "g", "m")}
    where true`,
  object: it.discussionId
    ? { kind: "discussion", id: sql`${it.discussionId}::uuid` }
    : it.resourceId
      ? { kind: "resource", id: sql`${it.resourceId}::uuid` }
      : { kind: "person", id: sql`c.person_id` },
  actor: null,
  latest: it.measure === "warned" ? it.postId : null,
  item,
  detail: sql`${it.measure}::text`,
  keptName: sql`coalesce(
    case when d.id is not null and d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")} then d.title
      when s.id is not null and (s.group_id is null or ${isContentReadable("s", "created_at", "g", "m")})
        then s.title end, '')`,
  moment: sql`case when k.action = 'locked' and d.timer = 'open' then d.timer_at
    when k.action = 'slowed' then d.slow_until end`,
  words: sql`concat_ws(E'\n', nullif(k.rule, ''), nullif(k.reason, ''))`,
});
