import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type Visibility = "public" | "private" | "secret";
export type JoinPolicy = "open" | "request" | "invite";
export type GroupRole = "member" | "moderator" | "owner";
export type HistoryPolicy = "shared" | "from_joining";
/** Content of a group: time of its last post, and whether it is members-only even in a public group. */
export type ContentFacts = { audience: "group" | "members"; at: Date };
/**
 * In a shared group blocked people see numbered stubs of each other's posts. If true, the blocked person
 * could still read.
 */
export const BLOCKED_READ_ON: boolean = false;
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
const isStaffInPublicGroup = (who: Viewer, group: GroupFacts) =>
  isStaff(who) && group.visibility === "public" && group.viewerState !== "banned";
const canWrite = (who: Viewer, group: GroupFacts) =>
  isSignedIn(who) &&
  !who.limited &&
  group.state === "active" &&
  (isMember(group) || isStaffInPublicGroup(who, group));

const canReadersReply = (who: Viewer, group: GroupFacts) =>
  isSignedIn(who) &&
  !who.limited &&
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
  inspect: (who: Viewer, group: GroupFacts) =>
    who.role === "admin" && group.state !== "deleted" && !groupRules.read(who, group),
  /** Report it to staff; moderators of the group can change it themselves. */
  report: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) && groupRules.see(who, group) && !isGroupModerator(group),
  /**
   * People who see content despite blocks: moderators, who cannot be blocked in that role. `readOn` is the
   * only switch.
   */
  pastBlocks: (who: Viewer, group: GroupFacts, readOn: boolean = BLOCKED_READ_ON): boolean =>
    readOn || isStaff(who) || isGroupModerator(group),
  /** From when the viewer reads, in milliseconds; null for all of it. Moderators read all. */
  readsFrom: (group: GroupFacts, it: Pick<ContentFacts, "audience">): number | null =>
    isMember(group) && !isGroupModerator(group) && !isReadableByAll(group, it) ? group.viewerSince : null,
  readContent: (who: Viewer, group: GroupFacts, it: ContentFacts): boolean =>
    groupRules.read(who, group) &&
    (isReadableByAll(group, it) ||
      (isMember(group) && it.at.getTime() >= (groupRules.readsFrom(group, it) ?? -Infinity))),
  /** See the list of members. */
  seeMembers: (who: Viewer, group: GroupFacts) => isSignedIn(who) && groupRules.read(who, group),
  /** `founders`: who may, by the site settings. */
  create: (who: Viewer, founders: GroupCreators) =>
    isSignedIn(who) &&
    !who.limited &&
    (isStaff(who) || founders === "members" || (founders === "established" && who.trust === "established")),
  /** Whether a new group of theirs needs approval, by the site settings. */
  waits: (who: Viewer, newcomersGroups: "open" | "approval") =>
    newcomersGroups === "approval" && who.trust === "new" && !isStaff(who),
  join: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) &&
    group.state === "active" &&
    !isMember(group) &&
    group.viewerState !== "banned" &&
    (group.joinPolicy === "open" || group.viewerState === "invited"),
  /** A declined person can apply again from `askAgainAt` on. */
  ask: (who: Viewer, group: GroupFacts & { askAgainAt: Date | null }, now: Date) =>
    isSignedIn(who) &&
    (group.askAgainAt === null || group.askAgainAt <= now) &&
    group.state === "active" &&
    group.joinPolicy === "request" &&
    group.visibility !== "secret" &&
    !isMember(group) &&
    !["banned", "requested", "invited"].includes(group.viewerState ?? ""),
  leave: (_who: Viewer, group: GroupFacts) => isMember(group),
  invite: (who: Viewer, group: GroupFacts) =>
    !who.limited &&
    group.state === "active" &&
    isMember(group) &&
    (group.invitesBy === "members" || isGroupModerator(group)),
  /** Decide on applications. In an archived group they can only be declined. */
  admit: (_who: Viewer, group: GroupFacts) => isGroupModerator(group),
  letIn: (who: Viewer, group: GroupFacts) => group.state === "active" && groupRules.admit(who, group),
  write: canWrite,
  /** Reply and react in its discussions. */
  answer: (who: Viewer, group: GroupFacts) => canWrite(who, group) || canReadersReply(who, group),
  start: (who: Viewer, group: GroupFacts) =>
    canWrite(who, group) && (group.startsBy === "members" || isGroupModerator(group) || isStaff(who)),
  addResource: canWrite,
  /** Lock, pin, and remove posts of others. */
  moderate: (who: Viewer, group: GroupFacts) =>
    group.state === "active" && (isGroupModerator(group) || isStaffInPublicGroup(who, group)),
  /** Edit posts of others. Site staff can remove but not edit. */
  amend: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) && !who.limited && group.state === "active" && isGroupModerator(group),
  /** Name, purpose, rules. */
  edit: (_who: Viewer, group: GroupFacts) =>
    (group.state === "active" || group.state === "pending") && isGroupModerator(group),
  /** Change visibility and join policy. */
  manage: (_who: Viewer, group: GroupFacts) => isMember(group) && group.viewerRole === "owner",
  /** Export all they can read in it as a file. Admins export the whole community on the server. */
  export: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) && group.state !== "deleted" && groupRules.manage(who, group),
  /** Archive and delete it, and undo either. */
  close: (who: Viewer, group: GroupFacts) => groupRules.manage(who, group) || who.role === "admin",
  /**
   * Ask the site for an owner when none is active: a moderator, or any member if no moderator is active
   * (`moderated`).
   */
  askForHeir: (_who: Viewer, group: GroupFacts, moderated: boolean) =>
    group.state !== "pending" &&
    isMember(group) &&
    group.viewerRole !== "owner" &&
    (isGroupModerator(group) || !moderated),
  /** Remove or ban a member. Only owners can remove owners. */
  remove: (who: Viewer, group: GroupFacts, other: { id: string; role: GroupRole | null }) =>
    isSignedIn(who) &&
    who.id !== other.id &&
    (groupRules.manage(who, group) ||
      ((isGroupModerator(group) || who.role === "admin") && other.role !== "owner")),
  /** Own roles cannot be changed. */
  setRole: (who: Viewer, group: GroupFacts, other: { id: string }) =>
    isSignedIn(who) && who.id !== other.id && group.state === "active" && groupRules.manage(who, group),
};
