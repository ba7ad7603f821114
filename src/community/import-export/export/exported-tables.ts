import { sql } from "#platform/database";
import { effectiveAudience } from "#community/accounts";
import { SETTING_KEYS } from "../archive/records.ts";
import type { RecordQuery } from "../writing/archive-lines.ts";
import { filesColumn, ISO_FORMAT, mentionsColumn, movesColumns, pollColumn } from "./post-columns.ts";
import { formerNamesColumn, oldPathsColumn } from "./former-addresses.ts";
import { notificationColumns } from "./notification-columns.ts";
import { isExportedPerson, isPresentPerson } from "./exported-people.ts";

const isGoneCondition = sql`p.state in ('erased', 'deactivated')`;
const isPresentCondition = isPresentPerson("p");
/** Deleted content is not exported. */
const groupExported = sql`g.state <> 'deleted'`;
const discussionExported = sql`join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
  join groups g on g.id = d.group_id and ${groupExported}`;
const resourceExported = sql`(r.group_id is null
  or exists (select from groups g where g.id = r.group_id and ${groupExported}))`;
const postExported = sql`and case
  when p.discussion_id is not null then exists (select from discussions d
    join groups g on g.id = d.group_id and ${groupExported}
    where d.id = p.discussion_id and d.state <> 'deleted')
  else exists (select from resources r where r.id = p.resource_id and ${resourceExported}) end`;

/**
 * Own profile fields, and answers to this community's fields, because another community may have different
 * fields.
 */
const profileFields = sql`
  case when jsonb_typeof(p.fields) = 'array' then p.fields else '[]' end || coalesce((
    select jsonb_agg(jsonb_build_object('label', f.label, 'value', array_to_string(v.said, ', '), 'audience',
      ${effectiveAudience("f", "v")}) order by f.place, f.id)
    from profile_values v join profile_fields f on f.id = v.field_id and f.retired_at is null
      where v.person_id = p.id), '[]')`;

