import { randomUUID } from "node:crypto";
import { encodeCursor } from "#community/common";
import {
  assertNotDeleted,
  listTopUnread,
  listBookmarks,
  listMentionables,
  getDiscussion,
  listDiscussionsByAuthor,
  listDiscussions,
  getDraft,
  listDrafts,
  listDiscardedDrafts,
  listDueBookmarks,
  listMoveTargets,
  getPendingPostFile,
  listPendingPosts,
  countPendingPosts,
  getPostHistory,
  getIntroductionsDiscussion,
  listLatestDiscussions,
  findNextUnread,
  findMergedDiscussion,
  openDiscussion,
  listOwnPendingPosts,
  draftTargets,
  getPost,
  listPostsById,
  listOtherPostsOfAuthor,
  listPostsByNumber,
  renderPreview,
  renderQuote,
  listReadNext,
  listRepliesByAuthor,
  countRepliesSince,
  listSidebarRows,
  filterLatest,
  filterUnread,
  filterTop,
  getPostSource,
  listStartedDiscussions,
  listTopDiscussions,
  listUnreadAndLatest,
} from "#community/discussions";
import { getGroup } from "#community/groups";
import { getRecord } from "#community/api-entities";
import { assertNotTooWide, listFurtherReportable, tryWatchedWord } from "#community/moderation";
import { WatchedWordForm } from "#community/prevention";
import { resolveOldPath } from "#community/import-export";
import { PENDING_WORD, INSIDE_WORD, GROUP_NAME } from "./marker-words.ts";
import { now, BLOCKED_NAME, type Reads } from "./leak-context.ts";
import { getPostsPage } from "../discussions/shared-posts.ts";

const HIDING_FILTER = [{ phrase: "slugs", action: "hide" } as const];
const createTenHidden = (): never[] =>
  Array.from({ length: 10 }, () => ({ title: "Slugs", excerpt: "", mine: false }) as never);

