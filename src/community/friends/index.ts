export {
  acceptFriend,
  askFriend,
  cancelRequest,
  declineFriend,
  FriendRequest,
  friendStateWith,
  removeFriend,
  takeBackRemoval,
} from "./friends.ts";
export { block, blockedBy, unblock } from "./blocks.ts";
export { addFilter, changeFilter, dropFilter, droppedFilter, filtersFor, filtersOf, NewFilter, takeUpFilter } from "./filters.ts";
export type { Filter } from "./filters.ts";
export { mutedBy, mutedOf, mutePerson, NewMute, mutes, unmutePerson } from "./mutes.ts";
export type { MutedPerson } from "./mutes.ts";
export { signedIn } from "./signed-in.ts";
export type { FriendState } from "./friends.ts";
export { friendsOf, NAME_WORDS, tieSeen } from "./lists.ts";
export type { FriendRow, FriendsQuery } from "./lists.ts";
export { dismissSuggestion, suggestAgain } from "./suggestions.ts";
export { acceptFriendLink, friendLinkFor, friendLinksOf, makeFriendLink, revokeFriendLink } from "./links.ts";
export type { FriendLink, FriendLinkFound } from "./links.ts";
export { blockedOf, blockersOf, cardFor, friendIds, partedFrom } from "./sight.ts";
export { friendsHere } from "./here.ts";
export { mayKnowOf, tiesTo, tieTo } from "./ties.ts";
export type { Tie } from "./ties.ts";
export { friendCountOf, friendsInCommon } from "./in-common.ts";
export { ONLOOKERS, seenAs } from "./seen-as.ts";
export type { Onlooker } from "./seen-as.ts";
