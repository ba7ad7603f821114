export { listGroups, groupCardColumns, groupIdsMatching, listDiscoverableTopics, unreadDiscussionsCount } from "./cards.ts";
export type { GroupCard, GroupsQuery } from "./cards.ts";
export { ownOrder } from "./orders.ts";
export type { GroupOrder } from "./orders.ts";
export { pinGroup, unpinGroup } from "./pinning.ts";
export { getGroup, getGroupToChange } from "./group.ts";
export type { Group, GroupToChange, NotifyLevel } from "./group.ts";
export { listMembers } from "./members.ts";
export type { Member, MembersQuery } from "./members.ts";
export {
  GroupBan,
  GroupClosing,
  RequestDecline,
  GroupChange,
  InvitationAnswer,
  InviteAddress,
  InviteLink,
  InvitePerson,
  InviteSeveral,
  JoinAnswers,
  NewAppeal,
  NewGroup,
  GroupPersonInput,
  MemberRemoval,
  RoleChange,
  StartItem,
  StartItemMove,
  NewStartItem,
  GroupDecline,
} from "./forms.ts";
export { assertCanCreateGroup, createGroup, createSlug } from "./make.ts";
export { updateGroup } from "./change.ts";
export {
  requestToJoin,
  listGroupsWithoutSuccessor,
  joinGroup,
  leaveGroup,
  declineOwnInvitation,
  setNotifyLevel,
  withdrawRequest,
} from "./joining.ts";
export { leaveOwnedGroups } from "./ownerless.ts";
export { inviteAddress, inviteByName, createInviteLink, revokeInvitation } from "./inviting.ts";
export { listFriendsToInvite, inviteSeveral } from "./inviting-several.ts";
export { listInvitations } from "./invitations.ts";
export type { Invitation } from "./invitations.ts";
export { acceptInvitation, declineInvitation, getInvitation } from "./invited.ts";
export type { InvitationView } from "./invited.ts";
export { registerByInvitation } from "./registering.ts";
export { approveJoinRequest, declineJoinRequest, inviteToGroup, listJoinRequests } from "./leading.ts";
export type { JoinRequest } from "./leading.ts";
export { listDecidedRequests, iterateJoinRequests, deleteOldRequests } from "./decided-requests.ts";
export type { DecidedRequest, RequestEntry } from "./decided-requests.ts";
export {
  contentReadable,
  discussionReadable,
  groupMatches,
  groupFactsColumns,
  groupFactsJson,
  isGroupModerator,
  canModerateGroup,
  groupReadable,
  groupVisible,
  isAboutOwnGroup,
  latestGroupDiscussions,
  UNREAD_LOOK_BACK,
  canSeePastBlocks,
  isReadableAsMember,
  contentReadsFrom,
  isDiscussionUnread,
  viewerReadsFrom,
  viewerReadPositions,
  viewerMembership,
} from "./sight.ts";
export { appointOwner, requestNewOwner, declineOwnerRequest, getOwnerRequestState, listSuccessors } from "./heirs.ts";
export type { OwnerRequestState } from "./heirs.ts";
export {
  isOwnerRequested,
  getGroupApprovalQueue,
  approvePendingGroup,
  declinePendingGroup,
  approvalQueueGroupIds,
  isGroupPendingApproval,
} from "./desk.ts";
export type { OrphanedGroup, PendingGroup } from "./desk.ts";
export { moveStartItem, addStartItem, listStartItems, removeStartItem } from "./start-here.ts";
export type { StartItemView } from "./start-here.ts";
export { listRelatedGroups } from "./related.ts";
export type { RelatedGroup } from "./related.ts";
export { listPreviousRules } from "./rules-before.ts";
export type { PreviousRules } from "./rules-before.ts";
export { endExpiredBans, expireInvitations, scheduleDueChecks } from "./due.ts";
export { cancelScheduledOpening, isWiderVisibility, NOTICE_DAYS, applyDueOpenings } from "./opening.ts";
export { archiveGroup, restoreGroup, listDeletedGroups, deleteGroup, purgeDeletedGroups, unarchiveGroup } from "./closing.ts";
export type { DeletedGroup } from "./closing.ts";
export { hasPendingAppeal, listBans, hasOtherModerators } from "./kept-out.ts";
export type { BannedPerson } from "./kept-out.ts";
export { appealGroupBan, declineGroupBanAppeal, getOwnBan } from "./appeals.ts";
export type { OwnBan } from "./appeals.ts";
export { requestGroupExport, getGroupExportFile, getGroupExportStatus } from "./taking-along.ts";
export type { GroupExportStatus } from "./taking-along.ts";
export { deleteExpiredGroupExports, completeGroupExport, markGroupExportTooLarge, startGroupExport } from "./taken-along.ts";
export type { GroupExportRequest } from "./taken-along.ts";
export { forceArchiveGroup } from "./resting.ts";
export { removeGroupPicture, setGroupHeaderStyle, setGroupPicture } from "./pictures.ts";
export type { GroupPicture } from "./pictures.ts";
export { banFromGroup, transferOwnership, liftGroupBan, removeMember, setGroupRole } from "./roles.ts";
export { listGroupsOfPerson } from "./of-person.ts";
export { grantPurchase, revokePurchase } from "./purchased.ts";
