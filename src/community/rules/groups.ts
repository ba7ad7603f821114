import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type Visibility = "public" | "private" | "secret";
export type JoinPolicy = "open" | "request" | "invite";
export type GroupRole = "member" | "moderator" | "owner";
export type HistoryPolicy = "shared" | "from_joining";
/**
 * Facts of content in a group: the time of its last post, and whether it is members-only even in a public
 * group.
 */
export type ContentFacts = { audience: "group" | "members"; at: Date };
export type GroupCreators = "established" | "members" | "staff";
export type GroupFacts = {
  visibility: Visibility;
  joinPolicy: JoinPolicy;
  historyPolicy: HistoryPolicy;
  state: "pending" | "active" | "archived" | "deleted";
  /** The viewer's membership status; null if they have none. */
  viewerState:
    | "requested"
    | "invited"
    | "member"
    | "declined"
    | "withdrawn"
    | "refused"
    | "expired"
    | "left"
    | "removed"
    | "banned"
    | null;
  viewerRole: GroupRole | null;
  /** People who may reply in a public group: members, or every signed-in reader. */
  repliesBy: "members" | "readers";
  /** Role required to start discussions, and to invite. */
  startsBy: "members" | "moderators";
  /** Which of the members who may start discussions may create events. */
  eventsBy: "members" | "established" | "moderators";
  invitesBy: "members" | "moderators";
  /**
   * Time in milliseconds from which a member who is not a moderator can read members-only content; null if
   * they can read all of it.
   */
  viewerSince: number | null;
};

const isMember = (group: GroupFacts) => group.viewerState === "member";
const isGroupModerator = (group: GroupFacts) =>
  isMember(group) && (group.viewerRole === "owner" || group.viewerRole === "moderator");
/** Whether the content is readable for everyone: it is in a public group and not members-only. */
const isReadableByAll = (group: GroupFacts, it: Pick<ContentFacts, "audience">) =>
  group.state !== "pending" && group.visibility === "public" && it.audience === "group";
/** Whether the viewer is staff and the group is public: staff may take part in it without being members. */
const isStaffInPublicGroup = (viewer: Viewer, group: GroupFacts) =>
  isStaff(viewer) && group.visibility === "public" && group.viewerState !== "banned";
const canWrite = (viewer: Viewer, group: GroupFacts) =>
  isSignedIn(viewer) &&
  !viewer.limited &&
  group.state === "active" &&
  (isMember(group) || isStaffInPublicGroup(viewer, group));

const canReadersReply = (viewer: Viewer, group: GroupFacts) =>
  isSignedIn(viewer) &&
  !viewer.limited &&
  group.state === "active" &&
  group.visibility === "public" &&
  group.repliesBy === "readers" &&
  group.viewerState !== "banned";