/** All exported tables, each after those it references, in a stable order. */
export const EXPORTED_TABLES: RecordQuery[] = [
  {
    kind: "setting",
    rows: sql`select key, value from settings where key = any(${[...SETTING_KEYS]}) order by key`,
  },
  {
    kind: "user",
    rows: sql`
      select p.id, case when ${isGoneCondition} then 'former-' || right(replace(p.id::text, '-', ''), 13)
        else p.username end as username,
        case when ${isGoneCondition} then 'Former member' else p.display_name end as name,
        case when not ${isGoneCondition} then coalesce(case when p.email_confirmed_at is not null then p.email
          end, imported_accounts.email) end as email,
        case when ${isGoneCondition} then true end as gone,
        case when not ${isGoneCondition} then p.bio_md end as bio, case
          when not ${isGoneCondition} then p.pronouns end as pronouns,
        case when not ${isGoneCondition} then p.location end as location, case
          when not ${isGoneCondition} then ${profileFields} end as fields,
        case when not ${isGoneCondition} then p.privacy end as privacy, case
          when not ${isGoneCondition} then p.photo_alt end as "photoAlt",
        p.locale, p.time_zone as "timeZone", p.header_style as "headerStyle", p.created_at as "createdAt",
        ${notificationColumns(sql`not ${isGoneCondition}`)},
        case when not ${isGoneCondition} then ${formerNamesColumn("p")} end as "formerNames", case
          when not ${isGoneCondition} then ${oldPathsColumn("user", "p")} end as "oldPaths"
      from people p left join imported_accounts on imported_accounts.person_id = p.id
      where ${isExportedPerson("p")} order by p.id`,
  },
  {
    kind: "group",
    rows: sql`
      select g.id, g.slug, g.name, g.purpose, g.about_md as about, g.topic, g.visibility,
        g.join_policy as "joinPolicy", g.history_policy as "historyPolicy", g.shared_from as "sharedFrom",
        case when g.state = 'pending' then g.state
          end as state, nullif(g.replies_by, 'members') as "repliesBy",
          nullif(g.starts_by, 'members') as "startsBy",
          nullif(g.events_by, 'members') as "eventsBy", nullif(g.invites_by, 'members') as "invitesBy",
        g.created_by as owner, g.rules, nullif(g.rules_version, 1) as "rulesVersion",
        g.rules_changed_at as "rulesChangedAt",
        (select json_agg(json_build_object('version', b.version, 'rules', b.rules, 'at',
          to_char(b.replaced_at at time zone 'UTC', ${ISO_FORMAT}), 'by', b.replaced_by)
          order by b.version) from group_rule_versions b where b.group_id = g.id) as "formerRules",
            g.questions, g.header_style as "headerStyle", g.header_alt as "headerAlt",
            g.photo_alt as "photoAlt", g.created_at as "createdAt", g.archived_at as "archivedAt",
        g.last_active_at as "lastActiveAt", case
          when g.wider_at is not null then json_build_object('at',
            to_char(g.wider_at at time zone 'UTC', ${ISO_FORMAT}),
          'visibility', g.wider_visibility, 'joinPolicy', g.wider_join_policy, 'by', g.wider_by)
            end as opens, ${oldPathsColumn("group", "g")} as "oldPaths"
      from groups g where ${groupExported} order by g.id`,
  },
  {
    kind: "file",
    rows: sql`
      select u.id, u.hash, u.file_name as name, u.mime, u.owner_id as owner, u.width, u.height, u.alt,
        u.created_at as "createdAt",
        case when u.state = 'quarantined' then u.state end as state, case
          when u.state = 'quarantined' then u.size::float8 end as size,
        case when u.id in (p.photo_id, g.photo_id) then 'photo' when p.id is not null
          or g.id is not null then 'header'
          when u.attached_kind in ('post', 'message') and u.file_name = '' then 'picture'
          end as "as", p.id as "user", g.id as "group"
      from uploads u
      left join people p on u.attached_kind = 'person' and p.id = u.attached_id
        and u.id in (p.photo_id, p.header_id) and ${isPresentCondition}
      left join groups g on u.attached_kind = 'group' and g.id = u.attached_id
        and u.id in (g.header_id, g.photo_id) and ${groupExported}
      left join resources r on u.attached_kind = 'resource' and r.id = u.attached_id and ${resourceExported}
        and (r.upload_id = u.id or exists (select from resource_versions v
          where v.resource_id = r.id and v.upload_id = u.id))
      where p.id is not null or g.id is not null or r.id is not null
        or u.attached_kind = 'post'
        and exists (select from posts p where p.id = u.attached_id ${postExported})
        or u.attached_kind = 'message' and exists (select from messages m where m.id = u.attached_id)
      order by u.id`,
  },
  {
    kind: "membership",
    rows: sql`
      select m.group_id as "group", m.person_id as "user", m.role, m.state, m.answers,
        m.notify_level as "notifyLevel", m.pinned_at as "pinnedAt", m.reason,
        m.invited_by as "invitedBy", m.banned_by as "bannedBy", m.banned_until as "bannedUntil",
        m.joined_at as "createdAt", m.changed_at as "changedAt"
      from memberships m join groups g on g.id = m.group_id and ${groupExported}
      join people p on p.id = m.person_id and ${isPresentCondition}
      order by m.group_id, m.person_id`,
  },
  {
    kind: "friendship",
    rows: sql`
      select requested_by as "from", case when requested_by = low_id then high_id else low_id
        end as "to", f.state, note, requested_at as "createdAt",
        changed_at as "changedAt"
      from friendships f join people p on p.id = f.low_id and ${isPresentCondition}
      join people q on q.id = f.high_id and ${isExportedPerson("q")}
      where not cancelled order by low_id, high_id`,
  },
  {
    kind: "block",
    rows: sql`
      select blocker_id as "from", blocked_id as "to", b.created_at as "createdAt" from blocks b
      join people p on p.id = b.blocker_id and ${isPresentCondition}
      join people q on q.id = b.blocked_id and ${isExportedPerson("q")} order by blocker_id, blocked_id`,
  },
  {
    kind: "mute",
    rows: sql`
      select muter_id as "from", muted_id as "to", x.until, x.created_at as "createdAt" from mutes x
      join people p on p.id = x.muter_id and ${isPresentCondition}
      join people q on q.id = x.muted_id and ${isExportedPerson("q")} order by muter_id, muted_id`,
  },
  {
    kind: "resource",
    rows: sql`
      select r.id, r.group_id as "group", r.owner_id as owner, r.kind, r.title, r.why, r.url,
        r.site_name as "siteName", r.body_md as body,
        r.upload_id as file, r.tags, r.language, r.licence, r.state, nullif(r.audience, 'group') as audience,
        r.version, nullif(r.changes, 0) as changes,
        nullif(r.edits_by, 'owner') as "editsBy", r.created_at as "createdAt", r.updated_at as "updatedAt",
        case when p.id is not null then r.featured_at end as "featuredAt", p.id as "featuredBy",
        r.removed_at as "removedAt", r.removed_by as "removedBy", r.removed_reason as "removedReason",
        ${oldPathsColumn("resource", "r")} as "oldPaths"
      from resources r left join people p on p.id = r.featured_by and ${isPresentCondition}
      where ${resourceExported} order by r.id`,
  },
  {
    kind: "version",
    rows: sql`
      select v.resource_id as resource, v.version as number, v.by_id as by, v.note, v.body_md as body,
        v.upload_id as file,
        v.restored_from as "restoredFrom", v.created_at as "createdAt"
      from resource_versions v join resources r on r.id = v.resource_id and ${resourceExported}
      order by v.resource_id, v.version`,
  },
  {
    kind: "discussion",
    rows: sql`
      select d.id, d.group_id as "group", d.author_id as author, d.title, d.tags, case
        when d.language_known then d.language end as language, nullif(d.audience, 'group') as audience,
        case when d.state = 'archived' then true
          end as archived, d.archived_at as "archivedAt", d.archived_by as "archivedBy",
        nullif(d.slow_seconds, 0) as "slowSeconds", case
          when d.timer is not null then json_build_object('kind', d.timer,
          'at', to_char(d.timer_at at time zone 'UTC', ${ISO_FORMAT}), 'by', d.timer_by, 'reason',
            d.timer_reason) end as timer,
        d.pinned_at as "pinnedAt", d.pinned_by as "pinnedBy", d.pinned_until as "pinnedUntil",
        d.locked_at as "lockedAt", d.locked_by as "lockedBy",
        d.locked_reason as "lockedReason", d.resolved_at as "resolvedAt", d.resolved_by as "resolvedBy",
        d.created_at as "createdAt",
        (select json_agg(json_build_object('id', f.id, 'at',
          to_char(f.merged_at at time zone 'UTC', ${ISO_FORMAT})) order by f.id)
          from former_discussions f where f.discussion_id = d.id) as merged,
            ${oldPathsColumn("discussion", "d")} as "oldPaths"
      from discussions d join groups g on g.id = d.group_id and ${groupExported} where d.state <> 'deleted'
      order by d.id`,
  },
  {
    kind: "post",
    rows: sql`
      select p.id, p.discussion_id as discussion, p.number, p.author_id as author, p.reply_to as "replyTo",
        p.body_md as body, p.state,
        p.removed_at as "takenAt", p.removed_by as "takenBy", p.removed_reason as "takenReason",
        p.hidden_at as "hiddenAt",
        nullif(p.hidden_count, 0) as "hiddenTimes", p.unhidden_at as "shownAt", p.created_at as "createdAt",
        p.edited_at as "editedAt",
        nullif(p.version, 1) as version, case when d.answer_id = p.id then true
          end as "isAnswer", ${movesColumns.to} as "movedTo", ${movesColumns.from} as "movedFrom",
          ${pollColumn("p")} as poll,
        (select json_agg(json_build_object('discussion', f.discussion_id, 'number', f.number)
          order by f.discussion_id, f.number)
          from former_posts f where f.post_id = p.id) as stood,
        ${filesColumn("post")} as files, ${mentionsColumn("p")} as mentions,
        ${oldPathsColumn("post", "p")} as "oldPaths"
      from posts p ${discussionExported} order by p.discussion_id, p.number`,
  },
  {
    kind: "post",
    rows: sql`
      select p.id, p.resource_id as resource, p.number, p.author_id as author, p.reply_to as "replyTo",
        p.body_md as body, p.state,
        p.removed_at as "takenAt", p.removed_by as "takenBy", p.removed_reason as "takenReason",
        p.hidden_at as "hiddenAt",
        nullif(p.hidden_count, 0) as "hiddenTimes", p.unhidden_at as "shownAt", p.created_at as "createdAt",
        p.edited_at as "editedAt",
        nullif(p.version, 1) as version, ${filesColumn("post")} as files, ${mentionsColumn("p")} as mentions,
        ${oldPathsColumn("post", "p")} as "oldPaths"
      from posts p join resources r on r.id = p.resource_id and ${resourceExported}
      order by p.resource_id, p.number`,
  },
  {
    kind: "revision",
    rows: sql`
      select v.post_id as post, v.body_md as body, v.replaced_by as by, v.reason, v.replaced_at as "createdAt"
      from post_revisions v join posts p on p.id = v.post_id ${postExported}
      order by v.post_id, v.replaced_at`,
  },
  {
    kind: "vote",
    rows: sql`
      select v.post_id as post, v.person_id as "user", v.position as option, v.at as "createdAt"
      from poll_votes v join posts p on p.id = v.post_id ${discussionExported}
      join people who on who.id = v.person_id and ${isExportedPerson("who")}
      order by v.post_id, v.person_id, v.position`,
  },
  {
    kind: "reaction",
    rows: sql`
      select x.post_id as post, x.person_id as "user", x.emoji, x.created_at as "createdAt"
      from reactions x join posts p on p.id = x.post_id ${postExported}
      order by x.post_id, x.person_id, x.emoji`,
  },
  {
    kind: "reading",
    rows: sql`
      select s.discussion_id as discussion, s.person_id as "user", s.last_read_number as number, s.level,
        case when s.level_chosen then true end as chosen, s.read_at as "createdAt"
      from read_positions s join discussions d on d.id = s.discussion_id and d.state <> 'deleted'
      join groups g on g.id = d.group_id and ${groupExported}
      join people p on p.id = s.person_id and ${isPresentCondition} order by s.discussion_id, s.person_id`,
  },
  {
    kind: "line",
    rows: sql`
      select p.id, p.discussion_id as discussion, p.kind, p.by_id as by, p.reason, o.id as "otherDiscussion",
        h.id as "otherGroup",
        nullif(p.details, '{}') as details, p.at as "createdAt"
      from discussion_entries p ${discussionExported}
      left join discussions o on o.id = p.other_discussion_id and o.state <> 'deleted'
        and exists (select from groups g where g.id = o.group_id and ${groupExported})
      left join groups h on h.id = p.other_group_id and h.state <> 'deleted'
      order by p.discussion_id, p.at, p.id`,
  },
  {
    kind: "start",
    rows: sql`
      select s.group_id as "group", d.id as discussion, r.id as resource, s.position, s.added_by as by,
        s.added_at as "createdAt"
      from group_start_items s join groups g on g.id = s.group_id and ${groupExported}
      left join discussions d on d.id = s.discussion_id and d.state <> 'deleted' left
      join resources r on r.id = s.resource_id and ${resourceExported}
      where d.id is not null or r.id is not null order by s.group_id, s.position, s.id`,
  },
  {
    kind: "follow",
    rows: sql`
      select f.resource_id as resource, f.person_id as "user", f.level, f.changed_at as "createdAt"
      from resource_follows f
      join resources r on r.id = f.resource_id and ${resourceExported}
      join people p on p.id = f.person_id and ${isPresentCondition} order by f.resource_id, f.person_id`,
  },
  {
    kind: "bookmark",
    rows: sql`
      select b.person_id as "user", b.post_id as post, b.note, b.remind_at as "remindAt",
        b.reminded_at as "remindedAt", b.created_at as "createdAt"
      from bookmarks b join people who on who.id = b.person_id and ${isPresentPerson("who")}
      join posts p on p.id = b.post_id ${postExported} order by b.person_id, b.post_id`,
  },
  {
    kind: "bookmark",
    rows: sql`
      select b.person_id as "user", b.resource_id as resource, b.created_at as "createdAt"
      from resource_bookmarks b
      join people p on p.id = b.person_id and ${isPresentCondition}
      join resources r on r.id = b.resource_id and ${resourceExported} order by b.person_id, b.resource_id`,
  },
  {
    kind: "use",
    rows: sql`
      select s.resource_id as resource, s.post_id as post, case when s.is_origin then true end as origin
      from resource_uses s join resources r on r.id = s.resource_id and ${resourceExported}
      join posts p on p.id = s.post_id ${discussionExported} order by s.resource_id, s.post_id`,
  },
  {
    kind: "collection",
    rows: sql`
      select c.id, c.group_id as "group", c.curator_id as curator, c.title, c.about,
        nullif(c.audience, 'group') as audience, c.created_at as "createdAt",
        (select json_agg(json_build_object('user', k.person_id, 'by', k.added_by, 'createdAt',
          to_char(k.added_at at time zone 'UTC', ${ISO_FORMAT})) order by k.person_id)
          from collection_curators k join people p on p.id = k.person_id and ${isPresentCondition}
            where k.collection_id = c.id) as helpers,
        coalesce((select json_agg(json_build_object('resource', i.resource_id, 'position', i.position)
          order by i.position, i.resource_id)
          from collection_items i join resources r on r.id = i.resource_id and ${resourceExported}
            where i.collection_id = c.id), '[]') as items
      from collections c where c.group_id is null
        or exists (select from groups g where g.id = c.group_id and ${groupExported}) order by c.id`,
  },
  {
    kind: "conversation",
    rows: sql`
      select c.id, c.kind, c.name, c.creator_id as creator, c.created_at as "createdAt",
        (select json_agg(json_build_object('user', person_id, 'state', state, 'read', last_read_seq, 'seen',
          seen_seq, 'joinedAfter', joined_seq,
           'mutedUntil', to_char(muted_until at time zone 'UTC', ${ISO_FORMAT}), 'archivedAt',
           to_char(archived_at at time zone 'UTC', ${ISO_FORMAT}),
           'createdAt', to_char(joined_at at time zone 'UTC', ${ISO_FORMAT})) order by person_id)
         from participants where conversation_id = c.id) as participants,
        (select json_agg(json_build_object('id', l.id, 'kind', l.kind, 'after', l.after_seq, 'by', l.by_id,
          'user', l.person_id, 'name', l.name,
           'at', to_char(l.at at time zone 'UTC', ${ISO_FORMAT})) order by l.after_seq, l.id)
         from conversation_entries l where l.conversation_id = c.id) as lines
      from conversations c order by c.id`,
  },
  {
    kind: "message",
    rows: sql`
      select m.id, m.conversation_id as conversation, m.author_id as author, m.reply_to as "replyTo",
        m.body_md as body, m.created_at as "createdAt", m.edited_at as "editedAt",
        m.deleted_at as "deletedAt", ${filesColumn("message")} as files,
        (select json_agg(json_build_object('user', h.person_id, 'at',
          to_char(h.hidden_at at time zone 'UTC', ${ISO_FORMAT})) order by h.person_id)
         from hidden_messages h join people p on p.id = h.person_id and ${isPresentCondition}
           where h.message_id = m.id) as "hiddenFrom"
      from messages m order by m.conversation_id, m.seq`,
  },
  {
    kind: "message-reaction",
    rows: sql`
      select x.message_id as message, x.person_id as "user", x.emoji, x.created_at as "createdAt"
      from message_reactions x order by x.message_id, x.person_id, x.emoji`,
  },
];
