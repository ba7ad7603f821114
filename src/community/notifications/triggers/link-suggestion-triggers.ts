import { sql } from "#platform/database";
import { joinMembership, isContentReadable } from "#community/groups";
import { type NotificationTrigger } from "./notification-trigger.ts";

type SuggestionEvent = { resourceId: string; suggestionId: string; by: string };

/**
 * Joins the suggestion `s` and its resource `r`, for each candidate who can read it and has not muted its
 * group.
 */
const joinVisibleSuggestion = (suggestionEvent: SuggestionEvent) => sql`
  join link_suggestions s on s.id = ${suggestionEvent.suggestionId}
  join resources r on r.id = s.resource_id and r.state = 'published'
  left join groups g on g.id = r.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
  where (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
    and coalesce(m.notify_level, 'highlights') <> 'mute'`;
const suggestionTarget = (suggestionEvent: SuggestionEvent) => ({
  object: { kind: "resource" as const, id: sql`r.id` },
  actor: suggestionEvent.by,
  latest: null,
});

/** Notifies the link's owner and its group's moderators of a pending suggestion. */
export const linkSuggestedTrigger = (
  suggestionEvent: SuggestionEvent,
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`
    select owner_id as person_id, 1 as rank, 'new_address' as kind, 'you_keep' as reason from resources
    where id = ${suggestionEvent.resourceId}
    union all
    select of_group.person_id, 2, 'new_address', 'you_lead' from resources kept
    join memberships of_group on of_group.group_id = kept.group_id
    where kept.id = ${suggestionEvent.resourceId} and of_group.state = 'member'
      and of_group.role in ('owner', 'moderator')`,
  visibility: sql`${joinVisibleSuggestion(suggestionEvent)} and s.decided_at is null`,
  ...suggestionTarget(suggestionEvent),
  item,
  detail: sql`'suggested'`,
});

/** Notifies the author of an accepted suggestion. Rejections notify no one. */
export const linkAcceptedTrigger = (
  it: SuggestionEvent & { personId: string },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`select ${it.personId}::uuid as person_id, 1 as rank, 'new_address' as kind,
    'you_asked' as reason`,
  visibility: sql`${joinVisibleSuggestion(it)} and s.accepted`,
  ...suggestionTarget(it),
  item,
  detail: sql`'accepted'`,
});
