import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

export type Visibility = "public" | "private" | "secret";
export type JoinPolicy = "open" | "request" | "invite";
export type GroupRole = "member" | "moderator" | "owner";
export type GroupFacts = {
  visibility: Visibility;
  joinPolicy: JoinPolicy;
  state: "active" | "archived" | "deleted";
  /** The viewer's own tie to the group; null when there is none. */
  viewerState: "requested" | "invited" | "member" | "declined" | "withdrawn" | "refused" | "left" | "removed" | "banned" | null;
  viewerRole: GroupRole | null;
};

const belongs = (group: GroupFacts) => group.viewerState === "member";
const leads = (group: GroupFacts) => belongs(group) && (group.viewerRole === "owner" || group.viewerRole === "moderator");
/** Those who look after the whole site may take part where everybody may read. They are members nowhere by that alone. */
const staffInPublic = (who: Viewer, group: GroupFacts) => isStaff(who) && group.visibility === "public" && group.viewerState !== "banned";
const writes = (who: Viewer, group: GroupFacts) =>
  isSignedIn(who) && !who.limited && group.state === "active" && (belongs(group) || staffInPublic(who, group));

/** Who may do what in a group (product rules, 4.4). A moderator of the whole site is no member by that alone. */
export const groupRules = {
  see: (_who: Viewer, group: GroupFacts) =>
    group.state !== "deleted" && (group.visibility !== "secret" || belongs(group) || group.viewerState === "invited"),
  read: (_who: Viewer, group: GroupFacts) =>
    group.state !== "deleted" && (belongs(group) || (group.visibility === "public" && group.viewerState !== "banned")),
  /** Who is in it, by name. */
  seeMembers: (who: Viewer, group: GroupFacts) => isSignedIn(who) && groupRules.read(who, group),
  create: (who: Viewer) => isSignedIn(who) && !who.limited && (who.trust === "established" || isStaff(who)),
  join: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) &&
    group.state === "active" &&
    !belongs(group) &&
    group.viewerState !== "banned" &&
    (group.joinPolicy === "open" || group.viewerState === "invited"),
  ask: (who: Viewer, group: GroupFacts) =>
    isSignedIn(who) &&
    group.state === "active" &&
    group.joinPolicy === "request" &&
    group.visibility !== "secret" &&
    !belongs(group) &&
    !["banned", "requested", "invited"].includes(group.viewerState ?? ""),
  leave: (_who: Viewer, group: GroupFacts) => belongs(group),
  invite: (who: Viewer, group: GroupFacts) => !who.limited && group.state === "active" && belongs(group),
  admit: (_who: Viewer, group: GroupFacts) => leads(group),
  start: writes,
  addResource: writes,
  /** Lock, pin, remove what others wrote. */
  moderate: (who: Viewer, group: GroupFacts) => group.state === "active" && (leads(group) || staffInPublic(who, group)),
  /** Name, purpose, rules. */
  edit: (_who: Viewer, group: GroupFacts) => group.state === "active" && leads(group),
  /** Who finds it and who gets in. */
  manage: (_who: Viewer, group: GroupFacts) => belongs(group) && group.viewerRole === "owner",
};
