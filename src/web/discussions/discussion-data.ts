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
import { askGuestToSignIn } from "./ask-guest-to-sign-in.ts";

/** All data of a discussion's page for this viewer. */
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
  } = await askGuestToSignIn(viewer, id, openDiscussion(db, viewer, id), signInRefusal);
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
    // The viewer is reading this discussion, so the sidebar shows no unread count for it.
    sidebar: {
      group: { slug: discussion.group.slug, name: discussion.group.name },
      rows: rows.map((row) => (row.id === discussion.id ? { ...row, unread: 0 } : row)),
    },
    draft,
    // The query is skipped for other readers: they have no posts that wait for approval, or see none on this page.
    pendingPosts:
      isSignedIn(viewer) &&
      (viewer.trust === "new" || posts.some((post) => post.hidden?.returned && post.mine))
        ? await listOwnPendingPosts(db, viewer, { discussionId: discussion.id })
        : [],
    place: draftTargets.discussion(discussion.id),
    // A warning shown before the viewer replies, and the last post that the warning considers. A newer post
    // of another person makes it obsolete.
    before: {
      reply: discussionRules.beforeReply({ ...discussion, ownAgainAt }, now),
      upTo: discussion.lastNumber,
    },
    openActions: await loadOpenActions(db, viewer, posts, url),
    plain: readUnresolvedMentions(viewer, url),
    can: getPermissions(viewer, discussion),
    // A resubmission has the same id, so the reply is stored once.
    clientId: uuidv7(),
  };
}

const signInRefusal = () =>
  new Refusal("not-signed-in", "This discussion is for members only, or does not exist. Sign in to check.");

/** Unresolved mentions of a text, and the maximum number of mentions. Null without unresolved mentions. */
export type UnresolvedMentions = { names: string[]; most: number } | null;
export const unresolvedMentions = (viewer: Viewer, names: string[]): UnresolvedMentions =>
  names.length > 0 ? { names, most: discussionRules.mostMentions(viewer) } : null;

/**
 * Reads the unresolved mentions of the post just written from the address. Anybody can write such an
 * address, so the names are limited.
 */
export const readUnresolvedMentions = (viewer: Viewer, url: URL): UnresolvedMentions =>
  isSignedIn(viewer)
    ? unresolvedMentions(
        viewer,
        readQueryParam(url, "plain")
          .split(" ")
          .filter((name) => /^[a-z0-9_.-]{1,60}$/.test(name)),
      )
    : null;

/** `asOf`: time at which the data was loaded, in milliseconds. Data with a later time is newer. */
export type DiscussionData = Awaited<ReturnType<typeof loadDiscussionPage>> & { asOf: number };

/**
 * Chooses the page to open: the page in the address, else the page of the first unread post, else the page
 * of the read position. A range of pages is extended to the post in the address, which may have been written
 * later, unless that post is too far away.
 */
function choosePage(url: URL, { firstUnread, readUpTo, lastHiddenNumber }: Discussion) {
  const numberParam = (name: string) => Number(readQueryParam(url, name)) || 0;
  const [page, to, named] = [numberParam("page"), numberParam("to"), numberParam("post")];
  const of = Math.ceil((named - lastHiddenNumber) / LIMITS.page.posts);
  if (page && of < page + LIMITS.postPagesAtOnce) return { page, upTo: to && Math.max(to, of) };
  const post = named || firstUnread || readUpTo;
  return post ? { post } : { page: 1 };
}

/**
 * Adds the text of the requested post if it is hidden because the viewer blocks its author or filters its
 * text. Other hidden posts stay hidden.
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

/** Loads the action that the address opens on one of these posts: reply, edit, remove … */
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
      ? {
          id: answered.id,
          number: answered.number,
          name: answered.author?.name ?? null,
          excerpt: createExcerpt(answered.html ?? "", 140),
        }
      : null,
  };
}

/** Loads the source of a post to edit, and the viewer's draft of that edit. */
const loadPostToEdit = async (db: Db, viewer: Viewer, postId: string) => ({
  postId,
  ...(await getPostSource(db, viewer, postId)),
  draft: await getDraft(db, viewer, draftTargets.post(postId)),
});

/**
 * The viewer's permissions in the discussion. Only moderators can give a reason for marking an answer; the
 * author needs none.
 */
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
  /** A limited account may not write anywhere, so joining the group would not help. */
  limited: viewer.limited,
});
