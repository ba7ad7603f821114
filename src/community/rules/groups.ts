import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type Visibility = "public" | "private" | "secret";
export type JoinPolicy = "open" | "request" | "invite";
export type GroupRole = "member" | "moderator" | "owner";
export type HistoryPolicy = "shared" | "from_joining";
/** What stands in a group: when something was last said in it, and whether it is for the members even of a public group. */
export type ContentFacts = { audience: "group" | "members"; at: Date };
/** In a group that two people share, both find numbered stubs where the other wrote. Were this true, the blocked one would read on. */
export const BLOCKED_READ_ON: boolean = false;
export type Founders = "established" | "members" | "staff";
export type GroupFacts = {
  visibility: Visibility;
  joinPolicy: JoinPolicy;
  historyPolicy: HistoryPolicy;
  state: "pending" | "active" | "archived" | "deleted";
  /** The viewer's own tie to the group; null when there is none. */
  viewerState: "requested" | "invited" | "member" | "declined" | "withdrawn" | "refused" | "expired" | "left" | "removed" | "banned" | null;
  viewerRole: GroupRole | null;
  /** Who answers in a public group: its members, or whoever reads along with an account. */
  repliesBy: "members" | "readers";
  /** Who starts discussions, and who invites. */
  startsBy: "members" | "moderators";
  invitesBy: "members" | "moderators";
  /** For a member who does not look after it: from when on they read what is for members, in milliseconds; null for all of it. */
  viewerSince: number | null;
};

const belongs = (group: GroupFacts) => group.viewerState === "member";
const leads = (group: GroupFacts) => belongs(group) && (group.viewerRole === "owner" || group.viewerRole === "moderator");
/** Whoever reads the group reads this: nothing but the group itself keeps it from anybody. */
const isOpen = (group: GroupFacts, it: Pick<ContentFacts, "audience">) =>
  group.state !== "pending" && group.visibility === "public" && it.audience === "group";
/** Those who look after the whole site may take part where everybody may read. They are members nowhere by that alone. */
const staffInPublic = (who: Viewer, group: GroupFacts) => isStaff(who) && group.visibility === "public" && group.viewerState !== "banned";
const writes = (who: Viewer, group: GroupFacts) =>
  isSignedIn(who) && !who.limited && group.state === "active" && (belongs(group) || staffInPublic(who, group));

const readersAnswer = (who: Viewer, group: GroupFacts) =>
  isSignedIn(who) &&
  !who.limited &&
  group.state === "active" &&
  group.visibility === "public" &&
  group.repliesBy === "readers" &&
  group.viewerState !== "banned";

