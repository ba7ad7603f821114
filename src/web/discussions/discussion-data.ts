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

/** Everything that the page of a discussion shows to this viewer. */
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
    /** How what stands on this page begins. */
    opening: first?.html ? excerptOf(first.html, 300) : null,
    // What is open is being read: it is not counted beside itself.
    sidebar: {
      group: { slug: discussion.group.slug, name: discussion.group.name },
      rows: rows.map((row) => (row.id === discussion.id ? { ...row, unread: 0 } : row)),
    },
    draft,
    // Nobody else's texts wait.
    held: isSignedIn(viewer) && viewer.trust === "new" ? await ownHeld(db, viewer, { discussionId: discussion.id }) : [],
    place: place.discussion(discussion.id),
    // Where somebody else has written since, it does not hold any more.
    before: { reply: discussionRules.beforeReply({ ...discussion, ownAgainAt }, now), upTo: discussion.lastNumber },
    doing: await beingDone(db, viewer, posts, url),
    plain: plainIn(viewer, url),
    may: mayDo(viewer, discussion),
    // A submission of this page's form is stored once, however often it is sent.
    clientId: uuidv7(),
  };
}

const forMembers = () => new Refusal("not-signed-in", "This discussion is for members, or it is no longer here. Sign in to find out.");

/** Names that call nobody in what somebody writes, and how many of one text would. Null where all of them do. */
export type Plain = { names: string[]; most: number } | null;
export const plainOf = (viewer: Viewer, names: string[]): Plain =>
  names.length > 0 ? { names, most: discussionRules.mostMentions(viewer) } : null;

/** The same of what was just written: as the address says, and anybody may have made that. */
export const plainIn = (viewer: Viewer, url: URL): Plain =>
  isSignedIn(viewer)
    ? plainOf(
        viewer,
        asked(url, "plain")
          .split(" ")
          .filter((name) => /^[a-z0-9_.-]{1,60}$/.test(name)),
      )
    : null;

/** `asOf`: the moment it was read, in milliseconds; what is read later is newer. */
export type DiscussionData = Awaited<ReturnType<typeof discussionPage>> & { asOf: number };

/**
 * Where it opens: as the address says, else at the first unread post, else where the viewer stopped. Pages that stand together go on to a
 * post that is named too, which may have been written below them, unless that is too far.
 */
function openingAt(url: URL, { firstUnread, readUpTo, hiddenUpTo }: Discussion) {
  const [page, to, named] = ["page", "to", "post"].map((name) => Number(asked(url, name)) || 0) as [number, number, number];
  const of = Math.ceil((named - hiddenUpTo) / LIMITS.page.posts);
  if (page && of < page + LIMITS.postPagesAtOnce) return { page, upTo: to && Math.max(to, of) };
  const post = named || firstUnread || readUpTo;
  return post ? { post } : { page: 1 };
}

/** Posts of people whom the viewer blocks, and what they filter, stay hidden, except the one that was asked for. */
export async function withRevealed(db: Db, viewer: Viewer, posts: PostView[], wanted: string): Promise<PostView[]> {
  if (!posts.some((post) => post.id === wanted && (post.stub === "blocked-by-viewer" || post.stub === "filtered"))) return posts;
  const revealed = await postFor(db, viewer, wanted, { reveal: true });
  return posts.map((post) => (post.id === wanted ? revealed : post));
}

/** What the address asks to be done with one of the posts shown: answered, edited or removed. */
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

/** What a post says, to be changed, and what the viewer was making of it before. */
const change = async (db: Db, viewer: Viewer, postId: string) => ({
  postId,
  ...(await sourceOf(db, viewer, postId)),
  draft: await draftFor(db, viewer, place.post(postId)),
});

/** Of one's own question one says at once that it is answered; of another's it may be said why. */
const mayDo = (viewer: Viewer, discussion: Discussion) => ({
  reply: discussionRules.reply(viewer, discussion),
  react: discussionRules.react(viewer, discussion),
  moderate: discussionRules.lead(viewer, discussion),
  restore: discussionRules.moderate(viewer, discussion) && discussion.state === "deleted",
  rename: discussionRules.rename(viewer, discussion),
  resolve: discussionRules.resolve(viewer, discussion) && (discussion.authorId === viewer.id ? "own" : "lead"),
  arrange: groupRules.edit(viewer, discussion.group),
  join: groupRules.join(viewer, discussion.group),
  /** Their account writes nowhere: joining changes nothing. */
  limited: viewer.limited,
});
