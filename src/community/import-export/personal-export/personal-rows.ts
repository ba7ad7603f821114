import { sql } from "#platform/database";
import { blockerIds } from "#community/friends";
import { isDiscussionReadable, isGroupVisible, viewerMembership } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createEventParts } from "./own-events.ts";

type Sql = ReturnType<typeof sql>;
/** A file of the export. `about`: its description. */
export type PersonalExportPart = { file: string; about: string; rows: Sql };

/**
 * The data of a person by file, without texts by others. A discussion or group is named only if the person
 * can see it today.
 */
export const listPersonalExportParts = (me: SignedIn): PersonalExportPart[] => [
  ...createProfileParts(me),
  ...createContentParts(me),
  ...createEventParts(me),
  ...createChoiceParts(me),
];

const usernameOf = (person: Sql) => sql`(select username from people where id = ${person})`;
const usernameColumn = (person: Sql) => sql`${usernameOf(person)} as username`;

const createProfileParts = (me: SignedIn): PersonalExportPart[] => [
  {
    file: "account.json",
    about: "Your account and profile",
    rows: sql`select id, username, display_name as name, email, site_role as role, trust, state, locale,
      time_zone as "timeZone", theme, pronouns, location,
        bio_md as bio, fields as lines, privacy, photo_alt as "photoAlt", header_alt as "headerAlt",
        header_style as "headerStyle", join_reason as "joinReason",
        rules_accepted_at as "rulesAcceptedAt", created_at as "createdAt", seen_at as "seenAt",
        password_changed_at as "passwordChangedAt"
      from people where id = ${me.id}`,
  },
  {
    file: "answers.json",
    about: "Your answers to profile questions",
    rows: sql`select f.label, v.said, v.audience from profile_values v
      join profile_fields f on f.id = v.field_id where v.person_id = ${me.id} order by f.place`,
  },
  {
    file: "former-names.json",
    about: "Former usernames",
    rows: sql`select username, until from former_usernames where person_id = ${me.id} order by until`,
  },
  {
    file: "sessions.json",
    about: "Active sessions",
    rows: sql`select kind, device, stay, created_at as "createdAt", seen_at as "seenAt",
      expires_at as "expiresAt" from sessions where person_id = ${me.id} order by created_at`,
  },
  {
    file: "passkeys.json",
    about: "Passkeys, without their keys",
    rows: sql`select name, party as "madeFor", added_at as "addedAt", used_at as "usedAt" from passkeys
      where person_id = ${me.id} order by added_at`,
  },
  {
    file: "sign-in-providers.json",
    about: "Connected sign-in providers",
    rows: sql`select provider, email, linked_at as "linkedAt" from provider_identities
      where person_id = ${me.id} order by provider`,
  },
  {
    file: "scheduled-messages.json",
    about: "Scheduled messages of API clients",
    rows: sql`select channel, content, state, due_at as "dueAt", repeat_every as "repeatEvery",
      expires_at as "expiresAt", created_at as "createdAt"
      from scheduled_messages where person_id = ${me.id} order by id`,
  },
  {
    file: "mails-of-programs.json",
    about: "Emails sent by API clients in your name",
    rows: sql`select p.subject, p.template, p.created_at as "createdAt", p.cancelled_at as "cancelledAt",
        (select count(*)::int from mails m where m.body_id = p.id) as recipients
      from api_emails p where p.person_id = ${me.id} order by p.id`,
  },
  {
    file: "automations.json",
    about: "Automation runs you started, with their input",
    rows: sql`select f.name as automation, r.trigger, r.context::json -> 'trigger' -> 'data' as given,
      r.state, r.created_at as "createdAt", r.ended_at as "endedAt"
      from automation_runs r join automations f on f.id = r.flow_id where r.person_id = ${me.id}
      order by r.id`,
  },
];

/** The discussion of the post `p`, named while it is readable. */
const joinReadableDiscussion = (me: SignedIn) => sql`
  join discussions d on d.id = p.discussion_id
  join groups g on g.id = d.group_id ${viewerMembership(me, "g", "m")}`;
const readableTitle = sql`case when ${isDiscussionReadable("d", "g", "m")}
  and d.state in ('open', 'archived') then d.title
  end as discussion`;

