import { sql } from "#platform/database";
import { joinMembership, isDiscussionReadable, contentReadableSince } from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type PostEvent = { postId: string; by: string };

/**
 * Joins the post `x` in its current state, for each candidate who can read it and has not muted its
 * discussion.
 */
const joinVisiblePost = (postId: string) => sql`
  join posts x on x.id = ${postId} and x.state = 'published' and x.discussion_id is not null
  join discussions d on d.id = x.discussion_id and d.state <> 'deleted'
  join groups g on g.id = d.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
  left join read_positions rs on rs.discussion_id = d.id and rs.person_id = c.person_id
  where ${isDiscussionReadable("d", "g", "m")}
    and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)
    and coalesce(rs.level, 'normal') <> 'muted'
    and (coalesce(m.notify_level, 'highlights') <> 'mute' or coalesce(rs.level, 'normal') = 'watching')`;

/** Excludes candidates who have already read the post. */
const isUnread = sql`and coalesce(rs.last_read_number, 0) < x.number`;

export const mentionCandidates = ({ postId }: Pick<PostEvent, "postId">) => sql`
  select person_id, 1 as rank, 'mention' as kind, 'mentioned' as reason from post_mentions
  where post_id = ${postId} and person_id is not null and dropped_at is null
  union all
  select of_group.person_id, 2, 'mention', 'group_mentioned'
  from post_mentions pm join memberships of_group on of_group.group_id = pm.group_id
    and of_group.state = 'member'
  where pm.post_id = ${postId} and pm.dropped_at is null`;

const groupWatcherCandidates = (groupId: string, rank: number, kind: string) => sql`
  select person_id, ${rank}::int, ${kind}, 'group_all' from memberships
  where group_id = ${groupId} and state = 'member' and notify_level = 'all'`;

/**
 * Notifies of a reply: people mentioned, the author replied to, the author of the discussion, and watchers
 * of the discussion or group.
 */
export const replyTrigger = (
  it: PostEvent & { discussionId: string; groupId: string },
): NotificationTrigger => ({
  candidates: sql`
    ${mentionCandidates(it)}
    union all
    select q.author_id, 3, 'reply', 'you_wrote' from posts r join posts q on q.id = r.reply_to
    where r.id = ${it.postId}
    union all
    select begun.author_id, 4, 'reply', 'you_started'
    from discussions begun join read_positions rs on rs.discussion_id = begun.id
      and rs.person_id = begun.author_id and rs.level in ('watching', 'tracking')
    left join memberships m on m.group_id = begun.group_id and m.person_id = begun.author_id
    where begun.id = ${it.discussionId} and coalesce(m.notify_level, 'highlights') <> 'mentions'
    union all
    select person_id, 5, 'new_reply', 'watching' from read_positions
    where discussion_id = ${it.discussionId} and level = 'watching'
    union all
    ${groupWatcherCandidates(it.groupId, 6, "new_reply")}`,
  visibility: sql`${joinVisiblePost(it.postId)} ${isUnread}`,
  ...discussionTarget(it),
});

export const discussionStartedTrigger = (it: PostEvent & { groupId: string }): NotificationTrigger => ({
  // Group watchers get no notification of an event's discussion, because the event itself notifies them.
  candidates: sql`${mentionCandidates(it)}
    union all (${groupWatcherCandidates(it.groupId, 3, "new_discussion")}
      and not exists (select from calendar_events e where e.post_id = ${it.postId}))`,
  visibility: sql`${joinVisiblePost(it.postId)} ${isUnread}`,
  ...discussionTarget(it),
});

/**
 * Notifies people whose mention was added to a post later. People already notified of the post are skipped.
 */
export const mentionTrigger = (postEvent: PostEvent): NotificationTrigger => ({
  candidates: mentionCandidates(postEvent),
  visibility: sql`${joinVisiblePost(postEvent.postId)} ${isUnread}`,
  ...discussionTarget(postEvent),
});

/** Notifies the author of a reaction. Several reactions of one person to one post notify once. */
export const reactionTrigger = (postEvent: PostEvent): NotificationTrigger => ({
  candidates: sql`select author_id as person_id, 1 as rank, 'reaction' as kind, 'your_post' as reason
    from posts where id = ${postEvent.postId}`,
  visibility: sql`${joinVisiblePost(postEvent.postId)}
    and exists (select from reactions e where e.post_id = x.id and e.person_id = ${postEvent.by})`,
  ...discussionTarget(postEvent),
  item: sql`md5(${`reaction:${postEvent.postId}:${postEvent.by}`}::text)::uuid`,
});

const discussionTarget = ({ postId, by }: PostEvent) => ({
  object: { kind: "discussion" as const, id: sql`d.id` },
  actor: by,
  latest: postId,
  item: sql`${postId}::uuid`,
});

/**
 * Notifies a person that their bookmark reminder is due. Each reminder is a separate item, so that a later
 * one notifies again.
 */
export const bookmarkDueTrigger = (
  it: { personId: string; postId: string },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`select ${it.personId}::uuid as person_id, 1 as rank, 'bookmark' as kind,
    'you_set' as reason`,
  visibility: sql`
    join bookmarks b on b.person_id = c.person_id and b.post_id = ${it.postId} and b.reminded_at is not null
    join posts x on x.id = b.post_id and x.state = 'published'
    join discussions d on d.id = x.discussion_id and d.state <> 'deleted'
    join groups g on g.id = d.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where ${isDiscussionReadable("d", "g", "m")}
      and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)`,
  object: { kind: "discussion", id: sql`d.id` },
  actor: null,
  latest: it.postId,
  item,
});
