import { addMilliseconds } from "#platform/clock";
import { type Db, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { notFound, Refusal } from "#platform/refusal";
import type { PersonCard } from "#community/common";
import {
  discussionRules,
  type GroupRole,
  LIMITS,
  postRules,
  createFilterMatcher,
  type PostStub,
  type Viewer,
} from "#community/rules";
import type { Discussion } from "../discussion-columns.ts";
import { type PostContainer, discussionContainer, getPostContainer } from "./post-container.ts";
import { hiddenPostEditableFrom } from "../moderation/post-hiding.ts";
import { type PollView, toPollView } from "../polls/poll-view.ts";
import { type ActivityEntry, listActivityEntries } from "../moderation/activity-entries.ts";
import { type PostRow, postRows } from "./post-rows.ts";
import { loadPostRows, type SharedPostsCache } from "./shared-posts.ts";

export type PostView = {
  id: string;
  number: number;
  author: (PersonCard & { groupRole: GroupRole | null }) | null;
  /** Null if and only if there is a stub. */
  html: string | null;
  stub: PostStub | null;
  /**
   * The post is hidden from everyone but its author and moderators. `reported`: several reports hid it;
   * `mendable`: time from which the author may edit the post, which makes it visible again.
   */
  hidden?: { reported: boolean; returned?: true; mendable?: Date };
  /** Reason of the removal, for its author and moderators. */
  why?: string;
  /** The viewer mutes the author, so the post is collapsed. */
  muted?: true;
  /** Phrase of the viewer's filter that matches. The post is shown collapsed. */
  filtered?: string;
  /** Where a split-off post is now, if the viewer may read it. */
  movedTo?: { discussionId: string; title: string; number: number };
  mine: boolean;
  createdAt: Date;
  editedAt: Date | null;
  /** The last editor, if not the author. */
  editedBy?: PersonCard;
  replyTo: { id: string; number: number; author: PersonCard | null; excerpt: string } | null;
  /** `names` has at most ten names. */
  reactions: { emoji: string; count: number; mine: boolean; names: string[] }[];
  /** Link previews; absent without any. */
  cards?: { address: string; title: string; description: string; site: string }[];
  /** Resources saved from this post that the viewer can see; absent without any. */
  kept?: { id: string; title: string }[];
  /** The viewer has bookmarked the post. */
  bookmarked?: true;
  /** Absent without a poll. */
  poll?: PollView;
  /** The viewer may edit the post as its author until this time; null means without limit. */
  editable?: { until: Date | null };
  /** The viewer may edit the post as a moderator. */
  amendable?: true;
};
/**
 * The posts of the pages `page` to `upTo`; `pages` is the total. `entries` are activity entries, placed
 * among the posts by time.
 */
export type PostsPage = {
  posts: PostView[];
  entries: ActivityEntry[];
  page: number;
  upTo: number;
  pages: number;
};
/** `upTo`: also loads the following pages up to this one. */
export type PageSelector = { page: number; upTo?: number } | { post: number };
const PAGE_SIZE = LIMITS.page.posts;

/**
 * A page of 20 posts, by its number or by a post on it, or up to five pages in a row. For a number out of
 * range, the nearest page is returned. With `cache`, the data that all readers share is cached.
 */
export async function getPostsPage(
  db: Db,
  viewer: Viewer,
  discussion: Discussion,
  where: PageSelector,
  cache?: SharedPostsCache,
): Promise<PostsPage> {
  if (!discussionRules.see(viewer, discussion)) throw notFound();
  const pages = Math.max(1, Math.ceil((discussion.lastNumber - discussion.lastHiddenNumber) / PAGE_SIZE));
  const wanted =
    "page" in where ? where.page : Math.ceil((where.post - discussion.lastHiddenNumber) / PAGE_SIZE);
  const page = Math.min(pages, Math.max(1, Math.trunc(wanted) || 1));
  const last = Math.min(pages, page + LIMITS.postPagesAtOnce - 1);
  const upTo = Math.min(last, Math.max(page, ("page" in where && Math.trunc(where.upTo ?? 0)) || page));
  const from = discussion.lastHiddenNumber + (page - 1) * PAGE_SIZE;
  const to = discussion.lastHiddenNumber + upTo * PAGE_SIZE;
  const container = discussionContainer(viewer, discussion);
  const range = { discussionId: discussion.id, groupId: discussion.group.id, from, to };
  const [rows, entries] = await Promise.all([
    loadPostRows(db, viewer, container, range, cache),
    discussion.hasEntries
      ? listActivityEntries(db, viewer, discussion.id, { first: from + 1, after: to + 1 })
      : [],
  ]);
  return { posts: toPostViews(viewer, rows, container, false), entries, page, upTo, pages };
}

/** Posts `p` that match a condition, in order of their numbers, as the viewer sees them. */
export const listPostsWhere = async (
  db: Db,
  viewer: Viewer,
  container: PostContainer,
  condition: ReturnType<typeof sql>,
  reveal = false,
) => toPostViews(viewer, await many(db, postRows(viewer, container, condition)), container, reveal);

/** Posts of a discussion by id, oldest first: at most 50, and only those whose text the viewer can read. */
export async function listPostsById(
  db: Db,
  viewer: Viewer,
  discussion: Discussion,
  ids: string[],
): Promise<PostView[]> {
  if (!discussionRules.see(viewer, discussion)) throw notFound();
  const here = sql`p.discussion_id = ${discussion.id} and p.number > ${discussion.lastHiddenNumber}`;
  const named = sql`${here} and p.id = any(${ids.filter(isId).slice(0, 50)}::uuid[])`;
  return (await listPostsWhere(db, viewer, discussionContainer(viewer, discussion), named)).filter(
    ({ html }) => html !== null,
  );
}

type PostIds = { discussionId: string | null; resourceId: string | null };

/**
 * A post or comment with its container, for links and live updates, and to reveal the post of a blocked
 * person.
 */
export async function getPost(
  db: Db,
  viewer: Viewer,
  id: string,
  options: { reveal?: boolean } = {},
): Promise<PostView & PostIds> {
  const container = await getPostContainer(db, viewer, id);
  const here = sql`p.id = ${id} and p.number > ${container.lastHiddenNumber}`;
  const [post] = await listPostsWhere(db, viewer, container, here, options.reveal ?? false);
  if (!post) throw notFound();
  return { ...post, discussionId: null, resourceId: null, ...container.at };
}

/**
 * Source text and version, for people who may edit the post.
 * @throws `not-allowed` when they can no longer edit it
 */
export async function getPostSource(
  db: Db,
  viewer: Viewer,
  postId: string,
): Promise<{ body: string; version: number }> {
  const post = await getPost(db, viewer, postId);
  if (!post.editable && !post.amendable && !post.hidden?.mendable)
    throw new Refusal("not-allowed", "You cannot edit this post.");
  const [row] = await many(
    db,
    sql<{ body: string; version: number }>`select body_md as body, version from posts where id = ${post.id}`,
  );
  if (!row) throw notFound();
  return row;
}

function toPostViews(viewer: Viewer, rows: PostRow[], container: PostContainer, reveal: boolean): PostView[] {
  const filters = rows[0]?.filters;
  const sieve = filters && createFilterMatcher(filters);
  // The matching filter phrase, or null. Most people have no filters: then no post is converted to plain
  // text.
  const caughtIn = (html: string | null, by: string | undefined, more?: PostRow) =>
    !sieve || html === null || by === viewer.id
      ? null
      : sieve([createExcerpt(html, LIMITS.post), ...filterableTexts(more)].join(" · "));
  return rows.map((row) => {
    const caught = reveal ? null : caughtIn(row.html, row.authorId, row);
    const begins = row.parent && !caughtIn(row.parent.html, row.parent.author?.id) ? row.parent.html : null;
    return toPostView(viewer, row, container, { reveal, caught, begins });
  });
}

/** Other texts of a post that filters apply to: poll and link previews. */
const filterableTexts = (row?: PostRow) => [
  ...(row?.poll?.options ?? []).map(({ text }) => text),
  ...(row?.cards ?? []).flatMap(({ title, description }) => [title, description]),
];

/** `begins` is the beginning of the post that is replied to, null if the viewer's filters match it. */
type ViewOptions = {
  reveal: boolean;
  caught: ReturnType<ReturnType<typeof createFilterMatcher>>;
  begins: string | null;
};

function toPostView(
  viewer: Viewer,
  row: PostRow,
  { can }: PostContainer,
  { reveal, caught, begins }: ViewOptions,
): PostView {
  const {
    cards,
    kept,
    bookmarked,
    poll,
    parent,
    authorId,
    blocksViewer,
    viewerBlocks,
    state,
    groupRole,
    html,
    why,
    author,
    movedTo,
    editedBy,
    isMuted,
    hiddenAt,
    hiddenTimes,
    returnedAt,
    filters: _,
    ...rest
  } = row;
  const facts = { authorId, state, blocksViewer, viewerBlocks: viewerBlocks && !reveal };
  const mends = postRules.mend(viewer, { ...facts, hiddenAt, hiddenTimes, returnedAt }, can);
  const stub = discussionRules.stub(viewer, facts, can.moderate) ?? (caught?.hidden ? "filtered" : null);
  return {
    ...rest,
    author: author && { ...author, groupRole },
    html: stub ? null : html,
    stub,
    ...(state === "hidden" &&
      !stub && {
        hidden: {
          reported: hiddenAt !== null,
          ...(returnedAt && { returned: true as const }),
          ...(mends && { mendable: returnedAt ?? hiddenPostEditableFrom(hiddenAt!) }),
        },
      }),
    ...(why && stub === "removed" && (authorId === viewer.id || can.moderate) && { why }),
    ...(isMuted && !stub && { muted: true }),
    ...(caught && !stub && { filtered: caught.phrase }),
    ...(movedTo && { movedTo }),
    ...(editedBy && !stub && { editedBy }),
    ...(postRules.amend(viewer, facts, can) && { amendable: true }),
    mine: authorId === viewer.id,
    replyTo: parent && {
      id: parent.id,
      number: parent.number,
      author: parent.author,
      excerpt: createExcerpt(begins ?? "", 140),
    },
    reactions: stub ? [] : rest.reactions,
    ...(cards && !stub && { cards }),
    ...(kept && !stub && { kept }),
    ...(bookmarked && !stub && { bookmarked }),
    ...(poll && !stub && { poll: toPollView(poll) }),
    ...(postRules.edit(viewer, facts, can) && { editable: { until: editableUntil(viewer, row, can) } }),
  };
}

function editableUntil(
  viewer: Viewer,
  { createdAt }: Pick<PostRow, "createdAt">,
  can: PostContainer["can"],
): Date | null {
  const window = discussionRules.editWindow(viewer, can);
  return window === null ? null : addMilliseconds(createdAt, window);
}
