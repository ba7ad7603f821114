import { z } from "zod";
import { id } from "#community/common";
import {
  acceptFriend,
  acceptFriendLink,
  addFilter,
  sendFriendRequest,
  blockPerson,
  cancelRequest,
  editFilter,
  declineFriend,
  dismissSuggestion,
  deleteFilter,
  FriendRequest,
  createFriendLink,
  mutePerson,
  NewFilter,
  NewMute,
  removeFriend,
  revokeFriendLink,
  undoDismissal,
  undoFriendRemoval,
  restoreFilter,
  unblockPerson,
  unmutePerson,
} from "#community/friends";
import { NewPersonReport, reportPerson } from "#community/moderation";
import { DisplayForm, PrivacyForm, ProfileForm, updateDisplay, updatePrivacy, updateProfile } from "#community/accounts";
import { requireSignedIn } from "#community/friends";
import { deleteSavedSearch, clearRecentSearches, NewSavedSearch, saveSearch, SearchAlertSetting, setSearchAlert } from "#community/search";
import { momentField, NoInput, PersonRef, defineSimpleService, TokenInput } from "./define-service.ts";

const FilterInput = NewFilter.extend({ until: momentField.nullable().default(null) });
const FilterRef = z.object({ filterId: id });

/** Services for one's own account and for relationships with others. */
export const peopleServices = [
  defineSimpleService(
    "Users/updateProfile",
    "Says something of oneself; what is left out stays as it is.",
    ProfileForm.partial(),
    (tx, viewer, it) => updateProfile(tx, viewer, requireSignedIn(viewer).id, it as Partial<ProfileForm>),
  ),
  defineSimpleService(
    "Users/updatePrivacy",
    "Says who sees and reaches one; what is left out stays as it is.",
    PrivacyForm.partial(),
    (tx, viewer, it) => updatePrivacy(tx, viewer, requireSignedIn(viewer).id, it as Partial<PrivacyForm>),
  ),
  defineSimpleService("Users/updateDisplay", "Chooses theme, language and time zone.", DisplayForm.partial(), (tx, viewer, it) =>
    updateDisplay(tx, viewer, requireSignedIn(viewer).id, it as Partial<DisplayForm>),
  ),
  defineSimpleService("Users/block", "Parts the two, both ways and silently.", PersonRef, blockPerson),
  defineSimpleService("Users/unblock", "Takes one's own block back.", PersonRef, unblockPerson),
  defineSimpleService(
    "Users/mute",
    "Puts somebody aside, until a moment or for good.",
    NewMute.extend({ until: momentField.nullable().default(null) }),
    mutePerson,
  ),
  defineSimpleService("Users/unmute", "Hears from them again.", PersonRef, unmutePerson),
  defineSimpleService("Users/report", "Shows somebody's page to staff, with a reason.", NewPersonReport, reportPerson),
  defineSimpleService("Users/addFilter", "Keeps words from one's own eyes.", FilterInput, addFilter),
  defineSimpleService("Users/changeFilter", "Changes which words, and where.", FilterInput.extend(FilterRef.shape), editFilter),
  defineSimpleService("Users/dropFilter", "Lets the words back in.", FilterRef, deleteFilter),
  defineSimpleService("Users/takeUpFilter", "Takes up again what was dropped within a day.", FilterRef, restoreFilter),
  defineSimpleService(
    "Friendships/ask",
    "Asks somebody to be friends; a request that meets one coming the other way makes friends.",
    FriendRequest,
    (tx, viewer, it) => sendFriendRequest(tx, viewer, it).then((state) => ({ state })),
  ),
  defineSimpleService("Searches/save", "Keeps a search under a name.", NewSavedSearch, saveSearch),
  defineSimpleService("Searches/tell", "Whether one hears of what is new in a search that was kept.", SearchAlertSetting, setSearchAlert),
  defineSimpleService("Searches/drop", "Lets go of a search that was kept.", z.object({ id }), deleteSavedSearch),
  defineSimpleService("Searches/forget", "Forgets what one has looked for lately.", NoInput, clearRecentSearches),
  defineSimpleService("Friendships/accept", "Accepts a request.", PersonRef, acceptFriend),
  defineSimpleService("Friendships/decline", "Declines a request; its sender is not told.", PersonRef, declineFriend),
  defineSimpleService("Friendships/cancel", "Takes one's own request back.", PersonRef, cancelRequest),
  defineSimpleService("Friendships/remove", "Ends a friendship; the other is not told.", PersonRef, removeFriend),
  defineSimpleService("Friendships/takeBack", "Takes that back, within ten minutes.", PersonRef, undoFriendRemoval),
  defineSimpleService(
    "Friendships/makeLink",
    "Makes a link to hand on: whoever comes with it becomes a friend.",
    NoInput,
    createFriendLink,
  ),
  defineSimpleService("Friendships/revokeLink", "Nobody comes with it any more.", z.object({ linkId: id }), revokeFriendLink),
  defineSimpleService("Friendships/acceptLink", "Becomes the friend of whoever made the link.", TokenInput, acceptFriendLink),
  defineSimpleService("Friendships/dismissSuggestion", "Does not want somebody suggested again.", PersonRef, dismissSuggestion),
  defineSimpleService("Friendships/suggestAgain", "Takes that back.", PersonRef, undoDismissal),
];
