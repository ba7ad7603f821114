import { sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import {
  blockedIds,
  blockerIds,
  visiblePersonCard,
  wordFilterRows,
  mutedIds,
  blockedEitherWayIds,
} from "#community/friends";
import { isContentReadable, isDiscussionReadable, viewerMembership } from "#community/groups";
import type { FilterFacts, GroupRole, HiddenFacts, PostFacts, Viewer } from "#community/rules";
import type { PostContainer } from "./post-container.ts";
import { type PollRow, pollRows } from "../polls/poll-view.ts";
import type { PostView } from "./post-queries.ts";

/** A post with the columns selected for this viewer. */
export type PostRow = Omit<
  PostView,
  | "muted"
  | "hidden"
  | "filtered"
  | "editedBy"
  | "amendable"
  | "cards"
  | "kept"
  | "bookmarked"
  | "poll"
  | "html"
  | "stub"
  | "why"
  | "mine"
  | "editable"
  | "replyTo"
  | "movedTo"
> &
  Omit<PostFacts, "authorId"> &
  HiddenFacts & {
    authorId: string;
    cards: PostView["cards"] | null;
    kept: PostView["kept"] | null;
    bookmarked: boolean;
    editedBy: PersonCard | null;
    poll: PollRow | null;
    html: string;
    why: string;
    isMuted: boolean;
    /** The viewer's filters, only in the first row. */
    filters: FilterFacts[] | null;
    groupRole: GroupRole | null;
    movedTo: PostView["movedTo"] | null;
    parent: { id: string; number: number; author: PersonCard | null; html: string | null } | null;
  };

/**
 * Selects the posts `p` that match `which`, in order. Parts that few posts have are loaded once for all
 * posts and looked up by id: as subqueries for each post they caused most of the page's cost.
 */
export const postRows = (
  viewer: Viewer,
  container: PostContainer,
  which: ReturnType<typeof sql>,
) => sql<PostRow>`
  with page as materialized (
    select p.id, p.number, p.author_id, p.state, p.hidden_at, p.hidden_count, p.returned_at, p.removed_reason,
      p.body_html, p.created_at, p.edited_at, p.reply_to, p.moved_to
    from posts p where ${which}),
  writers as materialized (${authorCards(viewer, container)}),
  answered as materialized (${repliedPosts(viewer, container)}),
  reacted as materialized (${reactionCounts(viewer)}),
  linked as materialized (${linkPreviews}),
  kept as materialized (${savedResources(viewer)}),
  asking as materialized (${pollRows(viewer, POST_IDS)})
  select p.id, p.number, p.author_id as "authorId", p.state, p.hidden_at as "hiddenAt",
    p.hidden_count as "hiddenTimes", p.returned_at as "returnedAt", p.removed_reason as why, p.body_html as html,
    p.created_at as "createdAt", p.edited_at as "editedAt", ${editorColumns(viewer)} as "editedBy",
    p.author_id = any(${blockerIds(viewer, container.pastBlocks)}) as "blocksViewer",
    p.author_id = any(${blockedIds(viewer)}) as "viewerBlocks",
    p.author_id = any(${mutedIds(viewer)}) as "isMuted",
    case when p.number = (select min(number) from page) then ${wordFilterRows(viewer, "discussion")}
      end as filters,
    writer.card as author, writer.role as "groupRole", ${movedColumns(viewer)} as "movedTo",
    ${lookUpById("answered", "reply_to")} as parent, coalesce(${lookUpById("reacted")}, '[]') as reactions,
    ${lookUpById("linked")} as cards, ${lookUpById("kept")} as kept,
    p.id = any(${bookmarkedIds(viewer)}) as bookmarked, ${lookUpById("asking")} as poll
  from page p join writers writer on writer.id = p.author_id
  order by p.number`;

const POST_IDS = sql`array(select id from page)`;
/** Looks up the value `it` of a post in one of the lists above. */
const lookUpById = (list: string, of = "id") =>
  sql`(select it from ${sql.ref(list)} of_it where of_it.id = ${sql.ref(`p.${of}`)})`;

const authorCards = (viewer: Viewer, container: PostContainer) => sql`
  select author.id, ${visiblePersonCard(viewer, "author", container.pastBlocks)} as card, tie.role
  from people author
  left join memberships tie on tie.group_id = ${container.group?.id ?? null}::uuid
    and tie.person_id = author.id and tie.state = 'member'
  where author.id = any(array(select author_id from page))`;

const editorColumns = (viewer: Viewer) => sql`
  case when p.edited_at is not null then
    (select ${visiblePersonCard(viewer, "changer")} from post_revisions r
    join people changer on changer.id = r.replaced_by
     where r.post_id = p.id and r.replaced_at = p.edited_at and r.replaced_by <> p.author_id) end`;

const movedColumns = (viewer: Viewer) => sql`
  case when p.state = 'moved' then
    (select json_build_object('discussionId', d.id, 'title', d.title, 'number', x.number)
     from posts x join discussions d on d.id = x.discussion_id
     join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
     where x.id = p.moved_to and d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")}) end`;

/** Previews of a post's standalone links that were fetched, without those that its author removed. */
const linkPreviews = sql`
  select l.post_id as id,
    json_agg(json_build_object('address', v.address, 'title', v.title, 'description', v.description, 'site',
      v.site) order by l.place) as it
  from post_links l join link_previews v using (address)
  where l.post_id = any(${POST_IDS}) and l.removed_at is null and v.title <> ''
  group by l.post_id`;

const savedResources = (viewer: Viewer) => sql`
  select use.post_id as id, json_agg(json_build_object('id', r.id, 'title', r.title)
    order by r.created_at) as it
  from resource_uses use join resources r on r.id = use.resource_id left
  join groups g on g.id = r.group_id ${viewerMembership(viewer, "g", "m")}
  where use.post_id = any(${POST_IDS}) and use.is_origin and r.state = 'published'
    and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
  group by use.post_id`;

const bookmarkedIds = (viewer: Viewer) =>
  sql`array(select b.post_id from bookmarks b
    where b.person_id = ${viewer.id}::uuid and b.post_id = any(${POST_IDS}))`;

/** The post that is replied to, with its beginning; without text if the viewer would see a stub. */
const repliedPosts = (viewer: Viewer, container: PostContainer) => sql`
  select q.id, json_build_object('id', q.id, 'number', q.number, 'author',
    ${visiblePersonCard(viewer, "asked", container.pastBlocks)},
     'html', case when q.state = 'published'
       and q.author_id <> all(${blockerIds(viewer, container.pastBlocks)})
         and q.author_id <> all(${blockedIds(viewer)})
           and q.author_id <> all(${mutedIds(viewer)}) then left(q.body_html, 1000) end) as it
  from posts q join people asked on asked.id = q.author_id
  where q.id = any(array(select reply_to from page)) and q.number > ${container.lastHiddenNumber}`;

/** Names are looked up by id one at a time: a join made PostgreSQL scan all people in order. */
const reactionCounts = (viewer: Viewer) => sql`
  select r.post_id as id,
    json_agg(json_build_object('emoji', r.emoji, 'count', r.count, 'mine', r.mine, 'names', r.names)
      order by r.first) as it
  from (select post_id, emoji, count(*)::int as count,
    bool_or(person_id = ${viewer.id}::uuid) is true as mine, min(reactions.created_at) as first,
          coalesce((array_agg(display_name
            order by reactions.created_at) filter
              (where people.id <> all(${blockedEitherWayIds(viewer)})))[1:10], '{}') as names
        from reactions cross join lateral (select id, display_name from people
          where people.id = reactions.person_id limit 1) people
        where post_id = any(${POST_IDS}) group by post_id, emoji) r
  group by r.post_id`;
