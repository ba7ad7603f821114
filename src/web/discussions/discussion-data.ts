import {
  getOwnBookmark,
  getDraft,
  type Discussion,
  openDiscussion,
  listOwnPendingPosts,
  draftTargets,
  getPost,
  type PostView,
  getPostsPage,
  renderQuote,
  getPostSource,
} from "#community/discussions";
import { discussionRules, groupRules, isSignedIn, LIMITS, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { createExcerpt } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import { readQueryParam } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import { orSignIn } from "./or-sign-in.ts";

/** Everything that a discussion's page shows to this viewer. */
export async function loadDiscussionPage(
  { db, sharedPosts }: Pick<WebContext, "db" | "sharedPosts">,
  viewer: Viewer,
  id: string,
  url: URL,
  now: Date,
) {
  const {
    sidebar: rows,
    draft,
    ownAgainAt,
    ...discussion
  } = await orSignIn(viewer, id, openDiscussion(db, viewer, id), signInRefusal);
  const { posts, entries, page, upTo, pages } = await getPostsPage(
    db,
    viewer,
    discussion,
    choosePage(url, discussion),
    sharedPosts,
  );
  const first = posts.find(({ html }) => html !== null);
  return {
    discussion,
    posts: await revealPost(db, viewer, posts, readQueryParam(url, "show")),
    entries,
    page,
    upTo,
    pages,
    /** The beginning of the first text on this page. */
    opening: first?.html ? createExcerpt(first.html, 300) : null,
    // The open discussion is being read, so it has no unread count in the sidebar.
    sidebar: {
      group: { slug: discussion.group.slug, name: discussion.group.name },
      rows: rows.map((row) => (row.id === discussion.id ? { ...row, unread: 0 } : row)),
    },
    draft,
    // Only posts of new members wait for approval.
    held:
      isSignedIn(viewer) && viewer.trust === "new"
        ? await listOwnPendingPosts(db, viewer, { discussionId: discussion.id })
        : [],
    place: draftTargets.discussion(discussion.id),
    // A warning before replying; it no longer applies once another person has written.
    before: {
      reply: discussionRules.beforeReply({ ...discussion, ownAgainAt }, now),
      upTo: discussion.lastNumber,
    },
    doing: await loadOpenActions(db, viewer, posts, url),
    plain: readUnresolvedMentions(viewer, url),
    can: getPermissions(viewer, discussion),
    // A submission of this page's form is stored once, however often it is sent.
    clientId: uuidv7(),
  };
}

const signInRefusal = () =>
  new Refusal("not-signed-in", "This discussion is for members only, or does not exist. Sign in to check.");

/** Unresolved mentions of a text, and the maximum number of mentions. Null if there are none. */
export type UnresolvedMentions = { names: string[]; most: number } | null;
export const unresolvedMentions = (viewer: Viewer, names: string[]): UnresolvedMentions =>
  names.length > 0 ? { names, most: discussionRules.mostMentions(viewer) } : null;

/** Unresolved mentions of the post just written, from the address, which anybody may have made up. */
export const readUnresolvedMentions = (viewer: Viewer, url: URL): UnresolvedMentions =>
  isSignedIn(viewer)
    ? unresolvedMentions(
        viewer,
        readQueryParam(url, "plain")
          .split(" ")
          .filter((name) => /^[a-z0-9_.-]{1,60}$/.test(name)),
      )
    : null;

/** `asOf`: the moment it was loaded, in milliseconds; data loaded later is newer. */
export type DiscussionData = Awaited<ReturnType<typeof loadDiscussionPage>> & { asOf: number };

/**
 * The page to open: as the address says, else the first unread post, else the read position. Pages shown
 * together are extended to a named post, which may have been written after them, unless it is too far away.
 */
function choosePage(url: URL, { firstUnread, readUpTo, hiddenUpTo }: Discussion) {
  const [page, to, named] = ["page", "to", "post"].map((name) => Number(readQueryParam(url, name)) || 0) as [
    number,
    number,
    number,
  ];
  const of = Math.ceil((named - hiddenUpTo) / LIMITS.page.posts);
  if (page && of < page + LIMITS.postPagesAtOnce) return { page, upTo: to && Math.max(to, of) };
  const post = named || firstUnread || readUpTo;
  return post ? { post } : { page: 1 };
}

/**
 * Posts of people whom the viewer blocks, and filtered ones, stay hidden, except the one that was requested.
 */
export async function revealPost(
  db: Db,
  viewer: Viewer,
  posts: PostView[],
  wanted: string,
): Promise<PostView[]> {
  if (
    !posts.some(
      (post) => post.id === wanted && (post.stub === "blocked-by-viewer" || post.stub === "filtered"),
    )
  )
    return posts;
  const revealed = await getPost(db, viewer, wanted, { reveal: true });
  return posts.map((post) => (post.id === wanted ? revealed : post));
}

/** The action that the address opens on one of these posts: reply, edit, remove … */
export async function loadOpenActions(db: Db, viewer: Viewer, posts: PostView[], url: URL) {
  const named = (name: string) => posts.find((post) => post.id === readQueryParam(url, name));
  const edited = named("edit");
  const answered = named("reply");
  const kept = named("keep");
  return {
    edit:
      edited?.editable || edited?.amendable || edited?.hidden?.mendable
        ? await loadPostToEdit(db, viewer, edited.id)
        : null,
    remove: named("remove")?.id ?? null,
    restore: named("restore")?.id ?? null,
    keep:
      isSignedIn(viewer) && kept
        ? { postId: kept.id, before: await getOwnBookmark(db, viewer, kept.id) }
        : null,
    react: named("react")?.id ?? null,
    more: named("more")?.id ?? null,
    quote: answered?.html && readQueryParam(url, "quote") ? await renderQuote(db, viewer, answered.id) : null,
    replyTo: answered
      ? { id: answered.id, number: answered.number, name: answered.author?.name ?? null }
      : null,
  };
}

/** The source of a post to edit, and the viewer's draft of that edit. */
const loadPostToEdit = async (db: Db, viewer: Viewer, postId: string) => ({
  postId,
  ...(await getPostSource(db, viewer, postId)),
  draft: await getDraft(db, viewer, draftTargets.post(postId)),
});

/** An author marks an answer directly; moderators can give a reason. */
const getPermissions = (viewer: Viewer, discussion: Discussion) => ({
  reply: discussionRules.reply(viewer, discussion),
  react: discussionRules.react(viewer, discussion),
  moderate: discussionRules.lead(viewer, discussion),
  restore: discussionRules.moderate(viewer, discussion) && discussion.state === "deleted",
  rename: discussionRules.rename(viewer, discussion),
  resolve:
    discussionRules.resolve(viewer, discussion) && (discussion.authorId === viewer.id ? "own" : "lead"),
  arrange: groupRules.edit(viewer, discussion.group),
  join: groupRules.join(viewer, discussion.group),
  /** A limited account cannot write anywhere, so joining changes nothing. */
  limited: viewer.limited,
});
