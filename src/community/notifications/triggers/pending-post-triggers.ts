import { sql } from "#platform/database";
import { joinPendingPostContainer } from "#community/discussions";
import { joinMembership, isContentReadable, isDiscussionReadable, isGroupVisible } from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type TriggerItem = NotificationTrigger["item"];
type PendingPostEvent = {
  pendingPostId: string;
  groupId: string | null;
  resourceId?: string;
  isResource?: boolean;
  isProfile?: boolean;
};

/**
 * Notifies moderators of a pending post or resource, or staff if it is not in a group. The author is not
 * named, so that blocks do not prevent the notification. A site-wide resource and a profile have no place: the
 * subject is the recipient, so that each has one notification.
 */
export const postPendingTrigger = (
  { pendingPostId, groupId, resourceId, isResource, isProfile }: PendingPostEvent,
  item: TriggerItem,
): NotificationTrigger => ({
  candidates: groupId
    ? sql`select person_id, 1 as rank, 'post_waits' as kind, 'you_lead' as reason from memberships
        where group_id = ${groupId} and state = 'member' and role in ('owner', 'moderator')`
    : sql`select id as person_id, 1 as rank, 'post_waits' as kind, 'staff' as reason from people
      where site_role <> 'member' and state = 'active'`,
  visibility: sql`join pending_posts h
    on h.id = ${pendingPostId} ${joinPendingPostContainer("h", "d", "s", "g")}
    where h.returned_at is null and h.author_id <> c.person_id and (g.id is null or g.state = 'active')`,
  object: groupId
    ? { kind: "group", id: sql`g.id` }
    : resourceId
      ? { kind: "resource", id: sql`s.id` }
      : { kind: "person", id: sql`c.person_id` },
  actor: null,
  latest: null,
  item,
  ...(isResource && { detail: sql`'resource'` }),
  ...(isProfile && { detail: sql`'profile'` }),
});

type DecisionEvent = { personId: string; discussionId?: string; resourceId?: string };

/** Notifies the author of a decision on a pending post. No one is named, because the site decides. */
const createDecision = ({ personId }: DecisionEvent) => ({
  candidates: sql`select ${personId}::uuid as person_id, 1 as rank, 'post_decided' as kind,
    'your_post' as reason`,
  actor: null,
});

const canReadDiscussion = sql`d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")}`;
const canReadResource = sql`s.state = 'published'
  and (s.group_id is null or ${isContentReadable("s", "created_at", "g", "m")})`;

/** Notifies the author that the post was published. */
export const postApprovedTrigger = (
  it: DecisionEvent & { postId: string },
  item: TriggerItem,
): NotificationTrigger => ({
  ...createDecision(it),
  visibility: sql`
    join posts x on x.id = ${it.postId} and x.state = 'published' left
    join discussions d on d.id = x.discussion_id
    left join resources s on s.id = x.resource_id left
    join groups g on g.id = coalesce(d.group_id, s.group_id) ${joinMembership(sql`c.person_id`, "g", "m")}
    where case when d.id is not null then ${canReadDiscussion} else ${canReadResource} end`,
  object: it.discussionId ? { kind: "discussion", id: sql`d.id` } : { kind: "resource", id: sql`s.id` },
  latest: it.postId,
  item,
  detail: sql`'approved'`,
  keptName: sql`coalesce(d.title, s.title)`,
});

/** Notifies the author that the resource was added. */
export const resourceApprovedTrigger = (
  it: { personId: string; resourceId: string },
  item: TriggerItem,
): NotificationTrigger => ({
  ...createDecision(it),
  visibility: sql`
    join resources s on s.id = ${it.resourceId} left
    join groups g on g.id = s.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where ${canReadResource}`,
  object: { kind: "resource", id: sql`s.id` },
  latest: null,
  item,
  detail: sql`'approved resource'`,
  keptName: sql`s.title`,
});

/** Notifies the author that the new texts of their profile were published. */
export const profileApprovedTrigger = (it: { personId: string }, item: TriggerItem): NotificationTrigger => ({
  ...createDecision(it),
  visibility: sql`where true`,
  object: { kind: "person", id: sql`c.person_id` },
  latest: null,
  item,
  detail: sql`'approved profile'`,
});

/**
 * Notifies the author that the post was returned, with the reason. The discussion or resource is named if
 * they can read it.
 */
export const postReturnedTrigger = (
  it: DecisionEvent & { pendingPostId: string; groupId: string | null } & Pick<
      PendingPostEvent,
      "isResource" | "isProfile"
    >,
  item: TriggerItem,
): NotificationTrigger => ({
  ...createDecision(it),
  visibility: sql`join pending_posts h
    on h.id = ${it.pendingPostId} ${joinPendingPostContainer("h", "d", "s", "g")}
    ${joinMembership(sql`c.person_id`, "g", "m")}
    where h.returned_at is not null`,
  object: it.discussionId
    ? { kind: "discussion", id: sql`d.id` }
    : it.resourceId
      ? { kind: "resource", id: sql`s.id` }
      : it.groupId
        ? { kind: "group", id: sql`g.id` }
        : { kind: "person", id: sql`c.person_id` },
  latest: null,
  item,
  detail: it.isProfile
    ? sql`'returned profile'`
    : it.isResource
      ? sql`case when h.resource_id is not null then 'returned published resource' else 'returned resource' end`
      : sql`case when h.post_id is not null then 'returned published' else 'returned' end`,
  keptName: sql`case when d.id is not null then case when ${canReadDiscussion} then d.title else '' end
    when h.said->'resource' is not null then h.said->>'title'
    when s.id is not null then case when ${canReadResource} then s.title else '' end
    when ${isGroupVisible("g", "m")} then g.name else '' end`,
  words: sql`h.answer`,
});
