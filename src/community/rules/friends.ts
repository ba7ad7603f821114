import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Facts of the relationship between two people. */
export type TieFacts = {
  id: string;
  state: string;
  blocksViewer: boolean;
  viewerBlocks: boolean;
  isFriend: boolean;
  sharesGroup: boolean;
  hasMutualFriend: boolean;
  /** Moderates or owns a group of the viewer's. */
  leadsViewer: boolean;
  /** Has applied to a group that the viewer moderates or owns. */
  asksViewer: boolean;
  friendRequests: "everyone" | "connected" | "nobody";
  messages: "everyone" | "connected" | "groups" | "friends" | "nobody";
};

const reachable = (who: Viewer, other: TieFacts) =>
  isSignedIn(who) && who.id !== other.id && ["active", "limited"].includes(other.state) && !other.blocksViewer && !other.viewerBlocks;

export const friendRules = {
  ask: (who: Viewer, other: TieFacts) =>
    reachable(who, other) &&
    !who.limited &&
    (other.friendRequests === "everyone" || (other.friendRequests === "connected" && (other.sharesGroup || other.hasMutualFriend))),

  /** By a friend link of the other person, which counts as their consent. */
  befriend: (who: Viewer, other: TieFacts) => reachable(who, other) && !who.limited,

  /**
   * Whether a first message is allowed. Group applicants can be messaged by moderators. Newcomers and limited
   * accounts write to friends and moderators of their groups. The policy of accepting none excludes friends
   * too.
   */
  write: (who: Viewer, other: TieFacts) =>
    reachable(who, other) &&
    ((isStaff(who) && !who.limited) ||
      other.asksViewer ||
      (other.isFriend && other.messages !== "nobody") ||
      (contactAdmits(other) && ((who.trust === "established" && !who.limited) || other.leadsViewer))),

  inviteToGroup: (who: Viewer, other: TieFacts) =>
    reachable(who, other) && (other.isFriend || other.sharesGroup || other.friendRequests === "everyone"),
};

const contactAdmits = (other: TieFacts) =>
  other.messages === "everyone" ||
  (["groups", "connected"].includes(other.messages) && other.sharesGroup) ||
  (other.messages === "connected" && other.hasMutualFriend);
