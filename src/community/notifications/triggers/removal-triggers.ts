import { sql } from "#platform/database";
import { wasDeletedWithDiscussion } from "#community/discussions";
import {
  joinMembership,
  isContentReadable,
  isDiscussionReadable,
  contentReadableSince,
} from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type Sql = ReturnType<typeof sql>;
type RemovalEvent = { postId: string };
type TriggerItem = NotificationTrigger["item"];

/**
 * Notifies an author of the removal of a post. The actor is not named, because the site decides. For a
 * discussion removed with its only post, the notification contains its former title.
 */
const createRemoval = ({ postId }: RemovalEvent, item: TriggerItem) => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'post_removed' as kind, 'your_post' as reason
    from posts where id = ${postId}`,
  actor: null,
  latest: postId,
  item,
});

/**
 * Notifies the author of the post `x` if the condition `so` is still true and they can read the discussion.
 */
const postTrigger = (removalEvent: RemovalEvent, item: TriggerItem, so: Sql): NotificationTrigger => ({
  ...createRemoval(removalEvent, item),
  visibility: sql`
    join posts x on x.id = ${removalEvent.postId} and ${so} join discussions d on d.id = x.discussion_id
    join groups g on g.id = d.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where ${isDiscussionReadable("d", "g", "m")}
      and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)`,
  object: { kind: "discussion", id: sql`d.id` },
  keptName: sql`d.title`,
});

/** Notifies the author of a comment if the condition `so` is still true and they can read the resource. */
const commentTrigger = (removalEvent: RemovalEvent, item: TriggerItem, so: Sql): NotificationTrigger => ({
  ...createRemoval(removalEvent, item),
  visibility: sql`
    join posts x on x.id = ${removalEvent.postId} and ${so} join resources r on r.id = x.resource_id left
    join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")}`,
  object: { kind: "resource", id: sql`r.id` },
  keptName: sql`r.title`,
});

const isRemoved = sql`x.state = 'removed'`;
const removalReason = { words: sql`x.removed_reason` };
export const postRemovedTrigger = (removalEvent: RemovalEvent, item: TriggerItem): NotificationTrigger => ({
  ...postTrigger(removalEvent, item, isRemoved),
  ...removalReason,
});
export const commentRemovedTrigger = (
  removalEvent: RemovalEvent,
  item: TriggerItem,
): NotificationTrigger => ({
  ...commentTrigger(removalEvent, item, isRemoved),
  ...removalReason,
});

/** Notifies the owner of a resource that others removed. */
export const resourceRemovedTrigger = (
  { resourceId }: { resourceId: string },
  item: TriggerItem,
): NotificationTrigger => ({
  candidates: sql`select owner_id as person_id, 1 as rank, 'post_removed' as kind, 'you_keep' as reason
    from resources where id = ${resourceId}`,
  visibility: sql`
    join resources r on r.id = ${resourceId} and r.state = 'removed'
      and r.removed_by is distinct from c.person_id
    left join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")}`,
  object: { kind: "resource", id: sql`r.id` },
  keptName: sql`r.title`,
  words: sql`r.removed_reason`,
  detail: sql`'resource'`,
  actor: null,
  latest: null,
  item,
});

/** Notifies the owner of a resource that reports hid, until a moderator has reviewed it. */
export const resourceHiddenTrigger = (
  { resourceId }: { resourceId: string },
  item: TriggerItem,
): NotificationTrigger => ({
  candidates: sql`select owner_id as person_id, 1 as rank, 'post_removed' as kind, 'you_keep' as reason
    from resources where id = ${resourceId}`,
  visibility: sql`
    join resources r on r.id = ${resourceId} and r.state = 'hidden' and r.returned_at is null
    left join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")}`,
  object: { kind: "resource", id: sql`r.id` },
  keptName: sql`r.title`,
  detail: sql`'hidden resource'`,
  actor: null,
  latest: null,
  item,
});

/**
 * Notifies the author of a discussion that others deleted with all its posts. Authors of replies are not
 * notified.
 */
export const discussionDeletedTrigger = (
  { discussionId }: { discussionId: string },
  item: TriggerItem,
): NotificationTrigger => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'post_removed' as kind, 'your_post' as reason
    from discussions where id = ${discussionId}`,
  visibility: sql`
    join posts x on x.discussion_id = ${discussionId} and x.number = 1
    join discussions d on d.id = x.discussion_id and ${wasDeletedWithDiscussion("x", "d")}
    join groups g on g.id = d.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where ${isDiscussionReadable("d", "g", "m")}`,
  object: { kind: "discussion", id: sql`d.id` },
  keptName: sql`d.title`,
  words: sql`d.deleted_reason`,
  detail: sql`'discussion'`,
  actor: null,
  latest: sql`(select id from posts where discussion_id = ${discussionId} and number = 1)`,
  item,
});

/** Several people reported the post. If a moderator asked for changes, the author gets another notification. */
const isHidden = sql`x.state = 'hidden' and x.returned_at is null`;
const hiddenDetail = { detail: sql`'hidden'` };
export const postHiddenTrigger = (removalEvent: RemovalEvent, item: TriggerItem): NotificationTrigger => ({
  ...postTrigger(removalEvent, item, isHidden),
  ...hiddenDetail,
});
export const commentHiddenTrigger = (removalEvent: RemovalEvent, item: TriggerItem): NotificationTrigger => ({
  ...commentTrigger(removalEvent, item, isHidden),
  ...hiddenDetail,
});
