import { describe, expect, test } from "vitest";
import { maybeOne, type Tx } from "#platform/database";
import { blockPerson, unblockPerson } from "#community/friends";
import {
  type Encounter,
  createEncounter,
  isAccepted,
  ENCOUNTER_KINDS,
  runAndRollBack,
} from "../support/block-matrix/encounters.ts";
import type { ContactCommand } from "../support/block-matrix/contact-command.ts";
import { CONTACT_COMMANDS } from "../support/block-matrix/contact-commands.ts";

// Effects of a block on commands (product rules, 4.3), including those exempt by duty. Effects on reading are
// in leak-matrix-blocks.test.ts.

/**
 * Commands that reach no other person: they concern oneself, or content and not its author; they are a
 * moderator's; or they end a relationship.
 */
const REACHING_NOBODY = new Set(
  `revealEmail revealGuestAddress cancelFriendRequest declineFriendRequest removeFriend blockPerson unblockPerson
   mutePerson unmutePerson
   returnPendingPost withdrawPendingPost
   requestExport requestGroupExport setPushTextShown subscribeToPush unsubscribeFromPush
   undoFriendRemoval createFriendLink revokeFriendLink dismissSuggestion undoDismissal
   addWordFilter editWordFilter deleteWordFilter restoreWordFilter
  acceptConversation archiveConversation deleteRequest leaveConversation markConversationRead
  markConversationUnread muteConversation
   removeParticipant renameConversation deleteMessage hideMessage unreactToMessage
  addBookmark clearDueBookmarks removeBookmark deletePost restorePost restoreOwnPost unhidePost
  approveReturnedPost unhideReviewedPost
  unhideResource unhideReviewedResource
  restoreReportedPost appealRemoval appealResourceRemoval appealSanction overruleSanction
  removeReaction markRead markUnread setFollowLevel lockDiscussion pinDiscussion
  renameDiscussion unlockDiscussion unpinDiscussion reopenDiscussion archiveDiscussion
  deleteDiscussion restoreDiscussion
  unarchiveDiscussion moveDiscussion splitDiscussion mergeDiscussion cancelTimer setTimer
  setSlowMode removeLinkPreview discardDraft restoreDraft saveDraft saveConflictingDraft
  createGroup updateGroup requestToJoin joinGroup leaveGroup leaveOwnedGroups declineOwnInvitation
  setNotifyLevel pinGroup unpinGroup withdrawRequest
  createInviteLink revokeInvitation acceptInvitation declineInvitation approveJoinRequest
  declineJoinRequest appointOwner requestNewOwner
  declineOwnerRequest approvePendingGroup declinePendingGroup moveStartItem addStartItem
  removeStartItem cancelScheduledOpening archiveGroup restoreGroup deleteGroup
  unarchiveGroup removeGroupPicture setGroupHeaderStyle banFromGroup appealGroupBan
  declineGroupBanAppeal transferOwnership liftGroupBan removeMember setGroupRole
  addDocumentOrAwaitApproval addFileOrAwaitApproval addLinkOrAwaitApproval
  approvePending approvePendingResource approveReturnedResource
  writeAudit addDocument addFile addLink recordUpload editResource replaceFile restoreVersion
  moveResource suggestAddress answerSuggestion removeResource restoreResource setStatus setRole
  resetCommunity prepareImport runEventImport undoEventImport addSubscription
  removeSubscription requestReading checkInAttendee answerDatePoll closeDatePoll reopenDatePoll deleteDatePoll
  createDatePoll createEventFromPoll
  editEvent stopHosting changeFeed postponeEvent cancelEvent answerEvent
  createRole deleteRole assignRole unassignRole updateProfile updateProfileOrAwaitApproval
  updatePrivacy updateDisplay
  followResource addResourceBookmark removeResourceBookmark featureResource unfeatureResource
  markResourceSeen markEventSeen markDatePollSeen
  createCollection editCollection deleteCollection addToCollection removeFromCollection
  moveInCollection removeCurator
   acceptRules finishWelcome saveWelcomeStep setMailLevel startImport resumeImport requestUndo
  addProfileField restoreProfileField changeProfileField moveProfileField retireProfileField
  answerFields resubscribeToAllMail
  addSiteRule editSiteRule retireSiteRule deleteSiteRule moveSiteRule
  addReportCategory renameReportCategory setReportCategoryOff moveReportCategory
  reportMessages reportPost reportPosts reportPerson reportResource reportGroup viewCase getEvidenceFile resolveCase undoDecision
  claimCase releaseCase handOverCase addCaseNote markDuplicate addPersonNote deletePersonNote
  inspectGroup endInspection inspectDiscussion
  blockAddress unblockAddress saveWatchedWord removeWatchedWord saveLinkDomain removeLinkDomain
  changeWebhook deleteWebhook pauseWebhook resumeWebhook resendDelivery sendTestDelivery
  createIncomingWebhook changeIncomingWebhook rotateIncomingWebhook pauseIncomingWebhook
  deleteIncomingWebhook createBot renameBot removeBotPhoto deleteBot
  openNotification markDiscussionSeen markNotificationRead markNotificationUnread
  markAllNotificationsRead markNotificationsSeen muteNotificationSource allowSenders
   recordRecentSearch clearRecentSearches saveSearch setSearchAlert deleteSavedSearch recordSearchMiss
  assertRenameLimit saveKindChoices changeMailLevel saveQuietHours pauseNotifications
  saveSenderFolder saveDigestSettings createAnnouncement withdrawAnnouncement markAnnouncementSeen`.split(
    /\s+/,
  ),
);

