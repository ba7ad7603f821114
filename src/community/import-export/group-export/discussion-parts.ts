import { sql } from "#platform/database";
import { blockedEitherWayIds } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { ISO_FORMAT, createMentionsColumn, createMovesColumns, pollColumn } from "../export/post-columns.ts";
import type { ExportedGroup, VisibleContent } from "./visible-content.ts";
import type { ExportPart } from "./export-parts.ts";

/** Maximum number of people that a page names per reaction and post. */
const MAX_REACTOR_NAMES = 10;

/**
 * Discussions with posts and activity entries, and comments on resources, as far as the owner can read them.
 */
export const createDiscussionParts = (
  me: SignedIn,
  { id }: ExportedGroup,
  visibleContent: VisibleContent,
): ExportPart[] => [
  {
    kind: "discussion",
    who: ["author"],
    rows: sql`
      select d.id, d.group_id as "group", d.author_id as author, d.title, d.tags, case
        when d.language_known then d.language end as language, nullif(d.audience, 'group') as audience,
        case when d.state = 'archived' then true
          end as archived, d.archived_at as "archivedAt", nullif(d.slow_seconds, 0) as "slowSeconds",
        case when d.timer is not null then json_build_object('kind', d.timer, 'at',
          to_char(d.timer_at at time zone 'UTC', ${ISO_FORMAT}), 'reason', d.timer_reason) end as timer,
        d.pinned_at as "pinnedAt", d.pinned_until as "pinnedUntil", d.locked_at as "lockedAt",
        d.locked_reason as "lockedReason",
        d.resolved_at as "resolvedAt", d.created_at as "createdAt"
      from discussions d where d.id in ${visibleContent.discussions} order by d.id`,
  },
  {
    kind: "post",
    who: ["author"],
    rows: sql`
      select ${postColumns(visibleContent)}, p.discussion_id as discussion, case when d.answer_id = p.id then true
        end as "isAnswer",
        ${movesColumns(visibleContent).to} as "movedTo", ${movesColumns(visibleContent).from} as "movedFrom", case
          when ${visibleContent.shown} then ${pollColumn("p")} end as poll,
        ${createMentions(visibleContent, id)} as mentions
      from posts p join discussions d on d.id = p.discussion_id where p.discussion_id in ${visibleContent.discussions}
      order by p.discussion_id, p.number`,
  },
  {
    kind: "post",
    who: ["author"],
    rows: sql`
      select ${postColumns(visibleContent)}, p.resource_id as resource,
        ${createMentions(visibleContent, id)} as mentions
      from posts p where p.resource_id in ${visibleContent.resources} order by p.resource_id, p.number`,
  },
  {
    kind: "reaction",
    who: ["user"],
    rows: sql`
      select x.post_id as post, x.person_id as "user", x.emoji, x.created_at as "createdAt"
      from (select r.*, row_number() over (partition by r.post_id, r.emoji
        order by r.created_at, r.person_id) as place
        from reactions r join ${visibleContent.posts} p on p.id = r.post_id and ${visibleContent.shown}
          where r.person_id <> all(${blockedEitherWayIds(me)})) x
      where x.place <= ${MAX_REACTOR_NAMES} order by x.post_id, x.person_id, x.emoji`,
  },
  {
    kind: "line",
    who: ["by"],
    rows: sql`
      select l.id, l.discussion_id as discussion, l.kind, ${visibleContent.ifNamed("l.by_id")} as by, l.reason,
        nullif(l.details, '{}') as details, l.at as "createdAt",
        case when l.other_discussion_id in ${visibleContent.discussions} then l.other_discussion_id
          end as "otherDiscussion",
        case when l.other_group_id = ${id} then l.other_group_id end as "otherGroup"
      from discussion_entries l where l.discussion_id in ${visibleContent.discussions}
      order by l.discussion_id, l.at, l.id`,
  },
];

/** Columns of a post. A post whose text the reader cannot see is exported as removed, whatever the reason. */
const postColumns = ({ shown, moderates }: VisibleContent) => sql`
  p.id, p.number, p.author_id as author, p.reply_to as "replyTo", case when ${shown} then p.body_md
    end as body,
  case when ${shown} or p.state in ('deleted_by_author', 'moved') then p.state else 'removed' end as state,
  case when p.state = 'removed' and ${moderates} then p.removed_reason end as "takenReason",
  p.created_at as "createdAt", case when ${shown} then p.edited_at end as "editedAt",
  case when ${shown} then (select json_agg(u.id order by u.id) from uploads u
    where u.attached_kind = 'post' and u.attached_id = p.id and u.state = 'ok') end as files`;

const movesColumns = ({ discussions }: VisibleContent) =>
  createMovesColumns((id) => sql`${id} in ${discussions}`, "p");

const createMentions = ({ shown, members }: VisibleContent, id: string) =>
  sql`case when ${shown} then ${createMentionsColumn(sql`x.id in ${members}`, sql`x.id = ${id}`, "p")} end`;