const createContentParts = (me: SignedIn): PersonalExportPart[] => [
  {
    file: "discussions.json",
    about: "Discussions you started",
    rows: sql`select id, title, tags, language, state, created_at as "createdAt" from discussions
      where author_id = ${me.id} order by id`,
  },
  {
    file: "posts.json",
    about: "Your posts",
    rows: sql`select p.id, p.discussion_id as "discussionId", ${readableTitle}, p.number, p.body_md as body,
      p.state, p.created_at as "createdAt", p.edited_at as "editedAt"
      from posts p ${joinReadableDiscussion(me)} where p.author_id = ${me.id} order by p.id`,
  },
  {
    file: "comments.json",
    about: "Your comments",
    rows: sql`select id, resource_id as "resourceId", number, body_md as body, state,
      created_at as "createdAt", edited_at as "editedAt"
      from posts where author_id = ${me.id} and resource_id is not null order by id`,
  },
  {
    file: "earlier-words.json",
    about: "Earlier versions of your posts",
    rows: sql`select r.post_id as "postId", r.body_md as body, r.replaced_at as "replacedAt"
      from post_revisions r join posts p on p.id = r.post_id
      where p.author_id = ${me.id} order by r.replaced_at, r.post_id`,
  },
  {
    file: "messages.json",
    about: "Messages you sent",
    rows: sql`select x.id, x.conversation_id as "conversationId", array(
          select q.username from participants t join people q on q.id = t.person_id
          where t.conversation_id = x.conversation_id and t.person_id <> ${me.id}
            and t.person_id <> all(${blockerIds(me)}) order by q.username) as "with",
        x.body_md as body, x.created_at as "createdAt", x.edited_at as "editedAt"
      from messages x where x.author_id = ${me.id} and x.deleted_at is null order by x.id`,
  },
  {
    file: "resources.json",
    about: "Your resources",
    rows: sql`select id, kind, title, why, url, body_md as body, tags, language, licence, state,
      created_at as "createdAt", updated_at as "updatedAt"
      from resources where owner_id = ${me.id} order by id`,
  },
  {
    file: "drafts.json",
    about: "Your drafts",
    rows: sql`select place, data, saved_at as "savedAt" from drafts where person_id = ${me.id}
      order by saved_at`,
  },
  {
    file: "waiting-posts.json",
    about: "Your pending and returned posts",
    rows: sql`select said, created_at as "createdAt", returned_at as "givenBackAt", answer from pending_posts
      where author_id = ${me.id} order by created_at, id`,
  },
];