/** The public APIs of the community modules. */
const publicApis = import.meta.glob<Record<string, unknown>>("../../src/community/*/index.ts", {
  eager: true,
});

test("every community command is in the matrix or in the list of commands that affect no other person", () => {
  const commands = Object.values(publicApis).flatMap((publicApi) =>
    Object.entries(publicApi).filter(
      ([, it]) => typeof it === "function" && /^(async )?(function )?\w*\s*\(tx, viewer\b/.test(String(it)),
    ),
  );
  expect(commands.length).toBeGreaterThan(60);
  const covered = Object.values(CONTACT_COMMANDS)
    .map(({ act }) => String(act))
    .join(" ");
  const missing = commands
    .map(([name]) => name)
    .filter((name) => !REACHING_NOBODY.has(name) && !new RegExp(`\\b${name}\\b`).test(covered));
  expect(missing).toEqual([]);
});

const reaches = (
  { before, act, landed }: ContactCommand,
  at: Encounter,
  parting: (tx: Tx) => Promise<void>,
) =>
  runAndRollBack(async (tx) => {
    await before?.(tx, at);
    await parting(tx);
    const answered = await isAccepted(act(tx, at));
    return landed ? (await maybeOne(tx, landed(at))) !== undefined : answered;
  });

/** Commands that require membership in the group; strangers can only read there. */
const NEEDS_MEMBERS =
  /^(createEvent|editEvent|startDiscussion|startOrWait|reply|editPost|react|vote|resolve)/;

describe.each(ENCOUNTER_KINDS)("two people, %s,", (standing) => {
  test("can reach each other by every command, and after a block by none", async () => {
    const { bram, cleo, as } = await createEncounter(standing);
    const verbs = Object.entries(CONTACT_COMMANDS).filter(
      ([name]) => standing !== "strangers" || !NEEDS_MEMBERS.test(name),
    );
    for (const at of [as("bram", "cleo"), as("cleo", "bram")]) {
      const who = at.me === bram ? "blocker" : "blocked";
      for (const [name, verb] of verbs) {
        expect([who, name, await reaches(verb, at, async () => undefined)]).toEqual([who, name, true]);
        const blocked = await reaches(verb, at, (tx) => blockPerson(tx, bram, { personId: cleo.id }));
        expect([who, name, "after a block", blocked]).toEqual([who, name, "after a block", false]);
        const again = (tx: Tx) =>
          blockPerson(tx, bram, { personId: cleo.id }).then(() =>
            unblockPerson(tx, bram, { personId: cleo.id }),
          );
        // A block deletes pending requests for good: there is none to accept any more.
        if (name !== "acceptFriendRequest")
          expect([who, name, await reaches(verb, at, again)]).toEqual([who, name, true]);
      }
    }
  });
});
