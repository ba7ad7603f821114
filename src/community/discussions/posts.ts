import { later } from "#platform/clock";
import { type Db, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { excerptOf } from "#platform/markup";
import { notFound, Refusal } from "#platform/refusal";
import type { PersonCard } from "#community/common";
import { discussionRules, type GroupRole, LIMITS, postRules, sieveOf, type Stub, type Viewer } from "#community/rules";
import type { Discussion } from "./discussion.ts";
import { type Ground, groundOf, groundOfPost } from "./ground.ts";
import { mendableFrom } from "./hiding.ts";
import { type PollView, pollViewOf } from "./poll-view.ts";
import { type DiscussionLine, linesAmong } from "./lines.ts";
import { type PostRow, postRows } from "./post-rows.ts";

export type PostView = {
  id: string;
  number: number;
  author: (PersonCard & { groupRole: GroupRole | null }) | null;
  /** Null exactly where there is a stub. */
  html: string | null;
  stub: Stub | null;
  /** It is hidden from everybody else, for its author and those who look after the place. `reported`: since several have reported it; `mendable`: from when on its author may change it, by which it is shown again. */
  hidden?: { reported: boolean; mendable?: Date };
  /** Why it was removed, for its author and those who look after the place. */
  why?: string;
  /** Its author is muted by the viewer: it stands folded. */
  muted?: true;
  /** A phrase in it that the viewer does not want to read: it stands folded. */
  filtered?: string;
  /** Where a post is that was split off, for who may read there. */
  movedTo?: { discussionId: string; title: string; number: number };
  mine: boolean;
  createdAt: Date;
  editedAt: Date | null;
  /** Who changed it last, where that was not its author. */
  editedBy?: PersonCard;
  replyTo: { id: string; number: number; author: PersonCard | null; excerpt: string } | null;
  /** With the names of ten at most. */
  reactions: { emoji: string; count: number; mine: boolean; names: string[] }[];
  /** Pages that it links to, in their own words; absent where there are none. */
  cards?: { address: string; title: string; description: string; site: string }[];
  /** What was made of it in the library, as far as the viewer sees that; absent where there is nothing. */
  kept?: { id: string; title: string }[];
  /** The viewer keeps it for themselves, among their bookmarks. */
  bookmarked?: true;
  /** What it asks its readers; absent where it asks nothing. */
  poll?: PollView;
  /** The viewer may change it as its author, and until when; for good where that is null. */
  editable?: { until: Date | null };
  /** The viewer may change it as somebody who looks after the group. */
  amendable?: true;
};
/** The pages from `page` to `upTo`, of `pages` in all; `lines` stand among the posts by their time. */
export type PostsPage = { posts: PostView[]; lines: DiscussionLine[]; page: number; upTo: number; pages: number };
/** `upTo`: the page up to which it is read on, in the same go. */
export type WhichPage = { page: number; upTo?: number } | { post: number };
const SIZE = LIMITS.page.posts;

/** One page of 20, by its number or by a post on it, or five in a row at the most; numbers out of range lead to the nearest page. */
export async function postsOf(db: Db, viewer: Viewer, discussion: Discussion, where: WhichPage): Promise<PostsPage> {
  if (!discussionRules.see(viewer, discussion)) throw notFound();
  const pages = Math.max(1, Math.ceil((discussion.lastNumber - discussion.hiddenUpTo) / SIZE));
  const wanted = "page" in where ? where.page : Math.ceil((where.post - discussion.hiddenUpTo) / SIZE);
  const page = Math.min(pages, Math.max(1, Math.trunc(wanted) || 1));
  const last = Math.min(pages, page + LIMITS.postPagesAtOnce - 1);
  const upTo = Math.min(last, Math.max(page, ("page" in where && Math.trunc(where.upTo ?? 0)) || page));
  const from = discussion.hiddenUpTo + (page - 1) * SIZE;
  const to = discussion.hiddenUpTo + upTo * SIZE;
  const here = sql`p.discussion_id = ${discussion.id} and p.number > ${from} and p.number <= ${to}`;
  const [posts, lines] = await Promise.all([
    postsWhere(db, viewer, groundOf(viewer, discussion), here),
    discussion.hasLines ? linesAmong(db, viewer, discussion.id, { first: from + 1, after: to + 1 }) : [],
  ]);
  return { posts, lines, page, upTo, pages };
}

/** The posts `p` for which a condition holds, in their order, as the viewer reads them. */
export const postsWhere = async (db: Db, viewer: Viewer, ground: Ground, condition: ReturnType<typeof sql>, reveal = false) =>
  viewsOf(viewer, await many(db, postRows(viewer, ground, condition)), ground, reveal);

export type PostChoice = Pick<PostView, "id" | "number" | "author" | "stub"> & { excerpt: string };

/** Some posts of a discussion by their numbers, begun: to choose among them. What has moved away is not among them. */
export async function postsNumbered(db: Db, viewer: Viewer, discussion: Discussion, numbers: number[]): Promise<PostChoice[]> {
  if (!discussionRules.see(viewer, discussion)) throw notFound();
  const posts = await postsWhere(
    db,
    viewer,
    groundOf(viewer, discussion),
    sql`p.discussion_id = ${discussion.id} and p.number = any(${numbers}::int[]) and p.number > ${discussion.hiddenUpTo} and p.state <> 'moved'`,
  );
  return posts.map(({ id, number, author, stub, html }) => ({
    id,
    number,
    author,
    stub,
    excerpt: excerptOf(html ?? "", 140),
  }));
}

/** Some posts of a discussion by their ids, the oldest first: 50 at most, and only those of which the viewer reads the text. */
export async function postsNamed(db: Db, viewer: Viewer, discussion: Discussion, ids: string[]): Promise<PostView[]> {
  if (!discussionRules.see(viewer, discussion)) throw notFound();
  const here = sql`p.discussion_id = ${discussion.id} and p.number > ${discussion.hiddenUpTo}`;
  const named = sql`${here} and p.id = any(${ids.filter(isId).slice(0, 50)}::uuid[])`;
  return (await postsWhere(db, viewer, groundOf(viewer, discussion), named)).filter(({ html }) => html !== null);
}

type Placed = { discussionId: string | null; resourceId: string | null };

/** One post, or comment, with its place: for links, live updates, and to reveal the post of somebody the viewer blocks. */
export async function postFor(db: Db, viewer: Viewer, id: string, options: { reveal?: boolean } = {}): Promise<PostView & Placed> {
  const ground = await groundOfPost(db, viewer, id);
  const here = sql`p.id = ${id} and p.number > ${ground.hiddenUpTo}`;
  const [post] = await postsWhere(db, viewer, ground, here, options.reveal ?? false);
  if (!post) throw notFound();
  return { ...post, discussionId: null, resourceId: null, ...ground.at };
}

/** The text as written and its version, for whoever may change it. `not-allowed` when it can no longer be changed by them. */
export async function sourceOf(db: Db, viewer: Viewer, postId: string): Promise<{ body: string; version: number }> {
  const post = await postFor(db, viewer, postId);
  if (!post.editable && !post.amendable && !post.hidden?.mendable) throw new Refusal("not-allowed", "This post cannot be changed by you.");
  const [row] = await many(db, sql<{ body: string; version: number }>`select body_md as body, version from posts where id = ${post.id}`);
  if (!row) throw notFound();
  return row;
}

function viewsOf(viewer: Viewer, rows: PostRow[], ground: Ground, reveal: boolean): PostView[] {
  const filters = rows[0]?.filters;
  const sieve = filters && sieveOf(filters);
  // Most people filter nothing: for them no post is turned into words.
  const caughtIn = (html: string | null, by: string | undefined, more?: PostRow) =>
    !sieve || html === null || by === viewer.id ? null : sieve([excerptOf(html, LIMITS.post), ...besideText(more)].join(" · "));
  return rows.map((row) => {
    const caught = reveal ? null : caughtIn(row.html, row.authorId, row);
    const begins = row.parent && !caughtIn(row.parent.html, row.parent.author?.id) ? row.parent.html : null;
    return viewOf(viewer, row, ground, { reveal, caught, begins });
  });
}

/** What else stands in a post in words: what it asks, and what pages that it links to say of themselves. */
const besideText = (row?: PostRow) => [
  ...(row?.poll?.options ?? []).map(({ text }) => text),
  ...(row?.cards ?? []).flatMap(({ title, description }) => [title, description]),
];

/** `begins`: how that begins what the post answers, where the viewer wants to read it. */
type How = { reveal: boolean; caught: ReturnType<ReturnType<typeof sieveOf>>; begins: string | null };

function viewOf(viewer: Viewer, row: PostRow, { may }: Ground, { reveal, caught, begins }: How): PostView {
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
    filters: _,
    ...rest
  } = row;
  const facts = { authorId, state, blocksViewer, viewerBlocks: viewerBlocks && !reveal };
  const mends = postRules.mend(viewer, { ...facts, hiddenAt, hiddenTimes }, may);
  const stub = discussionRules.stub(viewer, facts, may.moderate) ?? (caught?.hidden ? "filtered" : null);
  return {
    ...rest,
    author: author && { ...author, groupRole },
    html: stub ? null : html,
    stub,
    ...(state === "hidden" && !stub && { hidden: { reported: hiddenAt !== null, ...(mends && { mendable: mendableFrom(hiddenAt!) }) } }),
    ...(why && stub === "removed" && (authorId === viewer.id || may.moderate) && { why }),
    ...(isMuted && !stub && { muted: true }),
    ...(caught && !stub && { filtered: caught.phrase }),
    ...(movedTo && { movedTo }),
    ...(editedBy && !stub && { editedBy }),
    ...(postRules.amend(viewer, facts, may) && { amendable: true }),
    mine: authorId === viewer.id,
    replyTo: parent && { id: parent.id, number: parent.number, author: parent.author, excerpt: excerptOf(begins ?? "", 140) },
    reactions: stub ? [] : rest.reactions,
    ...(cards && !stub && { cards }),
    ...(kept && !stub && { kept }),
    ...(bookmarked && !stub && { bookmarked }),
    ...(poll && !stub && { poll: pollViewOf(poll) }),
    ...(postRules.edit(viewer, facts, may) && { editable: { until: endOfEditing(viewer, row, may) } }),
  };
}

function endOfEditing(viewer: Viewer, { createdAt }: Pick<PostRow, "createdAt">, may: Ground["may"]): Date | null {
  const window = discussionRules.editWindow(viewer, may);
  return window === null ? null : later(createdAt, window);
}
