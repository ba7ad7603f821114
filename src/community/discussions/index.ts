export { discussionsOf, latestDiscussions, topDiscussions, unreadDiscussions, unreadOf } from "./lists.ts";
export type { DiscussionsPage, DiscussionsQuery } from "./lists.ts";
export { rowsOf } from "./rows.ts";
export type { DiscussionRow, FollowLevel } from "./rows.ts";
export { discussionFor } from "./discussion.ts";
export type { Discussion, GroupInPlace } from "./discussion.ts";
export { postFor, postsOf, sourceOf } from "./posts.ts";
export type { PostsPage, PostView } from "./posts.ts";
export { historyOf } from "./history.ts";
export type { PostHistory, PostVersion } from "./history.ts";
export { DraftInput, NewDiscussion, NewReaction, NewReply, place, PostChange } from "./forms.ts";
export { cannotStart, reply, startDiscussion } from "./writing.ts";
export { deletePost, editPost, react, unreact } from "./changing.ts";
export { markRead, markUnread, setFollowLevel } from "./reading.ts";
export {
  endPins,
  lockDiscussion,
  pinDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  unlockDiscussion,
  unpinDiscussion,
} from "./moderating.ts";
export { callable } from "./callable.ts";
export type { Callable } from "./callable.ts";
export { draftFor, dropDraft, saveDraft } from "./drafts.ts";
export type { Draft } from "./drafts.ts";
export { discussionsBy } from "./by-author.ts";
export { openDiscussion } from "./opened.ts";
export type { OpenedDiscussion } from "./opened.ts";
export { sidebarOf } from "./sidebar.ts";
export type { SidebarRow } from "./sidebar.ts";
