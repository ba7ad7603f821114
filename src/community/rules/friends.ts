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
  /** The other person moderates or owns a group of the viewer. */
  leadsViewer: boolean;
  /** The other person has applied to a group that the viewer moderates or owns. */
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

  /**
   * Whether the viewer may become a friend through a friend link, which counts as the other person's
   * consent.
   */
  befriend: (viewer: Viewer, other: RelationshipFacts) => isReachable(viewer, other) && !viewer.limited,

  /**
   * Whether a first message is allowed. Moderators may write to group applicants. Newcomers and limited
   * accounts may write to friends and to moderators of their groups. A person who accepts no messages gets
   * no messages from friends either.
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