/** Permissions in a group (product rules, 4.4). Site moderators are not automatically members. */
export const groupRules = {
  see: (_who: Viewer, group: GroupFacts) =>
    group.state !== "deleted" &&
    (isMember(group) ||
      (group.state !== "pending" && (group.visibility !== "secret" || group.viewerState === "invited"))),
  read: (_who: Viewer, group: GroupFacts) =>
    group.state !== "deleted" &&
    (isMember(group) ||
      (group.state !== "pending" && group.visibility === "public" && group.viewerState !== "banned")),
  /**
   * Whether the viewer may inspect a group that they cannot read, with a reason and for a limited time
   * (product rules, 4.4). Its owners are notified.
   */
  inspect: (viewer: Viewer, group: GroupFacts) =>
    viewer.role === "admin" && group.state !== "deleted" && !groupRules.read(viewer, group),
  /**
   * Whether the viewer may report the group to staff, also as a guest. The group's moderators may not: they can
   * change the group themselves.
   */
  report: (viewer: Viewer, group: GroupFacts) => groupRules.see(viewer, group) && !isGroupModerator(group),
  /**
   * Whether the viewer sees content despite blocks: moderators do, because they cannot be blocked in that
   * role.
   */
  pastBlocks: (viewer: Viewer, group: GroupFacts): boolean => isStaff(viewer) || isGroupModerator(group),
  /**
   * Time in milliseconds from which the viewer can read the content; null if they can read all of it.
   * Moderators can read everything.
   */
  readsFrom: (group: GroupFacts, it: Pick<ContentFacts, "audience">): number | null =>
    isMember(group) && !isGroupModerator(group) && !isReadableByAll(group, it) ? group.viewerSince : null,
  readContent: (viewer: Viewer, group: GroupFacts, contentFacts: ContentFacts): boolean =>
    groupRules.read(viewer, group) &&
    (isReadableByAll(group, contentFacts) ||
      (isMember(group) &&
        contentFacts.at.getTime() >= (groupRules.readsFrom(group, contentFacts) ?? -Infinity))),
  /** Whether the viewer sees the list of members. */
  seeMembers: (viewer: Viewer, group: GroupFacts) => isSignedIn(viewer) && groupRules.read(viewer, group),
  /**
   * Whether the viewer may create groups. `founders`: who may create groups according to the site settings.
   */
  create: (viewer: Viewer, founders: GroupCreators) =>
    isSignedIn(viewer) &&
    !viewer.limited &&
    (isStaff(viewer) ||
      founders === "members" ||
      (founders === "established" && viewer.trust === "established")),
  /** Whether a new group of the viewer needs approval, according to the site settings. */
  waits: (viewer: Viewer, newcomersGroups: "open" | "approval") =>
    newcomersGroups === "approval" && viewer.trust === "new" && !isStaff(viewer),
  join: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) &&
    group.state === "active" &&
    !isMember(group) &&
    group.viewerState !== "banned" &&
    (group.joinPolicy === "open" || group.viewerState === "invited"),
  /** Whether the viewer may apply. A declined person can apply again from `canRequestAgainAt` on. */
  ask: (viewer: Viewer, group: GroupFacts & { askAgainAt: Date | null }, now: Date) =>
    isSignedIn(viewer) &&
    (group.askAgainAt === null || group.askAgainAt <= now) &&
    group.state === "active" &&
    group.joinPolicy === "request" &&
    group.visibility !== "secret" &&
    !isMember(group) &&
    !["banned", "requested", "invited"].includes(group.viewerState ?? ""),
  leave: (_who: Viewer, group: GroupFacts) => isMember(group),
  invite: (viewer: Viewer, group: GroupFacts) =>
    !viewer.limited &&
    group.state === "active" &&
    isMember(group) &&
    (group.invitesBy === "members" || isGroupModerator(group)),
  /**
   * Whether the viewer may decide on applications. In an archived group, applications can only be declined.
   */
  approveMembers: (_who: Viewer, group: GroupFacts) => isGroupModerator(group),
  approveRequests: (viewer: Viewer, group: GroupFacts) =>
    group.state === "active" && groupRules.approveMembers(viewer, group),
  write: canWrite,
  /** Whether the viewer may reply and react in the group's discussions. */
  answer: (viewer: Viewer, group: GroupFacts) => canWrite(viewer, group) || canReadersReply(viewer, group),
  start: (viewer: Viewer, group: GroupFacts) =>
    canWrite(viewer, group) && (group.startsBy === "members" || isGroupModerator(group) || isStaff(viewer)),
  addResource: canWrite,
  /** Whether the viewer may close and pin discussions, and remove posts of others. */
  moderate: (viewer: Viewer, group: GroupFacts) =>
    group.state === "active" && (isGroupModerator(group) || isStaffInPublicGroup(viewer, group)),
  /** Whether the viewer may edit posts of others. Site staff can remove such posts but not edit them. */
  amend: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && !viewer.limited && group.state === "active" && isGroupModerator(group),
  /** Whether the viewer may edit name, purpose and rules. */
  edit: (_who: Viewer, group: GroupFacts) =>
    (group.state === "active" || group.state === "pending") && isGroupModerator(group),
  /** Whether the viewer may change visibility and join policy. */
  manage: (_who: Viewer, group: GroupFacts) => isMember(group) && group.viewerRole === "owner",
  /**
   * Whether the viewer may export everything that they can read in the group. Admins export the whole
   * community on the server.
   */
  export: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && group.state !== "deleted" && groupRules.manage(viewer, group),
  /** Whether the viewer may archive, delete and restore the group. */
  close: (viewer: Viewer, group: GroupFacts) => groupRules.manage(viewer, group) || viewer.role === "admin",
  /**
   * Whether the viewer may ask staff for an owner when no owner is active: a moderator, or any member if no
   * moderator is active (`moderated` is then false).
   */
  requestOwner: (_who: Viewer, group: GroupFacts, moderated: boolean) =>
    group.state !== "pending" &&
    isMember(group) &&
    group.viewerRole !== "owner" &&
    (isGroupModerator(group) || !moderated),
  /** Whether the viewer may remove or ban a member. Only owners can remove owners. */
  remove: (viewer: Viewer, group: GroupFacts, other: { id: string; role: GroupRole | null }) =>
    isSignedIn(viewer) &&
    viewer.id !== other.id &&
    (groupRules.manage(viewer, group) ||
      ((isGroupModerator(group) || viewer.role === "admin") && other.role !== "owner")),
  /** Whether the viewer may change another member's role. Nobody can change their own. */
  setRole: (viewer: Viewer, group: GroupFacts, other: { id: string }) =>
    isSignedIn(viewer) &&
    viewer.id !== other.id &&
    group.state === "active" &&
    groupRules.manage(viewer, group),
};
