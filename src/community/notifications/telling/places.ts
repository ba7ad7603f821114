import { sql } from "#platform/database";
import { contentReadable } from "#community/groups";
import { announcementReadable } from "../sight.ts";
import { type Telling, theirTie } from "./telling.ts";

/** Everybody in a conversation hears of a message, but who has muted it, came later, or has read it. */
export const wrote = (it: { conversationId: string; messageId: string; by: string }, now: Date): Telling => ({
  candidates: sql`
    select person_id, 1 as rank, case state when 'request' then 'message_request' else 'message' end as kind, 'participant' as reason
    from participants where conversation_id = ${it.conversationId} and state in ('accepted', 'request')`,
  sight: sql`
    join messages x on x.id = ${it.messageId} and x.deleted_at is null
    join participants o on o.conversation_id = x.conversation_id and o.person_id = c.person_id
    where o.state in ('accepted', 'request') and x.seq > greatest(o.last_read_seq, o.joined_seq) and coalesce(o.muted_until <= ${now}, true)`,
  object: { kind: "conversation", id: sql`x.conversation_id` },
  actor: it.by,
  latest: it.messageId,
  item: sql`${it.messageId}::uuid`,
});

/** Whoever keeps a resource hears of what is said under it. */
export const commented = (it: { resourceId: string; postId: string; by: string }): Telling => ({
  candidates: sql`select keeper_id as person_id, 1 as rank, 'comment' as kind, 'you_keep' as reason from resources where id = ${it.resourceId} and keeper_id is not null`,
  sight: sql`
    join posts x on x.id = ${it.postId} and x.state = 'published' join resources r on r.id = x.resource_id and r.state <> 'removed'
    left join groups g on g.id = r.group_id ${theirTie}
    where (r.group_id is null or ${contentReadable("r", "created_at")}) and coalesce(m.notify_level, 'highlights') <> 'mute'`,
  object: { kind: "resource", id: sql`r.id` },
  actor: it.by,
  latest: it.postId,
  item: sql`${it.postId}::uuid`,
});

/** Everybody hears of an announcement for all; of one in a group its members, but who has muted the group. */
export const announcedToAll = (it: { announcementId: string; groupId: string | null; by: string }): Telling => ({
  candidates: it.groupId
    ? sql`select person_id, 1 as rank, 'announcement' as kind, 'member' as reason from memberships where group_id = ${it.groupId} and state = 'member' and notify_level <> 'mute'`
    : sql`select id as person_id, 1 as rank, 'announcement' as kind, 'everybody' as reason from people where state in ('active', 'limited')`,
  sight: sql`
    join announcements x on x.id = ${it.announcementId} left join groups g on g.id = x.group_id ${theirTie}
    where ${announcementReadable}`,
  object: { kind: "announcement", id: sql`x.id` },
  actor: it.by,
  latest: null,
  item: sql`${it.announcementId}::uuid`,
});
