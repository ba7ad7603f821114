export {
  acceptFriend,
  sendFriendRequest,
  cancelRequest,
  declineFriend,
  FriendRequest,
  getFriendState,
  removeFriend,
  undoFriendRemoval,
} from "./friends.ts";
export { blockPerson, listBlocked, unblockPerson } from "./blocks.ts";
export { addFilter, editFilter, deleteFilter, getDeletedFilter, filterRows, listFilters, NewFilter, restoreFilter } from "./filters.ts";
export type { Filter } from "./filters.ts";
export { listMuted, mutedIds, mutePerson, NewMute, isMuting, unmutePerson } from "./mutes.ts";
export type { MutedPerson } from "./mutes.ts";
export { requireSignedIn } from "./signed-in.ts";
export type { FriendState } from "./friends.ts";
export { listFriends, NAME_WORDS, isFriendshipVisible } from "./lists.ts";
export type { FriendRow, FriendsQuery } from "./lists.ts";
export { dismissSuggestion, undoDismissal } from "./suggestions.ts";
export { acceptFriendLink, getFriendLink, listFriendLinks, createFriendLink, revokeFriendLink } from "./links.ts";
export type { FriendLink, FriendLinkView } from "./links.ts";
export { blockedIds, blockerIds, visiblePersonCard, friendIds, blockedEitherWayIds } from "./sight.ts";
export { onlineFriends } from "./here.ts";
export { canKnowOf, listRelationships, getRelationship } from "./ties.ts";
export type { Relationship } from "./ties.ts";
export { countFriends, listMutualFriends } from "./in-common.ts";
export { PREVIEW_ROLES, readAs } from "./seen-as.ts";
export type { PreviewRole } from "./seen-as.ts";
