export { listTopUnread } from "./lists/top-unread.ts";
export { listTopDiscussions } from "./lists/top-discussions.ts";
export { filterLatest, filterUnread, filterTop } from "./lists/filtered-lists.ts";
export {
  listDiscussions,
  listLatestDiscussions,
  listUnreadAndLatest,
  unreadDiscussionRows,
} from "./lists/discussion-lists.ts";
export type { DiscussionsPage, DiscussionsQuery } from "./lists/discussion-lists.ts";
export { listStartedDiscussions } from "./lists/started-discussions.ts";
export { isDiscussionVisible } from "./discussion-columns.ts";
export { listDiscussionRows } from "./lists/discussion-row-queries.ts";
export type { DiscussionRow, FollowLevel } from "./discussion-columns.ts";
export { getDiscussion, limitedAccountRefusal } from "./discussion.ts";
export type { Discussion, DiscussionGroup } from "./discussion-columns.ts";
export { getPost, listPostsById, getPostsPage, getPostSource } from "./posts/post-queries.ts";
export type { PostsPage, PostView } from "./posts/post-queries.ts";
export { listOtherPostsOfAuthor, listPostsByNumber } from "./posts/post-options.ts";
export type { PostOption } from "./posts/post-options.ts";
export { createSharedPostsCache } from "./posts/shared-posts.ts";
export type { SharedPostsCache } from "./posts/shared-posts.ts";
export { getPostHistory } from "./posts/post-history.ts";
export type { PostHistory, PostVersion } from "./posts/post-history.ts";
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
} from "./discussion-inputs.ts";
export { addsUnapprovedLinks, countLinks, needsApproval } from "./first-posts/approval-checks.ts";
export { requirePublished, storePendingPost } from "./first-posts/pending-post-storage.ts";
export type {
  PendingCalendarEvent,
  PendingResource,
  PendingResult,
} from "./first-posts/pending-post-storage.ts";
export { cannotPublishRefusal, publishAndDelete } from "./first-posts/post-approval.ts";
export {
  cannotStartRefusal,
  startDiscussion,
  startDiscussionOrAwaitApproval,
} from "./posts/new-discussions.ts";
export { reply, replyOrAwaitApproval } from "./posts/new-replies.ts";
export {
  addComment,
  addCommentOrAwaitApproval,
  listComments,
  getLastCommentNumber,
} from "./posts/comments.ts";
export { purgePendingPosts } from "./first-posts/pending-post-retention.ts";
export { approvePendingPost } from "./first-posts/post-approval.ts";
export { alreadyDecidedRefusal } from "./first-posts/pending-post-rows.ts";
export { approveReturnedPost, returnReportedPost } from "./first-posts/returned-posts.ts";
export { returnPendingPost, withdrawPendingPost } from "./first-posts/post-return.ts";
export {
  getPendingForApproval,
  getPendingKind,
  joinPendingPostContainer,
} from "./first-posts/pending-post-rows.ts";
export {
  getPendingPostFile,
  getReturnedResource,
  hasPendingPost,
  hasPendingForStaff,
  canApprovePost,
  listPendingPosts,
  countPendingPosts,
  listOwnPendingPosts,
} from "./first-posts/pending-posts.ts";
export type { PendingPostTarget, PendingPost, OwnPendingPost } from "./first-posts/pending-posts.ts";
export type { CommentsPage } from "./posts/comments.ts";
export { deletePost, restoreOwnPost, restorePost } from "./posts/post-removal.ts";
export { editPost } from "./posts/post-edits.ts";
export { addReaction, removeReaction } from "./posts/reactions.ts";
export { unhideReviewedPost, hidePost, lockReportedPost, unhidePost } from "./moderation/post-hiding.ts";
export {
  otherModeratorExists,
  restoreReportedPost,
  removerId,
  removeReportedPost,
  wasDeletedWithDiscussion,
  joinContentContainer,
  joinReportedContent,
} from "./moderation/reported-posts.ts";
export { isReportPending, reportModerators } from "./moderation/pending-reports.ts";
export { castVote } from "./polls/poll-votes.ts";
export type { PollView } from "./polls/poll-view.ts";
export { markRead, markUnread, setFollowLevel } from "./reading/read-positions.ts";
export {
  lockDiscussion,
  pinDiscussion,
  unlockDiscussion,
  unpinDiscussion,
} from "./moderation/discussion-moderation.ts";
export { detectMissingLanguages } from "./posts/language-detection.ts";
export { renameDiscussion } from "./moderation/title-and-tags.ts";
export { reopenDiscussion, resolveDiscussion } from "./moderation/answer.ts";
export {
  archiveDiscussion,
  deleteDiscussion,
  purgeDeletedContent,
  restoreDiscussion,
  unarchiveDiscussion,
} from "./moderation/archive-and-delete.ts";
export { listMoveTargets, moveDiscussion } from "./moderation/move-discussion.ts";
export type { MoveTarget } from "./moderation/move-discussion.ts";
export { splitDiscussion } from "./moderation/split.ts";
export { mergeDiscussion, findMergedDiscussion } from "./moderation/merge.ts";
export {
  hidePostsAgain,
  readDiscussionControls,
  readPostVisibility,
  undoLock,
  undoPostReturns,
  undoSlowMode,
} from "./moderation/decision-undo.ts";
export type { DiscussionControls, PostVisibility } from "./moderation/decision-undo.ts";
export { cancelTimer, applyDueChanges, setTimer, setSlowMode } from "./moderation/timers.ts";
export { type ActivityEntry, ACTIVITY_KINDS, type ActivityKind } from "./moderation/activity-entries.ts";
export { countRepliesSince } from "./reading/replies-since.ts";
export type { RepliesSince } from "./reading/replies-since.ts";
export { addPicture, getPostFile, purgeOrphanedUploads } from "./posts/post-pictures.ts";
export type { NewPicture } from "#community/common";
export { fetchLinkPreview, purgeLinkPreviews, removeLinkPreview } from "./posts/link-previews.ts";
export { renderPreview, renderQuote } from "./posts/post-preview.ts";
export { listMentionables } from "./posts/mentionables.ts";
export type { Mentionable } from "./posts/mentionables.ts";
export { getDraft, listDrafts, purgeDrafts, saveConflictingDraft, saveDraft } from "./drafts/drafts.ts";
export {
  restoreDraft,
  discardDraft,
  listDiscardedDrafts,
  purgeDiscardedDrafts,
} from "./drafts/discarded-drafts.ts";
export type { Draft, DraftRow } from "./drafts/drafts.ts";
export { listDiscussionsByAuthor, listRepliesByAuthor } from "./lists/discussions-by-author.ts";
export type { OwnReply } from "./lists/discussions-by-author.ts";
export {
  addBookmark,
  getOwnBookmark,
  listBookmarks,
  clearDueBookmarks,
  removeBookmark,
  listDueBookmarks,
  type OwnBookmark,
  sendBookmarkReminders,
} from "./reading/bookmarks.ts";
export type { Bookmark } from "./reading/bookmarks.ts";
export { findNextUnread } from "./reading/next-unread.ts";
export { listReadNext } from "./reading/read-next.ts";
export { assertNotDeleted, openDiscussion } from "./reading/open-discussion.ts";
export type { OpenedDiscussion } from "./reading/open-discussion.ts";
export { listSidebarRows } from "./lists/discussion-sidebar.ts";
export type { SidebarRow } from "./lists/discussion-sidebar.ts";
export { withdrawContentOfLeavers } from "./moderation/content-withdrawal.ts";

export { introductionsDiscussion, getIntroductionsDiscussion } from "./lists/introductions.ts";
