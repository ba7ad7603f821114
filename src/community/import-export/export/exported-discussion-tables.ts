import { sql } from "#platform/database";
import type { RecordQuery } from "../writing/archive-lines.ts";
import { filesColumn, ISO_FORMAT, mentionsColumn, movesColumns, pollColumn } from "./post-columns.ts";
import { oldPathsColumn } from "./former-addresses.ts";
import { isExportedPerson, isPersonDataExported } from "./exported-people.ts";
import { isGroupExported, discussionExported, resourceExported, postExported } from "./exported-content.ts";

const isPresentCondition = isPersonDataExported("p");

/** Discussions, posts, comments on resources, and members' votes, reactions, follows and bookmarks. */
export const DISCUSSION_TABLES: RecordQuery[] = [
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
      from discussions d join groups g on g.id = d.group_id and ${isGroupExported} where d.state <> 'deleted'
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
      join groups g on g.id = d.group_id and ${isGroupExported}
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
        and exists (select from groups g where g.id = o.group_id and ${isGroupExported})
      left join groups h on h.id = p.other_group_id and h.state <> 'deleted'
      order by p.discussion_id, p.at, p.id`,
  },
  {
    kind: "start",
    rows: sql`
      select s.group_id as "group", d.id as discussion, r.id as resource, s.position, s.added_by as by,
        s.added_at as "createdAt"
      from group_start_items s join groups g on g.id = s.group_id and ${isGroupExported}
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
      from bookmarks b join people who on who.id = b.person_id and ${isPersonDataExported("who")}
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
];
