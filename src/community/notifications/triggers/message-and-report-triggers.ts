import { sql } from "#platform/database";
import { joinMembership } from "#community/groups";
import { lastReadableSeq } from "#community/conversations";
import { isReportPending, joinReportedContent } from "#community/discussions";
import { isAnnouncementReadable } from "../notification-visibility.ts";
import { type NotificationTrigger } from "./notification-trigger.ts";

/** Notifies the owner of a saved search of new results. The search ran with the owner's permissions. */
export const searchResultsTrigger = (
  it: { searchId: string; personId: string },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`select ${it.personId}::uuid as person_id, 1 as rank, 'new_results' as kind,
    'you_searched' as reason`,
  visibility: sql`join saved_searches s on s.id = ${it.searchId} and s.person_id = c.person_id
    where s.notified_until is not null`,
  object: { kind: "search", id: sql`s.id` },
  actor: null,
  latest: null,
  item,
});

/**
 * Notifies participants of a message, except those who muted the conversation, joined later or have read the
 * message. A message request notifies only of its first message.
 */
export const messageTrigger = (
  it: { conversationId: string; messageId: string; by: string },
  now: Date,
): NotificationTrigger => ({
  candidates: sql`
    select person_id, 1 as rank, case state when 'request' then 'message_request' else 'message'
      end as kind, 'participant' as reason
    from participants where conversation_id = ${it.conversationId} and state in ('accepted', 'request')`,
  visibility: sql`
    join messages x on x.id = ${it.messageId} and x.deleted_at is null
    join participants o on o.conversation_id = x.conversation_id and o.person_id = c.person_id
    where o.state in ('accepted', 'request') and x.seq > greatest(o.last_read_seq, o.joined_seq)
      and x.seq <= ${lastReadableSeq("o", sql`x.seq`)} and coalesce(o.muted_until <= ${now}, true)`,
  object: { kind: "conversation", id: sql`x.conversation_id` },
  actor: it.by,
  latest: it.messageId,
  item: sql`${it.messageId}::uuid`,
});

/**
 * Notifies staff and the group's moderators of a report, except people involved in it. The notification
 * names no one.
 */
export const reportCreatedTrigger = (it: { reportId: string }): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 2 as rank, 'report' as kind, 'staff' as reason from people
    where site_role <> 'member' and state = 'active'
    union all
    select m.person_id, 1, 'report', 'you_lead' from reports r ${joinReportedContent}
    join memberships m on m.group_id = g.id and m.state = 'member' and m.role in ('owner', 'moderator')
    where r.id = ${it.reportId} and r.group_id is null`,
  visibility: sql`join reports r on r.id = ${it.reportId} join people heeding on heeding.id = c.person_id
    where ${isReportPending(sql`heeding`)}`,
  ...reportTarget(it),
  detail: sql`case when r.appeal and r.person_id is not null then 'appeal account' when r.appeal then 'appeal'
    else '' end`,
});

/** Notifies the reporter of the outcome. The outcome of an account appeal is sent by a separate mail. */
export const reportResolvedTrigger = (it: {
  reportId: string;
  personId: string;
  outcome: string;
}): NotificationTrigger => ({
  candidates: sql`
    select reporter_id as person_id, 1 as rank, 'report_decision' as kind, case when appeal then 'you_asked'
      else 'you_reported' end as reason
    from reports where id = ${it.reportId}`,
  visibility: sql`join reports r on r.id = ${it.reportId}
    where r.reporter_id = c.person_id and r.resolved_at is not null
      and not (r.appeal and r.person_id is not null)`,
  ...reportTarget(it),
  detail: sql`case when r.appeal then 'appeal ' else '' end || r.outcome`,
  words: sql`r.answer`,
});

/**
 * Notifies a moderator to whom a case was handed over, or whom a note mentions, while they may decide it. The
 * notification names no one.
 */
export const caseTrigger = (
  it: { type: string; reportId: string; personId: string },
  item: NotificationTrigger["item"],
): NotificationTrigger => ({
  candidates: sql`
    select id as person_id, 1 as rank, 'report' as kind,
      case when site_role <> 'member' then 'staff' else 'you_lead' end as reason
    from people where id = ${it.personId}`,
  visibility: sql`join reports r on r.id = ${it.reportId} join people heeding on heeding.id = c.person_id
    where ${isReportPending(sql`heeding`)}`,
  ...reportTarget(it),
  item,
  detail: it.type === "case.handed_over" ? sql`'case assigned'` : sql`'case mentioned'`,
});

const reportTarget = ({ reportId }: { reportId: string }) => ({
  object: { kind: "report" as const, id: sql`r.id` },
  actor: null,
  latest: null,
  item: sql`${reportId}::uuid`,
});

/**
 * Notifies everyone of a site announcement, or the members of a group except those who muted it or want only
 * direct notifications. The author is not named: they speak for the site or group, so blocks and mutes do
 * not apply.
 */
export const announcementTrigger = (it: {
  announcementId: string;
  groupId: string | null;
  by: string;
}): NotificationTrigger => ({
  candidates: it.groupId
    ? sql`select person_id, 1 as rank, 'announcement' as kind, 'member' as reason from memberships
      where group_id = ${it.groupId} and state = 'member' and notify_level in ('all', 'highlights')
        and person_id <> ${it.by}`
    : sql`select id as person_id, 1 as rank, 'announcement' as kind, 'everybody' as reason from people
      where state in ('active', 'limited') and id <> ${it.by}`,
  visibility: sql`
    join announcements x on x.id = ${it.announcementId} left
    join groups g on g.id = x.group_id ${joinMembership(sql`c.person_id`, "g", "m")}
    where ${isAnnouncementReadable("x", "g", "m")}`,
  object: { kind: "announcement", id: sql`x.id` },
  actor: null,
  latest: null,
  item: sql`${it.announcementId}::uuid`,
});