const createChoiceParts = (me: SignedIn): PersonalExportPart[] => [
  {
    file: "groups.json",
    about: "Groups you are or were in",
    rows: sql`select g.id, case when ${isGroupVisible("g", "m")} then g.name
      end as name, m.role, m.state, m.joined_at as "joinedAt", m.answers, m.notify_level as "notifyLevel",
      m.pinned_at as "pinnedAt",
        m.appeal, m.appealed_at as "appealedAt", m.appeal_answer as "appealAnswer",
        m.appeal_declined_at as "appealDeclinedAt"
      from memberships m join groups g on g.id = m.group_id where m.person_id = ${me.id} order by m.group_id`,
  },
  {
    file: "group-requests.json",
    about: "Your join requests",
    rows: sql`select g.id, case when ${isGroupVisible("g", "m")} then g.name
      end as name, r.asked_at as "askedAt", r.answers, r.outcome, r.reason, r.decided_at as "decidedAt"
      from decided_join_requests r join groups g on g.id = r.group_id ${viewerMembership(me, "g", "m")}
      where r.person_id = ${me.id} order by r.decided_at, r.id`,
  },
  {
    file: "invitations.json",
    about: "Your group invitations and invite links",
    rows: sql`select i.kind, case when ${isGroupVisible("g", "m")} then g.name end as "group", case
      when i.person_id <> all(${blockerIds(me)}) then ${usernameOf(sql`i.person_id`)} end as username,
        i.email, i.entry, i.created_at as "madeAt", i.expires_at as "expiresAt", i.uses,
        i.most_uses as "mostUses", i.revoked_at as "takenBackAt"
      from group_invitations i join groups g on g.id = i.group_id ${viewerMembership(me, "g", "m")}
      where i.created_by = ${me.id} order by i.created_at, i.id`,
  },
  {
    file: "friend-links.json",
    about: "Your friend links",
    rows: sql`select created_at as "madeAt", expires_at as "expiresAt", uses, most_uses as "mostUses",
      revoked_at as "takenBackAt"
      from friend_links where created_by = ${me.id} order by created_at, id`,
  },
  {
    file: "friends.json",
    about: "Your friends and requests",
    rows: sql`select ${usernameColumn(sql`case when low_id = ${me.id} then high_id else low_id end`)},
        case when state = 'declined' and requested_by = ${me.id} then 'pending' else state
          end as state, requested_by = ${me.id} as "askedByYou",
        case when requested_by = ${me.id} then note end as note, requested_at as "requestedAt"
      from friendships where (low_id = ${me.id} or high_id = ${me.id}) and not cancelled
        and case when low_id = ${me.id} then high_id else low_id end <> all(${blockerIds(me)})
        order by requested_at`,
  },
  {
    file: "blocked.json",
    about: "People you blocked",
    rows: sql`select ${usernameColumn(sql`blocked_id`)}, created_at as "since" from blocks
      where blocker_id = ${me.id} order by created_at`,
  },
  {
    file: "muted.json",
    about: "People you muted",
    rows: sql`select ${usernameColumn(sql`muted_id`)}, created_at as "since", until from mutes
      where muter_id = ${me.id} order by created_at`,
  },
  {
    file: "filters.json",
    about: "Your word filters",
    rows: sql`select phrase, contexts, action, until, created_at as "createdAt" from filters
      where person_id = ${me.id} and dropped_at is null order by created_at`,
  },
  {
    file: "reactions.json",
    about: "Your reactions",
    rows: sql`select post_id as "postId", emoji, created_at as "createdAt" from reactions
      where person_id = ${me.id} order by created_at, post_id, emoji`,
  },
  {
    file: "message-reactions.json",
    about: "Your reactions to messages",
    rows: sql`select message_id as "messageId", emoji, created_at as "createdAt" from message_reactions
      where person_id = ${me.id} order by created_at, message_id, emoji`,
  },
  {
    file: "reports.json",
    about: "Your reports and appeals, with the decisions",
    rows: sql`select id, conversation_id as "conversationId", post_id as "postId", category,
      nullif(law, '') as law, reason, created_at as "createdAt", resolved_at as "resolvedAt", outcome,
        case when appeal then true end as appeal, nullif(answer, '') as answer from reports
      where reporter_id = ${me.id} order by created_at, id`,
  },
  {
    file: "devices.json",
    about: "Devices registered for push",
    rows: sql`select device_id as "deviceId", os, os_version as "osVersion", array(select channel
      from device_channels where registration_id = devices.id order by channel) as channels,
        expires_at as "expiresAt", created_at as "createdAt", renewed_at as "renewedAt" from devices
        where person_id = ${me.id} order by created_at, id`,
  },
  {
    file: "purchases.json",
    about: "Your purchases",
    rows: sql`select store, kind, package_name as "packageName", product, state, until,
      created_at as "createdAt" from purchases where person_id = ${me.id} order by created_at, id`,
  },
  {
    file: "votes.json",
    about: "Your votes in polls",
    rows: sql`select post_id as "postId", position as option, at from poll_votes where person_id = ${me.id}
      order by at, post_id, position`,
  },
  {
    file: "bookmarks.json",
    about: "Your bookmarks",
    rows: sql`select post_id as "postId", note, remind_at as "remindAt", created_at as "createdAt"
      from bookmarks where person_id = ${me.id} order by created_at`,
  },
  {
    file: "searches.json",
    about: "Recent and saved searches",
    rows: sql`select name, asked, created_at as at, notified_until is not null as tells from saved_searches
      where person_id = ${me.id}
      union all select null, asked, at, null from recent_searches where person_id = ${me.id} order by at`,
  },
  {
    file: "read.json",
    about: "Your read positions",
    rows: sql`select discussion_id as "discussionId", last_read_number as "lastRead", level,
      read_at as "readAt" from read_positions where person_id = ${me.id} order by discussion_id`,
  },
  {
    file: "notifications.json",
    about: "Your notification settings",
    rows: sql`select kind, shown, mailed, pushed from notification_choices where person_id = ${me.id}
      order by kind`,
  },
];
