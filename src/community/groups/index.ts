export { groupsFor, cardColumns, groupsWith, topicsToDiscover, unreadIn } from "./cards.ts";
export type { GroupCard, GroupsQuery } from "./cards.ts";
export { ownOrder } from "./orders.ts";
export type { GroupOrder } from "./orders.ts";
export { pinGroup, unpinGroup } from "./pinning.ts";
export { groupFor, groupToChange } from "./group.ts";
export type { Group, GroupAsFound, NotifyLevel } from "./group.ts";
export { membersOf } from "./members.ts";
export type { Member, MembersQuery } from "./members.ts";
export {
  Ban,
  Closing,
  Declining,
  GroupChange,
  InvitationAnswer,
  InviteAddress,
  InviteLink,
  InvitePerson,
  InviteSeveral,
  JoinAnswers,
  NewAppeal,
  NewGroup,
  OnSomebody,
  Removal,
  RoleChange,
  StartItem,
  StartMove,
  StartPut,
  Turning,
} from "./forms.ts";
export { assertFounder, createGroup, freeSlug } from "./make.ts";
export { updateGroup } from "./change.ts";
export { askToJoin, groupsWithoutHeir, joinGroup, leaveGroup, refuseInvitation, setGroupNotices, withdrawRequest } from "./joining.ts";
export { leaveGroupsBehind } from "./ownerless.ts";
export { inviteAddress, inviteByName, makeInviteLink, revokeInvitation } from "./inviting.ts";
export { friendsToInvite, inviteSeveral } from "./inviting-several.ts";
export { invitationsOf } from "./invitations.ts";
export type { Invitation } from "./invitations.ts";
export { acceptInvitation, declineInvitation, invitationFor } from "./invited.ts";
export type { InvitationFound } from "./invited.ts";
export { registerInvited } from "./registering.ts";
export { admit, decline, inviteToGroup, requestsOf } from "./leading.ts";
export type { JoinRequest } from "./leading.ts";
export { decidedRequests, everyRequest, forgetRequests } from "./decided-requests.ts";
export type { DecidedRequest, RequestLine } from "./decided-requests.ts";
export {
  contentReadable,
  discussionReadable,
  groupCalled,
  groupFactsColumns,
  groupFactsJson,
  groupLed,
  groupModerated,
  groupReadable,
  groupVisible,
  ownGroupReported,
  latestIn,
  LOOK_BACK,
  pastBlocks,
  readAsMember,
  readsFrom,
  somethingNew,
  viewerSince,
  viewersReading,
  viewersTie,
} from "./sight.ts";
export { appointHeir, askForHeir, declineHeir, heirStanding, successorsOf } from "./heirs.ts";
export type { HeirStanding } from "./heirs.ts";
export { asksForOwner, groupsDesk, letGroupIn, turnGroupDown, waitingAtDesk, waitsToBeLetIn } from "./desk.ts";
export type { OrphanedGroup, PendingGroup } from "./desk.ts";
export { moveAtStart, putAtStart, startOf, takeFromStart } from "./start-here.ts";
export type { StartLine } from "./start-here.ts";
export { relatedGroups } from "./related.ts";
export type { RelatedGroup } from "./related.ts";
export { rulesBefore } from "./rules-before.ts";
export type { RulesBefore } from "./rules-before.ts";
export { endBans, expireInvitations, lookAgain } from "./due.ts";
export { cancelOpening, isWider, NOTICE_DAYS, openWhatIsDue } from "./opening.ts";
export { archiveGroup, bringBack, deletedGroups, deleteGroup, purgeDeleted, unarchiveGroup } from "./closing.ts";
export type { DeletedGroup } from "./closing.ts";
export { appealWaits, keptOutOf, othersLead } from "./kept-out.ts";
export type { KeptOut } from "./kept-out.ts";
export { appealGroupBan, declineAppeal, ownBan } from "./appeals.ts";
export type { OwnBan } from "./appeals.ts";
export { askForGroupExport, groupExportFileFor, groupExports } from "./taking-along.ts";
export type { GroupExports } from "./taking-along.ts";
export { forgetGroupExports, groupExportReady, groupExportTooLarge, takeUpGroupExport } from "./taken-along.ts";
export type { WantedExport } from "./taken-along.ts";
export { putToRest } from "./resting.ts";
export { removeGroupPicture, setGroupGround, setGroupPicture } from "./pictures.ts";
export type { GroupPicture } from "./pictures.ts";
export { banFromGroup, handOver, liftGroupBan, removeMember, setGroupRole } from "./roles.ts";
export { groupsOf } from "./of-person.ts";
export { givePurchased, takePurchased } from "./purchased.ts";
