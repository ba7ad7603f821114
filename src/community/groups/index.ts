export { listGroups, groupIdsMatching, listDiscoverableTopics } from "./group-cards.ts";
export { unreadDiscussionsCount } from "./unread-discussions.ts";
export { groupCardColumns } from "./group-columns.ts";
export type { GroupsQuery } from "./group-cards.ts";
export type { GroupCard } from "./group-columns.ts";
export { ownGroupsOrder } from "./group-orders.ts";
export type { GroupOrder } from "./group-orders.ts";
export { pinGroup, unpinGroup } from "./memberships/pinned-groups.ts";
export { getGroup, getGroupToChange } from "./group.ts";
export type { Group, GroupToChange, NotifyLevel } from "./group.ts";
export { listMembers } from "./memberships/list-members.ts";
export type { Member, MembersQuery } from "./memberships/list-members.ts";
export {
  GroupBan,
  GroupStatusChange,
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
} from "./group-forms.ts";
export { assertCanCreateGroup, createGroup, createSlug } from "./create-group.ts";
export { updateGroup } from "./update-group.ts";
export {
  requestToJoin,
  listGroupsWithoutSuccessor,
  getNotifyLevel,
  joinGroup,
  leaveGroup,
  declineOwnInvitation,
  setNotifyLevel,
  withdrawRequest,
} from "./memberships/join-and-leave.ts";
export { leaveOwnedGroups } from "./ownership/ownerless-groups.ts";
export {
  inviteAddress,
  inviteByName,
  createInviteLink,
  revokeInvitation,
} from "./invitations/create-invitation.ts";
export { listFriendsToInvite, inviteSeveral } from "./invitations/invite-several.ts";
export { listInvitations } from "./invitations/invitations.ts";
export type { Invitation } from "./invitations/invitations.ts";
export { acceptInvitation, declineInvitation, getInvitation } from "./invitations/accept-invitation.ts";
export type { InvitationView } from "./invitations/accept-invitation.ts";
export { registerByInvitation } from "./invitations/register-by-invitation.ts";
export {
  approveJoinRequest,
  declineJoinRequest,
  inviteToGroup,
  listJoinRequests,
} from "./memberships/join-requests.ts";
export type { JoinRequest } from "./memberships/join-requests.ts";
export {
  listDecidedRequests,
  iterateJoinRequests,
  deleteOldRequests,
} from "./memberships/decided-requests.ts";
export type { DecidedRequest, RequestEntry } from "./memberships/decided-requests.ts";
export {
  groupMatchesSearch,
  groupFactsColumns,
  groupFactsJson,
  isGroupModerator,
  canModerateGroup,
  isGroupReadable,
  isGroupVisible,
  isReportAboutOwnGroup,
  joinMembership,
  viewerMembership,
} from "./group-columns.ts";
export {
  latestGroupDiscussions,
  UNREAD_LOOK_BACK,
  isDiscussionUnread,
  viewerReadPositions,
} from "./unread-discussions.ts";
export {
  isContentReadable,
  isDiscussionReadable,
  isReadableAsMember,
  contentReadableSince,
  viewerReadableSince,
} from "./content-visibility.ts";
export {
  appointOwner,
  requestNewOwner,
  declineOwnerRequest,
  getOwnerRequestState,
  listSuccessors,
} from "./ownership/successors.ts";
export type { OwnerRequestState } from "./ownership/successors.ts";
export {
  isOwnerRequested,
  getGroupApprovalQueue,
  approvePendingGroup,
  declinePendingGroup,
  approvalQueueGroupIds,
  isGroupPendingApproval,
} from "./moderation/group-approval-queue.ts";
export type { OrphanedGroup, PendingGroup } from "./moderation/group-approval-queue.ts";
export { moveStartItem, addStartItem, listStartItems, removeStartItem } from "./start-here.ts";
export type { StartItemView } from "./start-here.ts";
export { listRelatedGroups } from "./related-groups.ts";
export type { RelatedGroup } from "./related-groups.ts";
export { listPreviousRules } from "./previous-rules.ts";
export type { PreviousRules } from "./previous-rules.ts";
export { endExpiredBans, expireInvitations, scheduleDueChecks } from "./lifecycle/expiry-jobs.ts";
export {
  cancelScheduledOpening,
  isWiderVisibility,
  NOTICE_DAYS,
  applyDueOpenings,
} from "./lifecycle/scheduled-visibility.ts";
export {
  archiveGroup,
  restoreGroup,
  listDeletedGroups,
  deleteGroup,
  purgeDeletedGroups,
  unarchiveGroup,
} from "./lifecycle/archive-and-delete.ts";
export type { DeletedGroup } from "./lifecycle/archive-and-delete.ts";
export { hasPendingAppeal, listBans, hasOtherModerators } from "./moderation/group-bans.ts";
export type { BannedPerson } from "./moderation/group-bans.ts";
export { appealGroupBan, declineGroupBanAppeal, getOwnBan } from "./moderation/group-ban-appeals.ts";
export type { OwnBan } from "./moderation/group-ban-appeals.ts";
export { requestGroupExport, getGroupExportFile, getGroupExportStatus } from "./export/group-exports.ts";
export type { GroupExportStatus } from "./export/group-exports.ts";
export {
  deleteExpiredGroupExports,
  completeGroupExport,
  markGroupExportTooLarge,
  startGroupExport,
} from "./export/group-export-job.ts";
export type { GroupExportRequest } from "./export/group-export-job.ts";
export { forceArchiveGroup } from "./lifecycle/force-archive.ts";
export { removeGroupPicture, setGroupHeaderStyle, setGroupPicture } from "./group-pictures.ts";
export type { GroupPicture } from "./group-pictures.ts";
export {
  banFromGroup,
  transferOwnership,
  liftGroupBan,
  removeMember,
  setGroupRole,
} from "./moderation/member-roles.ts";
export { type MembershipBefore, readMembershipBefore, undoGroupBan } from "./moderation/ban-undo.ts";
export { listGroupsOfPerson } from "./groups-of-person.ts";
export { grantPurchase, revokePurchase } from "./memberships/purchased-benefits.ts";
