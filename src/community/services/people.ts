import { z } from "zod";
import { id } from "#community/common";
import {
  acceptFriend,
  acceptFriendLink,
  addFilter,
  askFriend,
  block,
  cancelRequest,
  changeFilter,
  declineFriend,
  dismissSuggestion,
  dropFilter,
  FriendRequest,
  makeFriendLink,
  mutePerson,
  NewFilter,
  NewMute,
  removeFriend,
  revokeFriendLink,
  suggestAgain,
  takeBackRemoval,
  takeUpFilter,
  unblock,
  unmutePerson,
} from "#community/friends";
import { NewPersonReport, reportPerson } from "#community/moderation";
import { DisplayForm, PrivacyForm, ProfileForm, updateDisplay, updatePrivacy, updateProfile } from "#community/people";
import { signedIn } from "#community/friends";
import { dropSearch, forgetSearches, NewSavedSearch, saveSearch, SearchTelling, tellOfSearch } from "#community/search";
import { moment, Nothing, Person, plain, Token } from "./service.ts";

const Filter = NewFilter.extend({ until: moment.nullable().default(null) });
const OneFilter = z.object({ filterId: id });

/** Services for one's own account and for relationships with others. */
export const peopleServices = [
  plain("Users/updateProfile", "Says something of oneself; what is left out stays as it is.", ProfileForm.partial(), (tx, viewer, it) =>
    updateProfile(tx, viewer, signedIn(viewer).id, it as Partial<ProfileForm>),
  ),
  plain("Users/updatePrivacy", "Says who sees and reaches one; what is left out stays as it is.", PrivacyForm.partial(), (tx, viewer, it) =>
    updatePrivacy(tx, viewer, signedIn(viewer).id, it as Partial<PrivacyForm>),
  ),
  plain("Users/updateDisplay", "Chooses theme, language and time zone.", DisplayForm.partial(), (tx, viewer, it) =>
    updateDisplay(tx, viewer, signedIn(viewer).id, it as Partial<DisplayForm>),
  ),
  plain("Users/block", "Parts the two, both ways and silently.", Person, block),
  plain("Users/unblock", "Takes one's own block back.", Person, unblock),
  plain(
    "Users/mute",
    "Puts somebody aside, until a moment or for good.",
    NewMute.extend({ until: moment.nullable().default(null) }),
    mutePerson,
  ),
  plain("Users/unmute", "Hears from them again.", Person, unmutePerson),
  plain("Users/report", "Shows somebody's page to staff, with a reason.", NewPersonReport, reportPerson),
  plain("Users/addFilter", "Keeps words from one's own eyes.", Filter, addFilter),
  plain("Users/changeFilter", "Changes which words, and where.", Filter.extend(OneFilter.shape), changeFilter),
  plain("Users/dropFilter", "Lets the words back in.", OneFilter, dropFilter),
  plain("Users/takeUpFilter", "Takes up again what was dropped within a day.", OneFilter, takeUpFilter),
  plain(
    "Friendships/ask",
    "Asks somebody to be friends; a request that meets one coming the other way makes friends.",
    FriendRequest,
    (tx, viewer, it) => askFriend(tx, viewer, it).then((state) => ({ state })),
  ),
  plain("Searches/save", "Keeps a search under a name.", NewSavedSearch, saveSearch),
  plain("Searches/tell", "Whether one hears of what is new in a search that was kept.", SearchTelling, tellOfSearch),
  plain("Searches/drop", "Lets go of a search that was kept.", z.object({ id }), dropSearch),
  plain("Searches/forget", "Forgets what one has looked for lately.", Nothing, forgetSearches),
  plain("Friendships/accept", "Accepts a request.", Person, acceptFriend),
  plain("Friendships/decline", "Declines a request; its sender is not told.", Person, declineFriend),
  plain("Friendships/cancel", "Takes one's own request back.", Person, cancelRequest),
  plain("Friendships/remove", "Ends a friendship; the other is not told.", Person, removeFriend),
  plain("Friendships/takeBack", "Takes that back, within ten minutes.", Person, takeBackRemoval),
  plain("Friendships/makeLink", "Makes a link to hand on: whoever comes with it becomes a friend.", Nothing, makeFriendLink),
  plain("Friendships/revokeLink", "Nobody comes with it any more.", z.object({ linkId: id }), revokeFriendLink),
  plain("Friendships/acceptLink", "Becomes the friend of whoever made the link.", Token, acceptFriendLink),
  plain("Friendships/dismissSuggestion", "Does not want somebody suggested again.", Person, dismissSuggestion),
  plain("Friendships/suggestAgain", "Takes that back.", Person, suggestAgain),
];
