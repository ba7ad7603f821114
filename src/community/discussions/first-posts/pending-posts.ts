import { type Db, limit, many, maybeOne, one, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { requireSignedIn } from "#community/friends";
import {
  isContentReadable,
  isDiscussionReadable,
  isGroupModerator,
  canModerateGroup,
  isGroupReadable,
  viewerMembership,
} from "#community/groups";
import type { ProfileTexts } from "#community/accounts";
import type { ApprovalReason } from "#community/prevention";
import { type GroupFacts, groupRules, isStaff, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import {
  type PendingCalendarEvent,
  type PendingPostContainer,
  type PendingResource,
  isPendingPostInContainer,
} from "./pending-post-storage.ts";
import { canSeeContainer, isChangeOfContent, joinPendingPostContainer } from "./pending-post-rows.ts";

/** Where the post will appear if approved. */
export type PendingPostTarget = {
  kind: "group" | "discussion" | "resource" | "library" | "profile";
  /** Empty for the site-wide library and a profile, as is `title`. */
  id: string;
  slug: string | null;
  title: string;
};

/** The resource that would be added, and its uploaded file, if any. */
export type PendingResourceFacts = Pick<PendingResource["resource"], "kind" | "why" | "url"> & {
  file: { id: string; fileName: string; size: number } | null;
};

/** A newcomer's post, as shown to the people who may approve it. */
export type PendingPost = {
  id: string;
  author: PersonCard;
  /** Registration date of the author. */
  authorSince: Date;
  /** Number of posts that the author has published. */
  authorPosts: number;
  /** Title of the discussion that the post would start. */
  title: string | null;
  tags: string[];
  pollOptions: string[];
  /** The event that the discussion would describe. */
  event: Pick<PendingCalendarEvent, "startsAt" | "endsAt" | "allDay" | "timeZone" | "place"> | null;
  resource: PendingResourceFacts | null;
  /** Texts of the author's profile. Its `bio` is also `html`. */
  profile: ProfileTexts | null;
  html: string;
  place: PendingPostTarget;
  /** Number of the post that this one replies to; null if that post is not published now. */
  answersTo: number | null;
  group: { id: string; slug: string; name: string } | null;
  createdAt: Date;
  /** The changes of a hidden post or resource wait; otherwise the text was never published. */
  isChange: boolean;
  /** Number of the hidden post whose changes wait. */
  changesTo: number | null;
  /** Why the post waits, unless as the first post of its author. */
  approvalReason: ApprovalReason | null;
};

/**
 * The author's own post that is pending, or was returned with a reason. `place` is null if the author can no
 * longer read that place.
 */
export type OwnPendingPost = Pick<
  PendingPost,
  "id" | "title" | "html" | "resource" | "profile" | "createdAt" | "approvalReason" | "isChange" | "changesTo"
> & {
  /** The hidden post that its author can edit. */
  postId: string | null;
  place: PendingPostTarget | null;
  isReturned: boolean;
  answer: string;
};

const PAGE_SIZE = LIMITS.page.discussions;

/** The previous version of Kith stores watched words in a column of their own. */
const approvalReasonColumn = sql<ApprovalReason | null>`coalesce(h.approval_reason,
  jsonb_build_object('kind', 'word') || h.watched_word)`;

const changedNumber = sql<number | null>`(select x.number from posts x where x.id = h.post_id)`;
const storedTexts = (name: string) =>
  sql<string[]>`array(select jsonb_array_elements_text(coalesce(h.said->${name}, '[]')))`;
const resourceColumn = sql<PendingResourceFacts | null>`case when h.said->'resource' is not null then
  json_build_object('kind', h.said#>>'{resource,kind}', 'why', h.said#>>'{resource,why}',
    'url', h.said#>>'{resource,url}', 'file', (
      select json_build_object('id', u.id, 'fileName', u.file_name, 'size', u.size) from uploads u
      where u.id = (h.said#>>'{resource,uploadId}')::uuid and u.state = 'ok')) end`;
const targetColumn = sql<PendingPostTarget>`json_build_object('kind', case
  when h.said->'resource' is not null and h.resource_id is null then 'library' when h.said->'profile' is not null then 'profile'
  when h.group_id is not null then 'group' when h.discussion_id is not null then 'discussion' else 'resource'
  end,
  'id', coalesce(h.group_id::text, h.discussion_id::text, h.resource_id::text, ''), 'slug', g.slug, 'title',
  coalesce(d.title, s.title, g.name, ''))`;
const repliedNumber = sql<number | null>`(
  select q.number from posts q where q.id = (h.said->>'replyTo')::uuid and q.state in ('published', 'hidden')
    and (q.discussion_id = h.discussion_id or q.resource_id = h.resource_id))`;
/**
 * SQL equivalent of `firstPostRules.judge`, for a pending post that is joined by `joinPendingPostContainer`.
 */
export const canApprovePost = (
  me: SignedIn,
  pending: string,
  discussion: string,
  resource: string,
  group: string,
  membership: string,
) => {
  const [h, g] = [sql.ref(pending), sql.ref(group)];
  return sql<boolean>`
  (${h}.returned_at is null and ${h}.author_id <> ${me.id} and ${!me.limited}::boolean
    and ${canSeeContainer(pending, discussion, resource, group, membership)}
    and case when ${g}.id is null then ${isStaff(me)}::boolean
      else ${canModerateGroup(me, group, membership)} end)`;
};

/** `group` limits the list to posts for this group. */
type PendingQuery = { after?: string | undefined; group?: (GroupFacts & { id: string }) | undefined };

/**
 * Pending posts that the viewer may approve, oldest first, 20 per page.
 * @throws `not-found` if they moderate nothing, `not-allowed` for a group they do not moderate
 */
export async function listPendingPosts(
  db: Db,
  viewer: Viewer,
  query: PendingQuery = {},
): Promise<Page<PendingPost>> {
  const me = requireSignedIn(viewer);
  await assertCanApprove(db, me, query.group);
  const cursor = readCursor(query.after, ["time", "id"]);
  const rows = await many(
    db,
    sql<PendingPost>`
      select h.id, ${personCard("a")} as author, a.created_at as "authorSince", h.said->>'title' as title,
        ${storedTexts("tags")} as tags, ${storedTexts("pollOptions")} as "pollOptions", h.said->'event' as event,
        ${resourceColumn} as resource, h.said->'profile' as profile, h.body_html as html, ${targetColumn} as place, ${repliedNumber} as "answersTo", case
          when g.id is not null then json_build_object('id', g.id, 'slug', g.slug, 'name', g.name)
          end as "group",
        h.created_at as "createdAt", ${approvalReasonColumn} as "approvalReason",
        ${isChangeOfContent("h")} as "isChange", ${changedNumber} as "changesTo", (select count(*)::int
          from (select from posts p where p.author_id = a.id and p.state = 'published'
            limit 100) few) as "authorPosts"
      from pending_posts h join people a
        on a.id = h.author_id ${joinPendingPostContainer("h", "d", "s", "g")}
      ${viewerMembership(me, "g", "m")}
      where ${canApprovePost(me, "h", "d", "s", "g", "m")}
        ${query.group ? sql`and g.id = ${query.group.id}` : sql``}
        ${andIfGiven(cursor, ([at, id]) => sql`(h.created_at, h.id) > (${at}, ${id}::uuid)`)}
      order by h.created_at, h.id ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.createdAt, last.id));
}

async function assertCanApprove(db: Db, me: SignedIn, group: PendingQuery["group"]): Promise<void> {
  if (group) {
    if (!groupRules.moderate(me, group))
      throw new Refusal("not-allowed", "Only moderators of the group can see pending posts.");
    return;
  }
  if (isStaff(me)) return;
  const { leads } = await one(
    db,
    sql<{ leads: boolean }>`select exists (
      select from memberships m join groups g on g.id = m.group_id
        where m.person_id = ${me.id} and g.state <> 'deleted' and ${isGroupModerator("m")}) as leads`,
  );
  if (!leads) throw notFound();
}

/**
 * Number of pending posts that the viewer may approve, in a group or everywhere, at most 100; 0 for people who do
 * not moderate it.
 */
export async function countPendingPosts(
  db: Db,
  viewer: Viewer,
  group?: GroupFacts & { id: string },
): Promise<number> {
  if (group && !groupRules.moderate(viewer, group)) return 0;
  const me = requireSignedIn(viewer);
  const { waiting } = await one(
    db,
    sql<{ waiting: number }>`
      select count(*)::int as waiting from (
        select from pending_posts h ${joinPendingPostContainer("h", "d", "s", "g")}
          ${viewerMembership(me, "g", "m")}
          where ${canApprovePost(me, "h", "d", "s", "g", "m")}
            ${group ? sql`and g.id = ${group.id}` : sql``} ${limit(100)}) few`,
  );
  return waiting;
}

/**
 * SQL for notifications: whether the group or the resource `place` has a pending post by someone other than
 * `who` (an id).
 */
export const hasPendingPost = (
  place: ReturnType<typeof sql>,
  who: ReturnType<typeof sql>,
) => sql<boolean>`exists (
  select from pending_posts h ${joinPendingPostContainer("h", "d", "s", "g")}
  where h.returned_at is null and h.author_id <> ${who} and coalesce(g.id, h.resource_id) = ${place})`;

/**
 * SQL for notifications: whether a site-wide resource or a profile is pending whose author is not `who` (an id).
 */
export const hasPendingForStaff = (who: ReturnType<typeof sql>) => sql<boolean>`exists (
  select from pending_posts h
  where num_nonnulls(h.group_id, h.discussion_id, h.resource_id) = 0
    and h.returned_at is null and h.author_id <> ${who})`;

/** Fields of the viewer's own resource that was returned, for the form; null if there is none with this id. */
export const getReturnedResource = async (
  db: Db,
  viewer: Viewer,
  pendingPostId: string,
): Promise<Record<"title" | "why" | "url" | "tags" | "licence" | "language", string> | null> =>
  isId(pendingPostId)
    ? ((await maybeOne(
        db,
        sql<Record<"title" | "why" | "url" | "tags" | "licence" | "language", string>>`
          select said->>'title' as title, said#>>'{resource,why}' as why, said#>>'{resource,licence}' as licence,
            coalesce(said#>>'{resource,url}', '') as url, said#>>'{resource,language}' as language,
            array_to_string(array(select jsonb_array_elements_text(said->'tags')), ', ') as tags
          from pending_posts where id = ${pendingPostId} and author_id = ${viewer.id}::uuid
            and returned_at is not null and resource_id is null and said->'resource' is not null`,
      )) ?? null)
    : null;

/** The viewer's pending or returned posts, for one container or all, newest first. Empty for guests. */
export const listOwnPendingPosts = (
  db: Db,
  viewer: Viewer,
  at?: PendingPostContainer,
): Promise<OwnPendingPost[]> =>
  many(
    db,
    sql<OwnPendingPost>`
      select h.id, h.said->>'title' as title, ${resourceColumn} as resource, h.said->'profile' as profile, h.body_html as html, h.created_at as "createdAt",
        h.post_id as "postId", ${isChangeOfContent("h")} as "isChange", ${changedNumber} as "changesTo",
        ${approvalReasonColumn} as "approvalReason", h.returned_at is not null as "isReturned", h.answer,
        case when case when d.id is not null then d.state <> 'deleted'
          and ${isDiscussionReadable("d", "g", "m")}
            when g.id is null and s.id is null then true
            when s.id is not null then (s.state = 'published' or ${isChangeOfContent("h")})
            and (s.group_id is null or ${isContentReadable("s", "created_at", "g", "m")})
            else ${isGroupReadable("g", "m")} end then ${targetColumn} end as place
      from pending_posts h ${joinPendingPostContainer("h", "d", "s", "g")}
        ${viewerMembership(viewer, "g", "m")}
      where h.author_id = ${viewer.id}::uuid ${at ? sql`and ${isPendingPostInContainer("h", at)}` : sql``}
      order by h.created_at desc, h.id desc ${limit(100)}`,
  );

type PendingFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/**
 * A picture in a pending post or the file of a pending resource, for its author and the people who may approve it.
 * @throws `not-found` otherwise
 */
export async function getPendingPostFile(db: Db, viewer: Viewer, uploadId: string): Promise<PendingFile> {
  const me = viewer.id === null ? null : requireSignedIn(viewer);
  const file =
    me && isId(uploadId)
      ? await maybeOne(
          db,
          sql<PendingFile>`
            select u.hash, u.mime,
              case when h.said->'resource' is not null then u.file_name else '' end as "fileName", u.size::float8 as size, false as open
            from uploads u join pending_posts h
              on h.id = u.attached_id ${joinPendingPostContainer("h", "d", "s", "g")}
              ${viewerMembership(me, "g", "m")}
            where u.id = ${uploadId} and u.attached_kind = 'held' and u.state = 'ok'
              and (h.author_id = ${me.id} or ${canApprovePost(me, "h", "d", "s", "g", "m")})`,
        )
      : undefined;
  if (!file) throw notFound();
  return file;
}
