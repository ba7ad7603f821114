import {
  bookmarkOf,
  draftFor,
  type Discussion,
  openDiscussion,
  ownHeld,
  place,
  postFor,
  type PostView,
  postsOf,
  quoteOf,
  sourceOf,
} from "#community/discussions";
import { discussionRules, groupRules, isSignedIn, LIMITS, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { excerptOf } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import { asked } from "../forms.ts";
import { orSignIn } from "./or-sign-in.ts";

/** Everything that a discussion's page shows to this viewer. */
export async function discussionPage(db: Db, viewer: Viewer, id: string, url: URL, now: Date) {
  const { sidebar: rows, draft, ownAgainAt, ...discussion } = await orSignIn(viewer, id, openDiscussion(db, viewer, id), forMembers);
  const { posts, lines, page, upTo, pages } = await postsOf(db, viewer, discussion, openingAt(url, discussion));
  const first = posts.find(({ html }) => html !== null);
  return {
    discussion,
    posts: await withRevealed(db, viewer, posts, asked(url, "show")),
    lines,
    page,
    upTo,
    pages,
    /** The beginning of the first text on this page. */
    opening: first?.html ? excerptOf(first.html, 300) : null,
    // The open discussion is being read, so it has no unread count in the sidebar.
    sidebar: {
      group: { slug: discussion.group.slug, name: discussion.group.name },
      rows: rows.map((row) => (row.id === discussion.id ? { ...row, unread: 0 } : row)),
    },
    draft,
    // Only posts of new members wait for approval.
    held: isSignedIn(viewer) && viewer.trust === "new" ? await ownHeld(db, viewer, { discussionId: discussion.id }) : [],
    place: place.discussion(discussion.id),
    // A warning before replying; it no longer applies once another person has written.
    before: { reply: discussionRules.beforeReply({ ...discussion, ownAgainAt }, now), upTo: discussion.lastNumber },
    doing: await beingDone(db, viewer, posts, url),
    plain: plainIn(viewer, url),
    may: mayDo(viewer, discussion),
    // A submission of this page's form is stored once, however often it is sent.
    clientId: uuidv7(),
  };
}

const forMembers = () => new Refusal("not-signed-in", "This discussion is for members, or it is no longer here. Sign in to find out.");

/** Unresolved mentions of a text, and the maximum number of mentions. Null if there are none. */
export type Plain = { names: string[]; most: number } | null;
export const plainOf = (viewer: Viewer, names: string[]): Plain =>
  names.length > 0 ? { names, most: discussionRules.mostMentions(viewer) } : null;

/** Unresolved mentions of the post just written, from the address, which anybody may have made up. */
export const plainIn = (viewer: Viewer, url: URL): Plain =>
  isSignedIn(viewer)
    ? plainOf(
        viewer,
        asked(url, "plain")
          .split(" ")
          .filter((name) => /^[a-z0-9_.-]{1,60}$/.test(name)),
      )
    : null;

/** `asOf`: the moment it was loaded, in milliseconds; data loaded later is newer. */
export type DiscussionData = Awaited<ReturnType<typeof discussionPage>> & { asOf: number };

/**
 * The page to open: as the address says, else the first unread post, else the read position. Pages shown
 * together are extended to a named post, which may have been written after them, unless it is too far away.
 */
function openingAt(url: URL, { firstUnread, readUpTo, hiddenUpTo }: Discussion) {
  const [page, to, named] = ["page", "to", "post"].map((name) => Number(asked(url, name)) || 0) as [number, number, number];
  const of = Math.ceil((named - hiddenUpTo) / LIMITS.page.posts);
  if (page && of < page + LIMITS.postPagesAtOnce) return { page, upTo: to && Math.max(to, of) };
  const post = named || firstUnread || readUpTo;
  return post ? { post } : { page: 1 };
}

/**
 * Posts of people whom the viewer blocks, and filtered ones, stay hidden, except the one that was requested.
 */
export async function withRevealed(db: Db, viewer: Viewer, posts: PostView[], wanted: string): Promise<PostView[]> {
  if (!posts.some((post) => post.id === wanted && (post.stub === "blocked-by-viewer" || post.stub === "filtered"))) return posts;
  const revealed = await postFor(db, viewer, wanted, { reveal: true });
  return posts.map((post) => (post.id === wanted ? revealed : post));
}

/** The action that the address opens on one of these posts: reply, edit, remove … */
export async function beingDone(db: Db, viewer: Viewer, posts: PostView[], url: URL) {
  const named = (name: string) => posts.find((post) => post.id === asked(url, name));
  const edited = named("edit");
  const answered = named("reply");
  const kept = named("keep");
  return {
    edit: edited?.editable || edited?.amendable || edited?.hidden?.mendable ? await change(db, viewer, edited.id) : null,
    remove: named("remove")?.id ?? null,
    restore: named("restore")?.id ?? null,
    keep: isSignedIn(viewer) && kept ? { postId: kept.id, before: await bookmarkOf(db, viewer, kept.id) } : null,
    react: named("react")?.id ?? null,
    more: named("more")?.id ?? null,
    quote: answered?.html && asked(url, "quote") ? await quoteOf(db, viewer, answered.id) : null,
    replyTo: answered ? { id: answered.id, number: answered.number, name: answered.author?.name ?? null } : null,
  };
}

/** The source of a post to edit, and the viewer's draft of that edit. */
const change = async (db: Db, viewer: Viewer, postId: string) => ({
  postId,
  ...(await sourceOf(db, viewer, postId)),
  draft: await draftFor(db, viewer, place.post(postId)),
});

/** An author marks an answer directly; moderators can give a reason. */
const mayDo = (viewer: Viewer, discussion: Discussion) => ({
  reply: discussionRules.reply(viewer, discussion),
  react: discussionRules.react(viewer, discussion),
  moderate: discussionRules.lead(viewer, discussion),
  restore: discussionRules.moderate(viewer, discussion) && discussion.state === "deleted",
  rename: discussionRules.rename(viewer, discussion),
  resolve: discussionRules.resolve(viewer, discussion) && (discussion.authorId === viewer.id ? "own" : "lead"),
  arrange: groupRules.edit(viewer, discussion.group),
  join: groupRules.join(viewer, discussion.group),
  /** A limited account cannot write anywhere, so joining changes nothing. */
  limited: viewer.limited,
});
