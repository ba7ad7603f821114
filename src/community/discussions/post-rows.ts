import { sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { blockedOf, blockersOf, cardFor, filtersFor, mutedOf, partedFrom } from "#community/friends";
import { contentReadable, discussionReadable, viewersTie } from "#community/groups";
import type { FilterFacts, GroupRole, HiddenFacts, PostFacts, Viewer } from "#community/rules";
import type { Ground } from "./ground.ts";
import { type FoundPoll, pollFor } from "./poll-view.ts";
import type { PostView } from "./posts.ts";

/** A post as the statement finds it for this viewer. */
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
    poll: FoundPoll | null;
    html: string;
    why: string;
    isMuted: boolean;
    /** The viewer's, on the first row. */
    filters: FilterFacts[] | null;
    groupRole: GroupRole | null;
    movedTo: PostView["movedTo"] | null;
    parent: { id: string; number: number; author: PersonCard | null; html: string | null } | null;
  };

/** The statement of the posts `p` for which `which` holds, in their order. */
export const postRows = (viewer: Viewer, ground: Ground, which: ReturnType<typeof sql>) => sql<PostRow>`
  select p.id, p.number, p.author_id as "authorId", p.state, p.hidden_at as "hiddenAt", p.hidden_times as "hiddenTimes", p.taken_reason as why, p.body_html as html, p.created_at as "createdAt", p.edited_at as "editedAt", ${editedBy(viewer)} as "editedBy",
    p.author_id = any(${blockersOf(viewer, ground.pastBlocks)}) as "blocksViewer", p.author_id = any(${blockedOf(viewer)}) as "viewerBlocks", p.author_id = any(${mutedOf(viewer)}) as "isMuted", case when row_number() over (order by p.number) = 1 then ${filtersFor(viewer, "discussion")} end as filters,
    ${cardFor(viewer, "author", ground.pastBlocks)} as author, tie.role as "groupRole", ${movedFor(viewer)} as "movedTo", ${parentFor(viewer, ground)} as parent, ${reactionsFor(viewer)} as reactions, ${cards} as cards, ${keptAs(viewer)} as kept, ${isBookmarked(viewer)} as bookmarked, ${pollFor(viewer)} as poll
  from posts p
  join people author on author.id = p.author_id
  left join memberships tie on tie.group_id = ${ground.group?.id ?? null}::uuid and tie.person_id = p.author_id and tie.state = 'member'
  where ${which}
  order by p.number`;

const editedBy = (viewer: Viewer) => sql`
  case when p.edited_at is not null then
    (select ${cardFor(viewer, "changer")} from post_revisions r join people changer on changer.id = r.replaced_by
     where r.post_id = p.id and r.replaced_at = p.edited_at and r.replaced_by <> p.author_id) end`;

const movedFor = (viewer: Viewer) => sql`
  case when p.state = 'moved' then
    (select json_build_object('discussionId', d.id, 'title', d.title, 'number', x.number)
     from posts x join discussions d on d.id = x.discussion_id join groups g on g.id = d.group_id ${viewersTie(viewer)}
     where x.id = p.moved_to and d.state <> 'deleted' and ${discussionReadable}) end`;

/** Of the links that stand alone in a post: those that have been looked at and whose author has not done without. */
const cards = sql`
  (select json_agg(json_build_object('address', v.address, 'title', v.title, 'description', v.description, 'site', v.site) order by l.place)
   from post_links l join link_previews v using (address) where l.post_id = p.id and l.removed_at is null and v.title <> '')`;

const keptAs = (viewer: Viewer) => sql`
  (select json_agg(json_build_object('id', r.id, 'title', r.title) order by r.created_at)
   from resource_uses use join resources r on r.id = use.resource_id left join groups g on g.id = r.group_id ${viewersTie(viewer)}
   where use.post_id = p.id and use.is_origin and r.state = 'published' and (r.group_id is null or ${contentReadable("r", "created_at")}))`;

const isBookmarked = (viewer: Viewer) => sql`exists (select from bookmarks b where b.person_id = ${viewer.id}::uuid and b.post_id = p.id)`;

/** What a post answers, begun; without its words where the viewer would find a stub there. */
const parentFor = (viewer: Viewer, ground: Ground) => sql`
  (select json_build_object('id', q.id, 'number', q.number, 'author', ${cardFor(viewer, "asked", ground.pastBlocks)},
     'html', case when q.state = 'published' and q.author_id <> all(${blockersOf(viewer, ground.pastBlocks)}) and q.author_id <> all(${blockedOf(viewer)}) and q.author_id <> all(${mutedOf(viewer)}) then left(q.body_html, 1000) end)
   from posts q join people asked on asked.id = q.author_id where q.id = p.reply_to and q.number > ${ground.hiddenUpTo})`;

const reactionsFor = (viewer: Viewer) => sql`
  (select coalesce(json_agg(json_build_object('emoji', r.emoji, 'count', r.count, 'mine', r.mine, 'names', r.names) order by r.first), '[]')
   from (select emoji, count(*)::int as count, bool_or(person_id = ${viewer.id}::uuid) is true as mine, min(reactions.created_at) as first,
           coalesce((array_agg(display_name order by reactions.created_at) filter (where people.id <> all(${partedFrom(viewer)})))[1:10], '{}') as names
         from reactions join people on people.id = reactions.person_id
         where post_id = p.id group by emoji) r)`;
