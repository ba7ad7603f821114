import { randomUUID } from "node:crypto";
import { cursorOf } from "#community/common";
import {
  assertNotDeleted,
  bestUnread,
  bookmarksOf,
  callable,
  discussionFor,
  discussionsBy,
  discussionsOf,
  draftFor,
  draftsOf,
  droppedDrafts,
  dueBookmarks,
  groupsToMoveTo,
  heldFileFor,
  heldPosts,
  heldWaitingIn,
  historyOf,
  introductionsFor,
  latestDiscussions,
  nextUnread,
  nowAt,
  openDiscussion,
  ownHeld,
  place,
  postFor,
  postsNamed,
  postsNumbered,
  postsOf,
  previewOf,
  quoteOf,
  readNext,
  repliesBy,
  repliesSince,
  sidebarOf,
  siftedLatest,
  siftedToCatchUp,
  siftedTop,
  sourceOf,
  startedIn,
  topDiscussions,
  unreadAndLatest,
} from "#community/discussions";
import { groupFor } from "#community/groups";
import { recordFor } from "#community/published";
import { movedTo } from "#community/transfer";
import { HELD, INSIDE, NAME } from "../leaky-place.ts";
import { now, PARTED, type Reads } from "./house.ts";

const HIDING = [{ phrase: "slugs", action: "hide" } as const];
const tenHidden = (): never[] => Array.from({ length: 10 }, () => ({ title: "Slugs", excerpt: "", mine: false }) as never);

/** Reads of discussions and posts, and of moved ones. */
export const discussions: Reads = {
  "started there": async (db, viewer, at) => startedIn(db, viewer, await groupFor(db, viewer, at.groupId)),
  discussions: async (db, viewer, at) => discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), {}),
  "discussions by tag": async (db, viewer, at) =>
    discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), { filter: { tag: INSIDE.toLowerCase() } }),
  "discussions, archived": async (db, viewer, at) =>
    discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), { filter: "archived" }),
  "discussions, deleted": async (db, viewer, at) =>
    discussionsOf(db, viewer, await groupFor(db, viewer, at.groupId), { filter: "deleted" }),
  introductions: (db, viewer, at) => introductionsFor(db, viewer, `/discussions/${at.discussionId}`),
  "first posts": (db, viewer) => heldPosts(db, viewer),
  "first posts in it": async (db, viewer, at) => {
    const group = await groupFor(db, viewer, at.groupId);
    return [(await heldWaitingIn(db, viewer, group)) > 0, await heldPosts(db, viewer, { group })];
  },
  "own first posts": (db, viewer) => ownHeld(db, viewer),
  "picture in a first post": async (db, viewer, at) => ((await heldFileFor(db, viewer, at.heldPictureId)).size === 79 ? HELD : null),
  sidebar: async (db, viewer, at) => sidebarOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  latest: (db, viewer) => latestDiscussions(db, viewer, {}),
  "replies of the author": (db, viewer, at) => repliesBy(db, viewer, at.authorId, {}),
  "by the author": (db, viewer, at) => discussionsBy(db, viewer, at.authorId, {}),
  "unread and latest": (db, viewer) => unreadAndLatest(db, viewer),
  // Shows only where it is.
  "the next unread": async (db, viewer, at) => (await nextUnread(db, viewer))?.id === at.discussionId && INSIDE,
  "best of the unread": (db, viewer) => bestUnread(db, viewer, { since: new Date(0) }),
  top: (db, viewer) => topDiscussions(db, viewer, { span: "year", now: now() }),
  // Ten hidden items, so that the list looks for replacements.
  "unread, sifted": (db, viewer) => siftedToCatchUp(db, viewer, HIDING, tenHidden()),
  "latest, sifted": (db, viewer) => siftedLatest(db, viewer, HIDING, { rows: tenHidden(), next: cursorOf(4e15, randomUUID()) }),
  "top, sifted": (db, viewer) => siftedTop(db, viewer, HIDING, { span: "year", now: now(), first: tenHidden() }),
  discussion: (db, viewer, at) => discussionFor(db, viewer, at.discussionId),
  openedDiscussion: (db, viewer, at) => openDiscussion(db, viewer, at.discussionId),
  "post, whether it went with its discussion": (db, viewer, at) => assertNotDeleted(db, viewer, at.postId).then(() => "there"),
  posts: async (db, viewer, at) => postsOf(db, viewer, await discussionFor(db, viewer, at.discussionId), { page: 1 }),
  bookmarks: (db, viewer) => bookmarksOf(db, viewer, {}),
  "bookmarks that are due": (db, viewer) => dueBookmarks(db, viewer),
  drafts: (db, viewer) => draftsOf(db, viewer),
  "dropped drafts": (db, viewer) => droppedDrafts(db, viewer, now()),
  "read next": async (db, viewer, at) => readNext(db, viewer, await discussionFor(db, viewer, at.openId), now()),
  "posts by name": async (db, viewer, at) =>
    postsNamed(db, viewer, await discussionFor(db, viewer, at.discussionId), [at.postId, at.replyId]),
  "posts by number": async (db, viewer, at) => postsNumbered(db, viewer, await discussionFor(db, viewer, at.discussionId), [1, 2]),
  "lines, and where posts went": async (db, viewer, at) => postsOf(db, viewer, await discussionFor(db, viewer, at.openId), { page: 1 }),
  "where a merged one is": (db, viewer, at) => nowAt(db, viewer, at.formerId),
  "groups to move to": async (db, viewer, at) => groupsToMoveTo(db, viewer, await discussionFor(db, viewer, at.openId)),
  post: (db, viewer, at) => postFor(db, viewer, at.postId),
  poll: (db, viewer, at) => postFor(db, viewer, at.pollId),
  "poll, as a record": (db, viewer, at) => recordFor(db, viewer, "Posts", at.pollId),
  "reply, revealed": (db, viewer, at) => postFor(db, viewer, at.replyId, { reveal: true }),
  history: (db, viewer, at) => historyOf(db, viewer, at.postId),
  "said since": (db, viewer, at) => repliesSince(db, viewer, at.discussionId, 0),
  quoted: (db, viewer, at) => quoteOf(db, viewer, at.postId),
  "quoted reply": (db, viewer, at) => quoteOf(db, viewer, at.replyId),
  preview: (db, viewer, at) => previewOf(db, viewer, place.discussion(at.discussionId), `@${at.slug} @bram`),
  source: (db, viewer, at) => sourceOf(db, viewer, at.postId),
  "who can be called": (db, viewer, at) => callable(db, viewer, place.discussion(at.discussionId), NAME),
  "who can be called, in the group": (db, viewer, at) => callable(db, viewer, place.group(at.groupId), PARTED),
  draft: (db, viewer, at) => draftFor(db, viewer, place.group(at.groupId)),
  "old address": async (db, viewer) => (await movedTo(db, viewer, "/t/old/")) && INSIDE,
  "old address of a post": async (db, viewer) => (await movedTo(db, viewer, "/t/old/2")) && INSIDE,
};
