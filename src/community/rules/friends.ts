import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Facts of the relationship between two people. */
export type RelationshipFacts = {
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

const isReachable = (viewer: Viewer, other: RelationshipFacts) =>
  isSignedIn(viewer) &&
  viewer.id !== other.id &&
  ["active", "limited"].includes(other.state) &&
  !other.blocksViewer &&
  !other.viewerBlocks;

export const friendRules = {
  ask: (viewer: Viewer, other: RelationshipFacts) =>
    isReachable(viewer, other) &&
    !viewer.limited &&
    (other.friendRequests === "everyone" ||
      (other.friendRequests === "connected" && (other.sharesGroup || other.hasMutualFriend))),

  /** By a friend link of the other person, which counts as their consent. */
  befriend: (viewer: Viewer, other: RelationshipFacts) => isReachable(viewer, other) && !viewer.limited,

  /**
   * Whether a first message is allowed. Group applicants can be messaged by moderators. Newcomers and limited
   * accounts write to friends and moderators of their groups. The policy of accepting none excludes friends
   * too.
   */
  write: (viewer: Viewer, other: RelationshipFacts) =>
    isReachable(viewer, other) &&
    ((isStaff(viewer) && !viewer.limited) ||
      other.asksViewer ||
      (other.isFriend && other.messages !== "nobody") ||
      (acceptsMessages(other) && ((viewer.trust === "established" && !viewer.limited) || other.leadsViewer))),

  inviteToGroup: (viewer: Viewer, other: RelationshipFacts) =>
    isReachable(viewer, other) &&
    (other.isFriend || other.sharesGroup || other.friendRequests === "everyone"),
};

const acceptsMessages = (other: RelationshipFacts) =>
  other.messages === "everyone" ||
  (["groups", "connected"].includes(other.messages) && other.sharesGroup) ||
  (other.messages === "connected" && other.hasMutualFriend);
