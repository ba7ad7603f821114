import { z } from "zod";
import { id } from "#community/common";
import {
  acceptFriendRequest,
  acceptFriendLink,
  addWordFilter,
  sendFriendRequest,
  blockPerson,
  cancelFriendRequest,
  editWordFilter,
  declineFriendRequest,
  dismissSuggestion,
  deleteWordFilter,
  FriendRequest,
  createFriendLink,
  mutePerson,
  NewWordFilter,
  NewMute,
  removeFriend,
  revokeFriendLink,
  undoDismissal,
  undoFriendRemoval,
  restoreWordFilter,
  unblockPerson,
  unmutePerson,
} from "#community/friends";
import { NewPersonReport, reportPerson } from "#community/moderation";
import {
  DisplaySettingsInput,
  PrivacySettingsInput,
  ProfileInput,
  updateDisplay,
  updatePrivacy,
  updateProfile,
} from "#community/accounts";
import { requireSignedIn } from "#community/friends";
import {
  deleteSavedSearch,
  clearRecentSearches,
  NewSavedSearch,
  saveSearch,
  SearchAlertSetting,
  setSearchAlert,
} from "#community/search";
import { momentField, NoInput, PersonRef, defineSimpleService, TokenInput } from "./define-service.ts";

const FilterInput = NewWordFilter.extend({ until: momentField.nullable().default(null) });
const FilterRef = z.object({ filterId: id });

/** Services for one's own account and for relationships with others. */
export const peopleServices = [
  defineSimpleService(
    "Users/updateProfile",
    "Updates your profile; omitted fields stay as they are.",
    ProfileInput.partial(),
    (tx, viewer, it) => updateProfile(tx, viewer, requireSignedIn(viewer).id, it as Partial<ProfileInput>),
  ),
  defineSimpleService(
    "Users/updatePrivacy",
    "Updates who can see and contact you; omitted fields stay as they are.",
    PrivacySettingsInput.partial(),
    (tx, viewer, it) =>
      updatePrivacy(tx, viewer, requireSignedIn(viewer).id, it as Partial<PrivacySettingsInput>),
  ),
  defineSimpleService(
    "Users/updateDisplay",
    "Sets theme, language and time zone.",
    DisplaySettingsInput.partial(),
    (tx, viewer, it) =>
      updateDisplay(tx, viewer, requireSignedIn(viewer).id, it as Partial<DisplaySettingsInput>),
  ),
  defineSimpleService(
    "Users/block",
    "Blocks a person: neither sees the other, and they are not notified.",
    PersonRef,
    blockPerson,
  ),
  defineSimpleService("Users/unblock", "Removes your block.", PersonRef, unblockPerson),
  defineSimpleService(
    "Users/mute",
    "Mutes a person, until a time or permanently.",
    NewMute.extend({ until: momentField.nullable().default(null) }),
    mutePerson,
  ),
  defineSimpleService("Users/unmute", "Unmutes a person.", PersonRef, unmutePerson),
  defineSimpleService(
    "Users/report",
    "Reports a profile to staff, with a reason.",
    NewPersonReport,
    reportPerson,
  ),
  defineSimpleService("Users/addFilter", "Adds a word filter.", FilterInput, addWordFilter),
  defineSimpleService(
    "Users/editFilter",
    "Changes the words or the places of a filter.",
    FilterInput.extend(FilterRef.shape),
    editWordFilter,
  ),
  defineSimpleService("Users/deleteFilter", "Removes a filter.", FilterRef, deleteWordFilter),
  defineSimpleService(
    "Users/restoreFilter",
    "Restores a filter that was removed within a day.",
    FilterRef,
    restoreWordFilter,
  ),
  defineSimpleService(
    "Friendships/sendRequest",
    "Sends a friend request. If the other person has already sent one, you become friends.",
    FriendRequest,
    (tx, viewer, it) => sendFriendRequest(tx, viewer, it).then((state) => ({ state })),
  ),
  defineSimpleService("Searches/save", "Saves a search under a name.", NewSavedSearch, saveSearch),
  defineSimpleService(
    "Searches/setAlert",
    "Turns alerts for a saved search on or off.",
    SearchAlertSetting,
    setSearchAlert,
  ),
  defineSimpleService("Searches/delete", "Deletes a saved search.", z.object({ id }), deleteSavedSearch),
  defineSimpleService("Searches/clearRecent", "Clears your recent searches.", NoInput, clearRecentSearches),
  defineSimpleService(
    "Friendships/acceptRequest",
    "Accepts a friend request.",
    PersonRef,
    acceptFriendRequest,
  ),
  defineSimpleService(
    "Friendships/declineRequest",
    "Declines a friend request; its sender is not notified.",
    PersonRef,
    declineFriendRequest,
  ),
  defineSimpleService(
    "Friendships/cancelRequest",
    "Cancels your friend request.",
    PersonRef,
    cancelFriendRequest,
  ),
  defineSimpleService(
    "Friendships/remove",
    "Ends a friendship; the other person is not notified.",
    PersonRef,
    removeFriend,
  ),
  defineSimpleService(
    "Friendships/undoRemoval",
    "Restores an ended friendship within ten minutes.",
    PersonRef,
    undoFriendRemoval,
  ),
  defineSimpleService(
    "Friendships/createLink",
    "Creates an invitation link: people who open it become friends.",
    NoInput,
    createFriendLink,
  ),
  defineSimpleService(
    "Friendships/revokeLink",
    "Revokes an invitation link.",
    z.object({ linkId: id }),
    revokeFriendLink,
  ),
  defineSimpleService(
    "Friendships/acceptLink",
    "Becomes friends with the creator of an invitation link.",
    TokenInput,
    acceptFriendLink,
  ),
  defineSimpleService(
    "Friendships/dismissSuggestion",
    "Dismisses a friend suggestion.",
    PersonRef,
    dismissSuggestion,
  ),
  defineSimpleService("Friendships/undoDismissal", "Undoes that.", PersonRef, undoDismissal),
];
