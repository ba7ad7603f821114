import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type Visibility = "public" | "private" | "secret";
export type JoinPolicy = "open" | "request" | "invite";
export type GroupRole = "member" | "moderator" | "owner";
export type HistoryPolicy = "shared" | "from_joining";
/** Content of a group: time of its last post, and whether it is members-only even in a public group. */
export type ContentFacts = { audience: "group" | "members"; at: Date };
export type GroupCreators = "established" | "members" | "staff";
export type GroupFacts = {
  visibility: Visibility;
  joinPolicy: JoinPolicy;
  historyPolicy: HistoryPolicy;
  state: "pending" | "active" | "archived" | "deleted";
  /** The viewer's membership status; null without one. */
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
  /** Replies in a public group: by members, or by every signed-in reader. */
  repliesBy: "members" | "readers";
  /** Role required to start discussions, and to invite. */
  startsBy: "members" | "moderators";
  /** Members who create events, among those who may start discussions. */
  eventsBy: "members" | "established" | "moderators";
  invitesBy: "members" | "moderators";
  /**
   * For members who do not moderate: from when they read members-only content, in milliseconds; null for all
   * of it.
   */
  viewerSince: number | null;
};

const isMember = (group: GroupFacts) => group.viewerState === "member";
const isGroupModerator = (group: GroupFacts) =>
  isMember(group) && (group.viewerRole === "owner" || group.viewerRole === "moderator");
/** Everyone who reads the group reads this. */
const isReadableByAll = (group: GroupFacts, it: Pick<ContentFacts, "audience">) =>
  group.state !== "pending" && group.visibility === "public" && it.audience === "group";
/** Staff may take part in public groups without being members. */
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

/** Permissions in a group (product rules, 4.4). Site moderators are not members automatically. */
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
   * Inspect a group they cannot read, with a reason and for a limited time (product rules, 4.4); its owners
   * are notified.
   */
  inspect: (viewer: Viewer, group: GroupFacts) =>
    viewer.role === "admin" && group.state !== "deleted" && !groupRules.read(viewer, group),
  /** Report it to staff; moderators of the group can change it themselves. */
  report: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && groupRules.see(viewer, group) && !isGroupModerator(group),
  /** People who see content despite blocks: moderators, who cannot be blocked in that role. */
  pastBlocks: (viewer: Viewer, group: GroupFacts): boolean => isStaff(viewer) || isGroupModerator(group),
  /** From when the viewer reads, in milliseconds; null for all of it. Moderators read all. */
  readsFrom: (group: GroupFacts, it: Pick<ContentFacts, "audience">): number | null =>
    isMember(group) && !isGroupModerator(group) && !isReadableByAll(group, it) ? group.viewerSince : null,
  readContent: (viewer: Viewer, group: GroupFacts, contentFacts: ContentFacts): boolean =>
    groupRules.read(viewer, group) &&
    (isReadableByAll(group, contentFacts) ||
      (isMember(group) &&
        contentFacts.at.getTime() >= (groupRules.readsFrom(group, contentFacts) ?? -Infinity))),
  /** See the list of members. */
  seeMembers: (viewer: Viewer, group: GroupFacts) => isSignedIn(viewer) && groupRules.read(viewer, group),
  /** `founders`: who may, by the site settings. */
  create: (viewer: Viewer, founders: GroupCreators) =>
    isSignedIn(viewer) &&
    !viewer.limited &&
    (isStaff(viewer) ||
      founders === "members" ||
      (founders === "established" && viewer.trust === "established")),
  /** Whether a new group of theirs needs approval, by the site settings. */
  waits: (viewer: Viewer, newcomersGroups: "open" | "approval") =>
    newcomersGroups === "approval" && viewer.trust === "new" && !isStaff(viewer),
  join: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) &&
    group.state === "active" &&
    !isMember(group) &&
    group.viewerState !== "banned" &&
    (group.joinPolicy === "open" || group.viewerState === "invited"),
  /** A declined person can apply again from `askAgainAt` on. */
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
  /** Decide on applications. In an archived group they can only be declined. */
  approveMembers: (_who: Viewer, group: GroupFacts) => isGroupModerator(group),
  approveRequests: (viewer: Viewer, group: GroupFacts) =>
    group.state === "active" && groupRules.approveMembers(viewer, group),
  write: canWrite,
  /** Reply and react in its discussions. */
  answer: (viewer: Viewer, group: GroupFacts) => canWrite(viewer, group) || canReadersReply(viewer, group),
  start: (viewer: Viewer, group: GroupFacts) =>
    canWrite(viewer, group) && (group.startsBy === "members" || isGroupModerator(group) || isStaff(viewer)),
  addResource: canWrite,
  /** Lock, pin, and remove posts of others. */
  moderate: (viewer: Viewer, group: GroupFacts) =>
    group.state === "active" && (isGroupModerator(group) || isStaffInPublicGroup(viewer, group)),
  /** Edit posts of others. Site staff can remove but not edit. */
  amend: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && !viewer.limited && group.state === "active" && isGroupModerator(group),
  /** Name, purpose, rules. */
  edit: (_who: Viewer, group: GroupFacts) =>
    (group.state === "active" || group.state === "pending") && isGroupModerator(group),
  /** Change visibility and join policy. */
  manage: (_who: Viewer, group: GroupFacts) => isMember(group) && group.viewerRole === "owner",
  /** Export all they can read in it as a file. Admins export the whole community on the server. */
  export: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && group.state !== "deleted" && groupRules.manage(viewer, group),
  /** Archive and delete it, and undo either. */
  close: (viewer: Viewer, group: GroupFacts) => groupRules.manage(viewer, group) || viewer.role === "admin",
  /**
   * Ask the site for an owner when none is active: a moderator, or any member if no moderator is active
   * (`moderated`).
   */
  requestOwner: (_who: Viewer, group: GroupFacts, moderated: boolean) =>
    group.state !== "pending" &&
    isMember(group) &&
    group.viewerRole !== "owner" &&
    (isGroupModerator(group) || !moderated),
  /** Remove or ban a member. Only owners can remove owners. */
  remove: (viewer: Viewer, group: GroupFacts, other: { id: string; role: GroupRole | null }) =>
    isSignedIn(viewer) &&
    viewer.id !== other.id &&
    (groupRules.manage(viewer, group) ||
      ((isGroupModerator(group) || viewer.role === "admin") && other.role !== "owner")),
  /** Own roles cannot be changed. */
  setRole: (viewer: Viewer, group: GroupFacts, other: { id: string }) =>
    isSignedIn(viewer) &&
    viewer.id !== other.id &&
    group.state === "active" &&
    groupRules.manage(viewer, group),
};
