import { sql } from "#platform/database";
import { joinMembership, isContentReadable } from "#community/groups";
import { hasReasonForOwner } from "./edit-triggers.ts";
import { mentionCandidates } from "./discussion-triggers.ts";
import { type NotificationTrigger } from "./notification-trigger.ts";

type CommentEvent = { resourceId: string; postId: string; by: string };
type ResourceEvent = { resourceId: string; by?: string | null };

/**
 * Joins the group of the resource `r`, for each candidate who can read the resource and has not muted it. A
 * muted group counts too, unless the candidate watches the resource.
 */
const joinVisibleResource = sql`
  left join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
  left join resource_follows f on f.resource_id = r.id and f.person_id = c.person_id
  where (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")}) and r.state = 'published'
    and coalesce(f.level, 'normal') <> 'muted'
    and (coalesce(m.notify_level, 'highlights') <> 'mute' or f.level = 'watching')`;
const joinVisibleComment = (postId: string) => sql`
  join posts x on x.id = ${postId} and x.state = 'published'
  join resources r on r.id = x.resource_id ${joinVisibleResource}`;

const ownerCandidate = (resourceId: string, rank: number, kind: string) => sql`
  select owner_id, ${rank}::int, ${kind}, 'you_keep' from resources where id = ${resourceId}`;
const watcherCandidates = (resourceId: string, rank: number, kind: string) => sql`
  select person_id, ${rank}::int, ${kind}, 'watching_resource' from resource_follows
  where resource_id = ${resourceId} and level = 'watching'`;

const commentTarget = ({ postId, by }: CommentEvent) => ({
  object: { kind: "resource" as const, id: sql`r.id` },
  actor: by,
  latest: postId,
  item: sql`${postId}::uuid`,
});

/** Notifies of a comment: people mentioned, the author replied to, the owner, and watchers. */
export const commentCreatedTrigger = (commentEvent: CommentEvent): NotificationTrigger => ({
  candidates: sql`
    ${mentionCandidates(commentEvent)}
    union all
    select q.author_id, 3, 'reply', 'you_wrote' from posts p join posts q on q.id = p.reply_to
    where p.id = ${commentEvent.postId}
    union all ${ownerCandidate(commentEvent.resourceId, 4, "comment")}
    union all ${watcherCandidates(commentEvent.resourceId, 5, "comment")}`,
  visibility: joinVisibleComment(commentEvent.postId),
  ...commentTarget(commentEvent),
});

/**
 * Notifies people whose mention was added to a comment later. People already notified of the comment are
 * skipped.
 */
export const commentMentionTrigger = (commentEvent: CommentEvent): NotificationTrigger => ({
  candidates: mentionCandidates(commentEvent),
  visibility: joinVisibleComment(commentEvent.postId),
  ...commentTarget(commentEvent),
});

/**
 * Notifies the author of a comment of a reaction. Several reactions of one person to one comment notify
 * once.
 */
export const commentReactionTrigger = (commentEvent: CommentEvent): NotificationTrigger => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'reaction' as kind, 'your_post' as reason
    from posts where id = ${commentEvent.postId}`,
  visibility: sql`${joinVisibleComment(commentEvent.postId)}
    and exists (select from reactions e where e.post_id = x.id and e.person_id = ${commentEvent.by})`,
  ...commentTarget(commentEvent),
  item: sql`md5(${`reaction:${commentEvent.postId}:${commentEvent.by}`}::text)::uuid`,
});

/**
 * Notifies the owner and watchers of a new version. Skips the owner if they made the version, or get its
 * reason in another notification.
 */
export const resourceVersionTrigger = (
  it: ResourceEvent & { version: number; by: string },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`
    select person_id, rank, kind, reason
    from (${ownerCandidate(it.resourceId, 1, "version")}
      union all ${watcherCandidates(it.resourceId, 2, "version")}) told (person_id, rank, kind, reason)`,
  visibility: sql`join resources r on r.id = ${it.resourceId} ${joinVisibleResource}
    and not (c.reason = 'you_keep' and ${hasReasonForOwner(it.version, "r")})`,
  object: { kind: "resource", id: sql`r.id` },
  actor: it.by,
  latest: null,
  item,
  detail: sql`${String(it.version)}`,
});

/** Notifies the owner and watchers of a dead link. There is no actor. */
export const linkDeadTrigger = (
  resourceEvent: ResourceEvent,
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`
    select person_id, rank, kind, reason
    from (${ownerCandidate(resourceEvent.resourceId, 1, "dead_link")}
      union all ${watcherCandidates(resourceEvent.resourceId, 2, "dead_link")}) told (person_id, rank, kind, reason)`,
  visibility: sql`join resources r on r.id = ${resourceEvent.resourceId} and r.health = 'dead' ${joinVisibleResource}`,
  object: { kind: "resource", id: sql`r.id` },
  actor: null,
  latest: null,
  item,
});
