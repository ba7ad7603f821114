export { listTopUnread } from "./best-unread.ts";
export { listTopDiscussions } from "./liveliest.ts";
export { filterLatest, filterUnread, filterTop } from "./sifting.ts";
export { listDiscussions, listLatestDiscussions, listUnreadAndLatest, unreadDiscussionRows } from "./lists.ts";
export type { DiscussionsPage, DiscussionsQuery } from "./lists.ts";
export { listStartedDiscussions } from "./started.ts";
export { listRows } from "./rows.ts";
export type { DiscussionRow, FollowLevel } from "./rows.ts";
export { getDiscussion, limitedRefusal } from "./discussion.ts";
export type { Discussion, DiscussionGroup } from "./discussion.ts";
export { getPost, listPostsById, listPostsByNumber, getPostsPage, getPostSource } from "./posts.ts";
export type { PostOption, PostsPage, PostView } from "./posts.ts";
export { getPostHistory } from "./history.ts";
export type { PostHistory, PostVersion } from "./history.ts";
export {
  DraftInput,
  PendingPostReturn,
  PendingPostId,
  NewBookmark,
  NewComment,
  NewDiscussion,
  NewReaction,
  NewReply,
  NewSplit,
  NewTitle,
  NewVote,
  draftTargets,
  PostEdit,
} from "./forms.ts";
export { cannotStartRefusal, reply, replyOrHold, startDiscussion, startDiscussionOrHold } from "./writing.ts";
export { addComment, addCommentOrHold, listComments, getLastCommentNumber } from "./commenting.ts";
export {
  purgePendingPosts,
  approvePendingPost,
  returnPendingPost,
  withdrawPendingPost,
  joinPendingPostContainer,
} from "./first-posts/judging.ts";
export {
  getPendingPostFile,
  hasPendingPost,
  canApprovePost,
  listPendingPosts,
  countPendingPosts,
  listOwnPendingPosts,
} from "./first-posts/held.ts";
export type { PendingPostTarget, PendingPost, OwnPendingPost } from "./first-posts/held.ts";
export type { CommentsPage } from "./commenting.ts";
export { deletePost, editPost, addReaction, restorePost, removeReaction } from "./changing.ts";
export { unhideReviewedPost, hidePost, lockReportedPost, unhidePost } from "./hiding.ts";
export {
  otherModeratorExists,
  restoreReportedPost,
  removedById,
  removeReportedPost,
  deletedWithDiscussion,
  joinContentContainer,
  joinReportedContent,
} from "./taking-down.ts";
export { castVote } from "./polls.ts";
export type { PollView } from "./poll-view.ts";
export { markRead, markUnread, setFollowLevel } from "./reading.ts";
export { lockDiscussion, pinDiscussion, unlockDiscussion, unpinDiscussion } from "./moderating.ts";
export { detectMissingLanguages } from "./language.ts";
export { renameDiscussion } from "./naming.ts";
export { reopenDiscussion, resolveDiscussion } from "./answering.ts";
export { archiveDiscussion, deleteDiscussion, purgeDeletedContent, restoreDiscussion, unarchiveDiscussion } from "./putting-away.ts";
export { listMoveTargets, moveDiscussion } from "./moving.ts";
export type { MoveTarget } from "./moving.ts";
export { splitDiscussion } from "./splitting.ts";
export { mergeDiscussion, findMergedDiscussion } from "./merging.ts";
export { cancelTimer, applyDueChanges, setTimer, setSlowMode } from "./timing.ts";
export { type ActivityEntry, ACTIVITY_KINDS, type ActivityKind } from "./lines.ts";
export { countRepliesSince } from "./since.ts";
export type { RepliesSince } from "./since.ts";
export { addPicture, getPostFile, purgeOrphanedUploads } from "./pictures.ts";
export type { NewPicture } from "#community/common";
export { fetchLinkPreview, purgeLinkPreviews, removeLinkPreview } from "./link-cards.ts";
export { renderPreview, renderQuote } from "./preview.ts";
export { listMentionables } from "./callable.ts";
export type { Mentionable } from "./callable.ts";
export { getDraft, listDrafts, purgeDrafts, saveDraftBeside, saveDraft } from "./drafts.ts";
export { restoreDraft, discardDraft, listDiscardedDrafts, purgeDiscardedDrafts } from "./dropped-drafts.ts";
export type { Draft, DraftRow } from "./drafts.ts";
export { listDiscussionsByAuthor, listRepliesByAuthor } from "./by-author.ts";
export type { OwnReply } from "./by-author.ts";
export {
  addBookmark,
  getOwnBookmark,
  listBookmarks,
  clearDueBookmarks,
  removeBookmark,
  listDueBookmarks,
  type OwnBookmark,
  sendBookmarkReminders,
} from "./bookmarks.ts";
export type { Bookmark } from "./bookmarks.ts";
export { findNextUnread } from "./next-unread.ts";
export { listReadNext } from "./read-next.ts";
export { assertNotDeleted, openDiscussion } from "./opened.ts";
export type { OpenedDiscussion } from "./opened.ts";
export { listSidebarRows } from "./sidebar.ts";
export type { SidebarRow } from "./sidebar.ts";
export { withdrawContentOfLeavers } from "./withdrawing.ts";

export { introductionsDiscussion, getIntroductionsDiscussion } from "./introductions.ts";
