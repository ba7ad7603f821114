export {
  acceptFriendRequest,
  sendFriendRequest,
  cancelFriendRequest,
  declineFriendRequest,
  FriendRequest,
  getFriendState,
  removeFriend,
  undoFriendRemoval,
} from "./friend-requests.ts";
export { blockPerson, listBlocked, unblockPerson } from "./blocked-people.ts";
export {
  addWordFilter,
  editWordFilter,
  deleteWordFilter,
  getDeletedWordFilter,
  wordFilterRows,
  listWordFilters,
  NewWordFilter,
  restoreWordFilter,
} from "./word-filters.ts";
export type { WordFilter } from "./word-filters.ts";
export { isMuting, mutedIds } from "./mute-conditions.ts";
export { listMuted, mutePerson, NewMute, unmutePerson } from "./muted-people.ts";
export type { MutedPerson } from "./muted-people.ts";
export { requireSignedIn } from "./require-signed-in.ts";
export { assertNoNewcomerLinks } from "./newcomer-links.ts";
export type { FriendState } from "./friend-requests.ts";
export { listFriends, nameSearchVector, isFriendshipVisible } from "./friend-lists.ts";
export type { FriendRow, FriendsQuery } from "./friend-lists.ts";
export { dismissSuggestion, undoDismissal } from "./friend-suggestions.ts";
export {
  acceptFriendLink,
  getFriendLink,
  listFriendLinks,
  createFriendLink,
  revokeFriendLink,
} from "./friend-links.ts";
export type { FriendLink, FriendLinkView } from "./friend-links.ts";
export {
  blockedIds,
  blockerIds,
  visiblePersonCard,
  friendIds,
  blockedEitherWayIds,
} from "./block-visibility.ts";
export { onlineFriendRows } from "./online-friends.ts";
export { canSeePerson, listRelationships, getRelationship } from "./relationships.ts";
export type { Relationship } from "./relationships.ts";
export { countFriends, listMutualFriends } from "./mutual-friends.ts";
export { PREVIEW_ROLES, readWithPreviewRole } from "./view-as.ts";
export type { PreviewRole } from "./view-as.ts";