/** Reads of discussions and posts, and of moved ones. */
export const discussionReads: Reads = {
  "discussions started in the group": (db, viewer, { groupId }) =>
    listStartedDiscussions(db, viewer, { groupId }),
  "discussions started anywhere": (db, viewer) => listStartedDiscussions(db, viewer, {}),
  "discussions started by the author": (db, viewer, { authorId }) =>
    listStartedDiscussions(db, viewer, { authorId }),
  discussions: async (db, viewer, at) =>
    listDiscussions(db, viewer, await getGroup(db, viewer, at.groupId), {}),
  "discussions by tag": async (db, viewer, at) =>
    listDiscussions(db, viewer, await getGroup(db, viewer, at.groupId), {
      filter: { tag: INSIDE_WORD.toLowerCase() },
    }),
  "discussions, archived": async (db, viewer, at) =>
    listDiscussions(db, viewer, await getGroup(db, viewer, at.groupId), { filter: "archived" }),
  "discussions, deleted": async (db, viewer, at) =>
    listDiscussions(db, viewer, await getGroup(db, viewer, at.groupId), { filter: "deleted" }),
  introductions: (db, viewer, at) =>
    getIntroductionsDiscussion(db, viewer, `/discussions/${at.discussionId}`),
  "posts with a watched word": (db, viewer) => tryWatchedWord(db, viewer, { phrase: `*${INSIDE_WORD}*` }),
  "whether most posts have a watched word": async (db, viewer) => {
    const form = WatchedWordForm.parse({ phrase: `${INSIDE_WORD}*`, action: "block" });
    await assertNotTooWide(db, viewer, form);
    return "saved";
  },
  "first posts": (db, viewer) => listPendingPosts(db, viewer),
  "first posts in it": async (db, viewer, at) => {
    const group = await getGroup(db, viewer, at.groupId);
    return [(await countPendingPosts(db, viewer, group)) > 0, await listPendingPosts(db, viewer, { group })];
  },
  "own first posts": (db, viewer) => listOwnPendingPosts(db, viewer),
  "picture in a first post": async (db, viewer, at) =>
    (await getPendingPostFile(db, viewer, at.heldPictureId)).size === 79 ? PENDING_WORD : null,
  sidebar: async (db, viewer, at) => listSidebarRows(db, viewer, await getGroup(db, viewer, at.groupId)),
  latest: (db, viewer) => listLatestDiscussions(db, viewer, {}),
  "replies of the author": (db, viewer, at) => listRepliesByAuthor(db, viewer, at.authorId, {}),
  "by the author": (db, viewer, at) => listDiscussionsByAuthor(db, viewer, at.authorId, {}),
  "unread and latest": (db, viewer) => listUnreadAndLatest(db, viewer),
  // The result contains no text, so a viewer who is led to the discussion counts as having read its marker
  // word.
  "the next unread": async (db, viewer, at) =>
    (await findNextUnread(db, viewer))?.id === at.discussionId && INSIDE_WORD,
  "best of the unread": (db, viewer) => listTopUnread(db, viewer, { since: new Date(0) }),
  top: (db, viewer) => listTopDiscussions(db, viewer, { span: "year", now: now() }),
  // Hides ten items, so that the list has to look for replacements.
  "unread, sifted": (db, viewer) => filterUnread(db, viewer, HIDING_FILTER, createTenHidden()),
  "latest, sifted": (db, viewer) =>
    filterLatest(db, viewer, HIDING_FILTER, {
      rows: createTenHidden(),
      next: encodeCursor(4e15, randomUUID()),
    }),
  "top, sifted": (db, viewer) =>
    filterTop(db, viewer, HIDING_FILTER, { span: "year", now: now(), first: createTenHidden() }),
  discussion: (db, viewer, at) => getDiscussion(db, viewer, at.discussionId),
  openedDiscussion: (db, viewer, at) => openDiscussion(db, viewer, at.discussionId),
  "post, whether it went with its discussion": (db, viewer, at) =>
    assertNotDeleted(db, viewer, at.postId).then(() => "there"),
  posts: async (db, viewer, at) =>
    getPostsPage(db, viewer, await getDiscussion(db, viewer, at.discussionId), { page: 1 }),
  bookmarks: (db, viewer) => listBookmarks(db, viewer, {}),
  "bookmarks that are due": (db, viewer) => listDueBookmarks(db, viewer),
  drafts: (db, viewer) => listDrafts(db, viewer),
  "dropped drafts": (db, viewer) => listDiscardedDrafts(db, viewer, now()),
  "read next": async (db, viewer, at) =>
    listReadNext(db, viewer, await getDiscussion(db, viewer, at.openId), now()),
  "posts by name": async (db, viewer, at) =>
    listPostsById(db, viewer, await getDiscussion(db, viewer, at.discussionId), [at.postId, at.replyId]),
  "posts by number": async (db, viewer, at) =>
    listPostsByNumber(db, viewer, await getDiscussion(db, viewer, at.discussionId), [1, 2]),
  "lines, and where posts went": async (db, viewer, at) =>
    getPostsPage(db, viewer, await getDiscussion(db, viewer, at.openId), { page: 1 }),
  "where a merged one is": (db, viewer, at) => findMergedDiscussion(db, viewer, at.formerId),
  "groups to move to": async (db, viewer, at) =>
    listMoveTargets(db, viewer, await getDiscussion(db, viewer, at.openId)),
  post: (db, viewer, at) => getPost(db, viewer, at.postId),
  "other posts of its author": (db, viewer, at) => listOtherPostsOfAuthor(db, viewer, at.postId, 20),
  "posts to report with it": (db, viewer, at) => listFurtherReportable(db, viewer, at.postId),
  poll: (db, viewer, at) => getPost(db, viewer, at.pollId),
  "poll, as a record": (db, viewer, at) => getRecord(db, viewer, "Posts", at.pollId),
  "reply, revealed": (db, viewer, at) => getPost(db, viewer, at.replyId, { reveal: true }),
  history: (db, viewer, at) => getPostHistory(db, viewer, at.postId),
  "said since": (db, viewer, at) => countRepliesSince(db, viewer, at.discussionId, 0),
  quoted: (db, viewer, at) => renderQuote(db, viewer, at.postId),
  "quoted reply": (db, viewer, at) => renderQuote(db, viewer, at.replyId),
  preview: (db, viewer, at) =>
    renderPreview(db, viewer, draftTargets.discussion(at.discussionId), `@${at.slug} @bram`),
  source: (db, viewer, at) => getPostSource(db, viewer, at.postId),
  "who can be called": (db, viewer, at) =>
    listMentionables(db, viewer, draftTargets.discussion(at.discussionId), GROUP_NAME),
  "who can be called, in the group": (db, viewer, at) =>
    listMentionables(db, viewer, draftTargets.group(at.groupId), BLOCKED_NAME),
  draft: (db, viewer, at) => getDraft(db, viewer, draftTargets.group(at.groupId)),
  "old address": async (db, viewer) => (await resolveOldPath(db, viewer, "/t/old/")) && INSIDE_WORD,
  "old address of a post": async (db, viewer) =>
    (await resolveOldPath(db, viewer, "/t/old/2")) && INSIDE_WORD,
};
