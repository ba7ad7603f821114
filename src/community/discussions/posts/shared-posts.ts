import { type Db, many, one, sql } from "#platform/database";
import { MINUTE } from "#platform/clock";
import { TaggedCache } from "#platform/tagged-cache";
import { blockedEitherWayIds, wordFilterRows, mutedIds } from "#community/friends";
import { GUEST, type FilterFacts, type Viewer } from "#community/rules";
import type { PostContainer } from "./post-container.ts";
import { type PostRow, postRows } from "./post-rows.ts";

/** Posts of a discussion with these numbers: above `from`, up to `to`. */
export type PostRange = { discussionId: string; groupId: string; from: number; to: number };

/** The rows of a range for a reader without a block, mute or other relationship to the people in them. */
type SharedPosts = {
  /** Version of the posts and reactions before the rows were read. */
  version: string;
  rows: readonly PostRow[];
  /** Ids of authors, editors, and authors of posts that were replied to. */
  people: ReadonlySet<string>;
};
export type SharedPostsCache = TaggedCache<SharedPosts>;

const MAX_BYTES = 48_000_000;

/**
 * Cache of posts that readers share, by range. Each read compares the version in the database, so that
 * texts, reactions and removals are never outdated; cache tags invalidate values without a version: names,
 * photos, roles in the group, link previews.
 */
export const createSharedPostsCache = (): SharedPostsCache =>
  new TaggedCache({
    maxBytes: MAX_BYTES,
    maxAge: 5 * MINUTE,
    sizeOf: ({ rows }) => 2 * JSON.stringify(rows).length,
  });

/**
 * Rows of `postRows` for these posts. If nothing in them depends on the viewer, they are read from the
 * cache, and the viewer's own reactions, bookmarks and filters are added. The caller checks that the viewer
 * may read them.
 */
export async function loadPostRows(
  db: Db,
  viewer: Viewer,
  container: PostContainer,
  range: PostRange,
  cache: SharedPostsCache | undefined,
): Promise<PostRow[]> {
  if (!cache) return many(db, postRows(viewer, container, inRange(range)));
  const begun = cache.begin();
  const own = await one(db, viewerPart(viewer, range));
  if (!own.hasSaved) {
    const shared = await loadSharedPosts(db, { container, range, version: own.version, begun }, cache);
    if (isSameForViewer(shared, own)) return shared.rows.map((row, i) => toViewerRow(row, own, container, i));
  }
  return many(db, postRows(viewer, container, inRange(range)));
}

type SharedPostsRead = { container: PostContainer; range: PostRange; version: string; begun: number };

async function loadSharedPosts(
  db: Db,
  { container, range, version, begun }: SharedPostsRead,
  cache: SharedPostsCache,
): Promise<SharedPosts> {
  const { discussionId, groupId, from, to } = range;
  const key = `${discussionId} ${from} ${to}`;
  const known = cache.get(key, Date.now());
  if (known?.version === version) return known;
  const everyone = { ...container, lastHiddenNumber: 0, pastBlocks: false };
  const rows = await many(db, postRows(GUEST, everyone, inRange(range)));
  const people = rows.flatMap(({ authorId, editedBy, parent }) => [
    authorId,
    editedBy?.id,
    parent?.author?.id,
  ]);
  const made = { version, rows, people: new Set(people.filter((id) => id !== undefined)) };
  cache.keep(key, made, [`discussion:${discussionId}`, `group:${groupId}`], begun, Date.now());
  return made;
}

const inRange = ({ discussionId, from, to }: PostRange) =>
  sql`p.discussion_id = ${discussionId} and p.number > ${from} and p.number <= ${to}`;

/**
 * The part of a page that is loaded for each viewer, and the version that shows whether the shared part is
 * still valid.
 */
type ViewerPart = {
  version: string;
  /** Resources were saved from these posts; the viewer may not see all of them. */
  hasSaved: boolean;
  /** People whom the viewer blocks or mutes, or who block the viewer. */
  related: string[];
  bookmarked: string[];
  reactions: { postId: string; emoji: string }[] | null;
  filters: FilterFacts[] | null;
};

const POST_IDS = sql`array(select id from page)`;

/** Selects the viewer's part. `xmin` changes with every update of a row. */
const viewerPart = (viewer: Viewer, range: PostRange) => sql<ViewerPart>`
  with page as materialized (select p.id, p.reply_to, p.xmin from posts p where ${inRange(range)})
  select concat_ws(' ', (select string_agg(xmin::text, ',' order by id) from page),
      (select string_agg(q.xmin::text, ',' order by q.id) from posts q
        where q.id = any(array(select reply_to from page))),
      (select concat(count(*), ',', max(created_at)) from reactions where post_id = any(${POST_IDS}))
    ) as version,
    exists (select from resource_uses where post_id = any(${POST_IDS}) and is_origin) as "hasSaved",
    ${blockedEitherWayIds(viewer)} || ${mutedIds(viewer)} as related,
    array(select post_id from bookmarks
      where person_id = ${viewer.id}::uuid and post_id = any(${POST_IDS})) as bookmarked,
    (select json_agg(json_build_object('postId', post_id, 'emoji', emoji)) from reactions
      where person_id = ${viewer.id}::uuid and post_id = any(${POST_IDS})) as reactions,
    ${wordFilterRows(viewer, "discussion")} as filters`;

/**
 * Whether the shared rows are right for the viewer. Polls depend on the viewer's votes, moved posts on the
 * viewer's groups, and names of reactions on blocks.
 */
const isSameForViewer = ({ rows, people }: SharedPosts, { related }: ViewerPart): boolean =>
  !rows.some(({ poll, state }) => poll !== null || state === "moved") &&
  (related.length === 0 ||
    (!related.some((id) => people.has(id)) && rows.every(({ reactions }) => reactions.length === 0)));

function toViewerRow(
  row: PostRow,
  own: ViewerPart,
  { lastHiddenNumber }: PostContainer,
  index: number,
): PostRow {
  const mine = (emoji: string) =>
    own.reactions?.some((it) => it.postId === row.id && it.emoji === emoji) ?? false;
  return {
    ...row,
    reactions: row.reactions.map((it) => ({ ...it, mine: mine(it.emoji) })),
    bookmarked: own.bookmarked.includes(row.id),
    parent: row.parent && row.parent.number > lastHiddenNumber ? row.parent : null,
    filters: index === 0 ? own.filters : null,
  };
}
