export { bestUnread } from "./best-unread.ts";
export { topDiscussions } from "./liveliest.ts";
export { siftedLatest, siftedToCatchUp, siftedTop } from "./sifting.ts";
export { discussionsOf, latestDiscussions, unreadAndLatest, unreadOf } from "./lists.ts";
export type { DiscussionsPage, DiscussionsQuery } from "./lists.ts";
export { startedIn } from "./started.ts";
export { rowsOf } from "./rows.ts";
export type { DiscussionRow, FollowLevel } from "./rows.ts";
export { discussionFor, writesNothing } from "./discussion.ts";
export type { Discussion, GroupInPlace } from "./discussion.ts";
export { postFor, postsNamed, postsNumbered, postsOf, sourceOf } from "./posts.ts";
export type { PostChoice, PostsPage, PostView } from "./posts.ts";
export { historyOf } from "./history.ts";
export type { PostHistory, PostVersion } from "./history.ts";
export {
  DraftInput,
  GivingBack,
  HeldPostId,
  NewBookmark,
  NewComment,
  NewDiscussion,
  NewReaction,
  NewReply,
  NewSplit,
  NewTitle,
  NewVote,
  place,
  PostChange,
} from "./forms.ts";
export { cannotStart, reply, replyOrWait, startDiscussion, startOrWait } from "./writing.ts";
export { comment, commentOrWait, commentsOn, lastCommentOn } from "./commenting.ts";
export { forgetHeldPosts, letPostIn, sendPostBack, takeHeldBack, withWhereItGoes } from "./first-posts/judging.ts";
export { heldFileFor, heldFor, heldJudged, heldPosts, heldWaitingIn, ownHeld } from "./first-posts/held.ts";
export type { HeldPlace, HeldPost, OwnHeld } from "./first-posts/held.ts";
export type { CommentsPage } from "./commenting.ts";
export { deletePost, editPost, react, restorePost, unreact } from "./changing.ts";
export { endHiding, hidePost, holdPost, showPost } from "./hiding.ts";
export { othersJudge, putBack, removedBy, takeDown, wentWithDiscussion, withItsPlace, withWhatIsReported } from "./taking-down.ts";
export { vote } from "./polls.ts";
export type { PollView } from "./poll-view.ts";
export { markRead, markUnread, setFollowLevel } from "./reading.ts";
export { lockDiscussion, pinDiscussion, unlockDiscussion, unpinDiscussion } from "./moderating.ts";
export { detectMissingLanguages } from "./language.ts";
export { renameDiscussion } from "./naming.ts";
export { reopenDiscussion, resolveDiscussion } from "./answering.ts";
export { archiveDiscussion, deleteDiscussion, purgeTakenAway, restoreDiscussion, unarchiveDiscussion } from "./putting-away.ts";
export { groupsToMoveTo, moveDiscussion } from "./moving.ts";
export type { MoveTarget } from "./moving.ts";
export { splitDiscussion } from "./splitting.ts";
export { mergeDiscussion, nowAt } from "./merging.ts";
export { cancelTimer, carryOutDue, setTimer, slowDiscussion } from "./timing.ts";
export { type DiscussionLine, LINE_KINDS, type LineKind } from "./lines.ts";
export { repliesSince } from "./since.ts";
export type { Since } from "./since.ts";
export { addPicture, postFileFor, purgeOrphans } from "./pictures.ts";
export type { NewPicture } from "#community/common";
export { lookAtLink, purgePreviews, removeCard } from "./link-cards.ts";
export { previewOf, quoteOf } from "./preview.ts";
export { callable } from "./callable.ts";
export type { Callable } from "./callable.ts";
export { draftFor, draftsOf, forgetDrafts, keepBeside, saveDraft } from "./drafts.ts";
export { bringDraftBack, dropDraft, droppedDrafts, forgetDropped } from "./dropped-drafts.ts";
export type { Draft, DraftLine } from "./drafts.ts";
export { discussionsBy, repliesBy } from "./by-author.ts";
export type { OwnReply } from "./by-author.ts";
export {
  bookmark,
  bookmarkOf,
  bookmarksOf,
  cameBack,
  dropBookmark,
  dueBookmarks,
  type OwnBookmark,
  remindOfBookmarks,
} from "./bookmarks.ts";
export type { Bookmark } from "./bookmarks.ts";
export { nextUnread } from "./next-unread.ts";
export { readNext } from "./read-next.ts";
export { assertNotDeleted, openDiscussion } from "./opened.ts";
export type { OpenedDiscussion } from "./opened.ts";
export { sidebarOf } from "./sidebar.ts";
export type { SidebarRow } from "./sidebar.ts";
export { withdrawWritings } from "./withdrawing.ts";

export { introductionsAt, introductionsFor } from "./introductions.ts";
