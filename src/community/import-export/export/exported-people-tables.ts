import { sql } from "#platform/database";
import { effectiveAudience } from "#community/accounts";
import { SETTING_KEYS } from "../archive/records.ts";
import type { RecordQuery } from "../writing/archive-lines.ts";
import { ISO_FORMAT } from "./post-columns.ts";
import { formerNamesColumn, oldPathsColumn } from "./former-addresses.ts";
import { notificationColumns } from "./notification-columns.ts";
import { isExportedPerson, isPersonDataExported } from "./exported-people.ts";
import { isGroupExported, resourceExported, postExported } from "./exported-content.ts";

const isGoneCondition = sql`p.state in ('erased', 'deactivated')`;
const isPresentCondition = isPersonDataExported("p");

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

/** Settings, people, groups, and relationships between people. */
export const PEOPLE_TABLES: RecordQuery[] = [
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
      from groups g where ${isGroupExported} order by g.id`,
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
        and u.id in (g.header_id, g.photo_id) and ${isGroupExported}
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
      from memberships m join groups g on g.id = m.group_id and ${isGroupExported}
      join people p on p.id = m.person_id and ${isPresentCondition} and p.state <> 'bot'
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
];