/** Who may do what in a group (product rules, 4.4). A moderator of the whole site is no member by that alone. */
export const groupRules = {
  see: (_who: Viewer, group: GroupFacts) =>
    group.state !== "deleted" &&
    (belongs(group) || (group.state !== "pending" && (group.visibility !== "secret" || group.viewerState === "invited"))),
  read: (_who: Viewer, group: GroupFacts) =>
    group.state !== "deleted" &&
    (belongs(group) || (group.state !== "pending" && group.visibility === "public" && group.viewerState !== "banned")),
  /** Look into what they do not read, for a reason and for a while (product rules, 4.4): its owners are told. */
  inspect: (who: Viewer, group: GroupFacts) => who.role === "admin" && group.state !== "deleted" && !groupRules.read(who, group),
  /** Show it to staff: who looks after it can change what it says. */
  report: (who: Viewer, group: GroupFacts) => isSignedIn(who) && groupRules.see(who, group) && !leads(group),
  /** Whom no block keeps from what stands in the group: who looks after it cannot be blocked in that capacity. The one switch is `readOn`. */
  pastBlocks: (who: Viewer, group: GroupFacts, readOn: boolean = BLOCKED_READ_ON): boolean => readOn || isStaff(who) || leads(group),
  /** From when on the viewer reads, in milliseconds; null for all of it. Those who look after the group read all. */
  readsFrom: (group: GroupFacts, it: Pick<ContentFacts, "audience">): number | null =>
    belongs(group) && !leads(group) && !isOpen(group, it) ? group.viewerSince : null,
  /** Something that stands in the group. */
  readContent: (who: Viewer, group: GroupFacts, it: ContentFacts): boolean =>
    groupRules.read(who, group) &&
    (isOpen(group, it) || (belongs(group) && it.at.getTime() >= (groupRules.readsFrom(group, it) ?? -Infinity))),
  /** Who is in it, by name. */
  seeMembers: (who: Viewer, group: GroupFacts) => isSignedIn(who) && groupRules.read(who, group),
  /** `founders`: who may, as the site says. */
  create: (who: Viewer, founders: Founders) =>
    isSignedIn(who) &&
    !who.limited &&
    (isStaff(who) || founders === "members" || (founders === "established" && who.trust === "established")),
  /** Whether a new group of theirs waits until staff let it in, as the site says. */
  waits: (who: Viewer, newcomersGroups: "open" | "approval") => newcomersGroups === "approval" && who.trust === "new" && !isStaff(who),
  join: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) &&
    group.state === "active" &&
    !belongs(group) &&
    group.viewerState !== "banned" &&
    (group.joinPolicy === "open" || group.viewerState === "invited"),
  /** Whoever was declined asks again from `askAgainAt` on. */
  ask: (who: Viewer, group: GroupFacts & { askAgainAt: Date | null }, now: Date) =>
    isSignedIn(who) &&
    (group.askAgainAt === null || group.askAgainAt <= now) &&
    group.state === "active" &&
    group.joinPolicy === "request" &&
    group.visibility !== "secret" &&
    !belongs(group) &&
    !["banned", "requested", "invited"].includes(group.viewerState ?? ""),
  leave: (_who: Viewer, group: GroupFacts) => belongs(group),
  invite: (who: Viewer, group: GroupFacts) =>
    !who.limited && group.state === "active" && belongs(group) && (group.invitesBy === "members" || leads(group)),
  /** Decide who gets in. Whom an archived group had no answer for yet can be declined, and nobody joins it. */
  admit: (_who: Viewer, group: GroupFacts) => leads(group),
  letIn: (who: Viewer, group: GroupFacts) => group.state === "active" && groupRules.admit(who, group),
  /** Whatever members write. */
  write: writes,
  /** Reply and react in its discussions. */
  answer: (who: Viewer, group: GroupFacts) => writes(who, group) || readersAnswer(who, group),
  start: (who: Viewer, group: GroupFacts) => writes(who, group) && (group.startsBy === "members" || leads(group) || isStaff(who)),
  addResource: writes,
  /** Lock, pin, remove what others wrote. */
  moderate: (who: Viewer, group: GroupFacts) => group.state === "active" && (leads(group) || staffInPublic(who, group)),
  /** Change what others wrote. Staff do not by being staff: they take away, and the words stay their author's. */
  amend: (who: Viewer, group: GroupFacts) => isSignedIn(who) && !who.limited && group.state === "active" && leads(group),
  /** Name, purpose, rules. */
  edit: (_who: Viewer, group: GroupFacts) => (group.state === "active" || group.state === "pending") && leads(group),
  /** Who finds it and who gets in. */
  manage: (_who: Viewer, group: GroupFacts) => belongs(group) && group.viewerRole === "owner",
  /** Take it along, as a file of all that they read in it. Admins take the whole community, and that at the machine itself. */
  export: (who: Viewer, group: GroupFacts) => isSignedIn(who) && group.state !== "deleted" && groupRules.manage(who, group),
  /** Archive it, delete it, and take either back. */
  close: (who: Viewer, group: GroupFacts) => groupRules.manage(who, group) || who.role === "admin",
  /** Ask the site for an owner, where none is around: whoever moderates and is none; any member where nobody who moderates is around (`moderated`). */
  askForHeir: (_who: Viewer, group: GroupFacts, moderated: boolean) =>
    group.state !== "pending" && belongs(group) && group.viewerRole !== "owner" && (leads(group) || !moderated),
  /** Take somebody out or keep them out. Owners are nobody's to take out but other owners'. */
  remove: (who: Viewer, group: GroupFacts, other: { id: string; role: GroupRole | null }) =>
    isSignedIn(who) &&
    who.id !== other.id &&
    (groupRules.manage(who, group) || ((leads(group) || who.role === "admin") && other.role !== "owner")),
  /** Nobody changes their own role. */
  setRole: (who: Viewer, group: GroupFacts, other: { id: string }) =>
    isSignedIn(who) && who.id !== other.id && group.state === "active" && groupRules.manage(who, group),
};
