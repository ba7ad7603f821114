import { sql } from "#platform/database";
import {
  joinMembership,
  isContentReadable,
  isDiscussionReadable,
  contentReadableSince,
} from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type Sql = ReturnType<typeof sql>;
type PostEvent = { postId: string; by: string };
type DiscussionEvent = { discussionId: string; by: string };
type ResourceEvent = { resourceId: string; by: string };

// Notifies people of changes to their content by others, with the reason. Actors had to give the reason, and
// knew that it is shown.

const joinDiscussion = sql`
  join discussions d on d.id = x.discussion_id and d.state <> 'deleted'
  join groups g on g.id = d.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
  where ${isDiscussionReadable("d", "g", "m")}
    and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)`;
const underResource = sql`
  join resources r on r.id = x.resource_id and r.state = 'published' left
  join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
  where (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})`;
const joinResource = { place: joinDiscussion, object: { kind: "discussion" as const, id: sql`d.id` } };
const RESOURCE = { place: underResource, object: { kind: "resource" as const, id: sql`r.id` } };
type ContainerKind = typeof joinResource | typeof RESOURCE;

const authorCandidate = (postId: string) =>
  sql`select author_id as person_id, 1 as rank, 'changed' as kind, 'your_post' as reason from posts
    where id = ${postId}`;
const ownerCandidate = (resourceId: string) =>
  sql`select owner_id as person_id, 1 as rank, 'changed' as kind, 'you_keep' as reason from resources
    where id = ${resourceId}`;

/**
 * Joins the latest audit entry of `by` on the entity as `e`. The result is the same if the domain event is
 * processed again.
 */
const joinLatestAction = (it: { act: string; kind: string; id: Sql; by: string }) => sql`
  join lateral (
    select e.id, e.at, e.reason from audit_events e
    where e.object_kind = ${it.kind} and e.object_id = ${it.id}::text and e.act = ${it.act}
      and e.actor_id = ${it.by}::uuid order by e.at desc, e.id desc limit 1) e on true`;

/** Whether the post was restored by an appeal. The outcome of an appeal has its own notification. */
const wasAppealed = (post: Sql) =>
  sql`exists (select from reports a where a.post_id = ${post} and a.appeal and a.resolved_at = e.at)`;
/** Item shared by a discussion and its only post, because both are restored together. */
const restoredItem = (place: Sql) => sql`md5('restored:' || ${place} || e.at)::uuid`;

const editedTrigger =
  (container: ContainerKind) =>
  ({ postId, by }: PostEvent): NotificationTrigger => ({
    candidates: authorCandidate(postId),
    visibility: sql`
      join posts x on x.id = ${postId} and x.state in ('published', 'hidden')
      join lateral (
        select v.replaced_at, v.reason from post_revisions v
          where v.post_id = x.id and v.replaced_by = ${by}::uuid order by v.replaced_at desc
            limit 1) v on true
      ${container.place}`,
    object: container.object,
    actor: by,
    latest: postId,
    item: sql`md5('changed:' || x.id || v.replaced_at)::uuid`,
    detail: sql`'edited'`,
    words: sql`v.reason`,
  });
export const postEditedTrigger = editedTrigger(joinResource);
export const commentEditedTrigger = editedTrigger(RESOURCE);

/** Notifies the author that a post was restored. The actor is not named, as for the removal. */
const restoredTrigger =
  (container: ContainerKind) =>
  ({ postId, by }: PostEvent): NotificationTrigger => ({
    candidates: sql`select * from (${authorCandidate(postId)}) them
      where person_id is distinct from ${by}::uuid`,
    visibility: sql`
      join posts x on x.id = ${postId} and x.state = 'published'
      ${joinLatestAction({ act: "post.restored", kind: "post", id: sql`x.id`, by })} ${container.place}
        and not ${wasAppealed(sql`x.id`)}`,
    object: container.object,
    actor: null,
    latest: postId,
    item: container === joinResource ? restoredItem(sql`d.id`) : sql`e.id`,
    detail: sql`'restored'`,
    words: sql`coalesce(e.reason, '')`,
  });
export const postRestoredTrigger = restoredTrigger(joinResource);
export const commentRestoredTrigger = restoredTrigger(RESOURCE);

export const discussionRestoredTrigger = ({ discussionId, by }: DiscussionEvent): NotificationTrigger => ({
  candidates: sql`
    select author_id as person_id, 1 as rank, 'changed' as kind, 'your_post' as reason from discussions
    where id = ${discussionId} and author_id is distinct from ${by}::uuid`,
  visibility: sql`
    join posts x on x.discussion_id = ${discussionId} and x.number = 1
    ${joinLatestAction({ act: "discussion.restored", kind: "discussion", id: sql`x.discussion_id`, by })}
      ${joinDiscussion} and not ${wasAppealed(sql`x.id`)}`,
  object: joinResource.object,
  actor: null,
  latest: sql`(select id from posts where discussion_id = ${discussionId} and number = 1)`,
  item: restoredItem(sql`d.id`),
  detail: sql`'discussion-restored'`,
  words: sql`coalesce(e.reason, '')`,
});

export const resourceEditedTrigger = ({ resourceId, by }: ResourceEvent): NotificationTrigger => ({
  candidates: ownerCandidate(resourceId),
  visibility: sql`
    join resources r on r.id = ${resourceId}
      and r.state = 'published'
        ${joinLatestAction({ act: "resource.changed", kind: "resource", id: sql`r.id`, by })}
    left join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})`,
  object: RESOURCE.object,
  actor: by,
  latest: null,
  item: sql`e.id`,
  detail: sql`'edited'`,
  words: sql`coalesce(e.reason, '')`,
});

/**
 * Notifies the owner of a moved resource, even if they cannot see its new place: the notification contains
 * the title.
 */
export const resourceMovedTrigger = ({ resourceId, by }: ResourceEvent): NotificationTrigger => ({
  candidates: ownerCandidate(resourceId),
  visibility: sql`join resources r on r.id = ${resourceId}
    and r.state <> 'removed'
      ${joinLatestAction({ act: "resource.moved", kind: "resource", id: sql`r.id`, by })}`,
  object: RESOURCE.object,
  keptName: sql`r.title`,
  actor: by,
  latest: null,
  item: sql`e.id`,
  detail: sql`'moved'`,
  words: sql`coalesce(e.reason, '')`,
});

/**
 * Whether the version `number` of the resource `r` was made with a reason for its owner. The owner then gets
 * the notification about that change instead.
 */
export const hasReasonForOwner = (number: number, resource: string) => {
  const r = sql.ref(resource);
  return sql<boolean>`exists (
  select from resource_versions v join audit_events e on e.at = v.created_at and e.actor_id = v.by_id
    and e.object_id = v.resource_id::text
    and e.object_kind = 'resource' and e.act = 'resource.changed'
  where v.resource_id = ${r}.id and v.version = ${number})`;
};
