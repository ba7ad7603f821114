import { sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { ISO_FORMAT } from "../export/post-columns.ts";
import type { RecordQuery } from "../writing/archive-lines.ts";
import {
  type ExportedGroup,
  type VisibleContent,
  createVisibleContent,
  UNNAMED_PERSON,
} from "./visible-content.ts";
import { createLibraryParts, createLinkParts } from "./library-parts.ts";
import { createDiscussionParts } from "./discussion-parts.ts";

/** Records of one type. `who`: columns that contain person ids. */
export type ExportPart = RecordQuery & { who?: string[] };

/** Everything an owner can read in a group by type, each after those it references, in a stable order. */
export function listGroupParts(me: SignedIn, group: ExportedGroup): RecordQuery[] {
  const visibleContent = createVisibleContent(me, group);
  const [members, library, talk, links] = [
    createMembersPart(group),
    createLibraryParts(visibleContent),
    createDiscussionParts(me, group, visibleContent),
    createLinkParts(group, visibleContent),
  ];
  return [
    createPeoplePart([members, ...library, ...talk, ...links]),
    createGroupPart(group),
    createFilesPart(group, visibleContent),
    members,
    ...library,
    ...talk,
    ...links,
  ];
}

/** People referenced by other records, with their names only. */
function createPeoplePart(parts: ExportPart[]): RecordQuery {
  const named = parts.flatMap(({ rows, who = [] }) =>
    who.map(
      (column) =>
        sql`select it.${sql.ref(column)}::text as id from (${rows}) it
          where it.${sql.ref(column)} is not null`,
    ),
  );
  return {
    kind: "user",
    rows: sql`
      select named.id, case when ${isGone} then 'former-' || coalesce(right(replace(p.id::text, '-', ''), 13),
        named.id) else p.username end as username,
        case when ${isGone} then 'Former member' else p.display_name end as name, case
          when ${isGone} then true end as gone
      from (${sql.join(named, sql` union `)}) named left
      join people p on p.id = nullif(named.id, ${UNNAMED_PERSON})::uuid order by named.id`,
  };
}

/** True for closed accounts, and for people whom pages do not name to the reader. */
const isGone = sql<boolean>`coalesce(p.state in ('erased', 'deactivated'), true)`;

const createGroupPart = ({ id }: ExportedGroup): RecordQuery => ({
  kind: "group",
  rows: sql`
    select g.id, g.slug, g.name, g.purpose, g.about_md as about, g.topic, g.visibility,
      g.join_policy as "joinPolicy", g.history_policy as "historyPolicy",
      g.shared_from as "sharedFrom", case when g.state = 'pending' then g.state
        end as state, nullif(g.replies_by, 'members') as "repliesBy",
      nullif(g.starts_by, 'members') as "startsBy",
          nullif(g.events_by, 'members') as "eventsBy", nullif(g.invites_by, 'members') as "invitesBy",
      g.rules, nullif(g.rules_version, 1) as "rulesVersion", g.rules_changed_at as "rulesChangedAt",
      (select json_agg(json_build_object('version', b.version, 'rules', b.rules, 'at',
        to_char(b.replaced_at at time zone 'UTC', ${ISO_FORMAT})) order by b.version)
        from group_rule_versions b where b.group_id = g.id) as "formerRules",
      g.questions, g.header_style as "headerStyle", g.header_alt as "headerAlt", g.photo_alt as "photoAlt",
      g.created_at as "createdAt",
      g.archived_at as "archivedAt", g.last_active_at as "lastActiveAt",
      case when g.wider_at is not null then json_build_object('at',
        to_char(g.wider_at at time zone 'UTC', ${ISO_FORMAT}), 'visibility', g.wider_visibility, 'joinPolicy',
          g.wider_join_policy) end as opens
    from groups g where g.id = ${id}`,
});

const createMembersPart = ({ id }: ExportedGroup): ExportPart => ({
  kind: "membership",
  who: ["user"],
  rows: sql`
    select m.group_id as "group", m.person_id as "user", m.role, m.joined_at as "createdAt"
    from memberships m where m.group_id = ${id} and m.state = 'member' order by m.person_id`,
});

/**
 * Pictures of the group, library files, and uploads in readable posts. Quarantined files are exported
 * without bytes.
 */
const createFilesPart = ({ id }: ExportedGroup, visibleContent: VisibleContent): RecordQuery => ({
  kind: "file",
  rows: sql`
    select u.id, u.hash, u.file_name as name, u.mime, u.width, u.height, u.alt, it."as", it."group",
      case when u.state = 'quarantined' then u.state end as state, case
        when u.state = 'quarantined' then u.size::float8 end as size
    from (
      select g.photo_id as id, 'photo' as "as", g.id as "group" from groups g where g.id = ${id}
      union all select g.header_id, 'header', g.id from groups g where g.id = ${id}
      union all select r.upload_id, null, null from resources r where r.id in ${visibleContent.resources}
      union select v.upload_id, null, null from resource_versions v where v.resource_id in ${visibleContent.resources}
      union all select u.id, case when u.file_name = '' then 'picture' end, null
        from ${visibleContent.posts} p join uploads u on u.attached_kind = 'post' and u.attached_id = p.id
          and u.state = 'ok' where ${visibleContent.shown}) it
    join uploads u on u.id = it.id and u.state <> 'scanning' order by u.id`,
});
