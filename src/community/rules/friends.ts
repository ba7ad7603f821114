import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

/** Two people, as far as reaching each other goes. */
export type TieFacts = {
  id: string;
  state: string;
  blocksViewer: boolean;
  viewerBlocks: boolean;
  isFriend: boolean;
  sharesGroup: boolean;
  hasMutualFriend: boolean;
  /** Moderates, or owns, a group in which the viewer is. */
  leadsViewer: boolean;
  /** Asks to be let into a group that the viewer moderates or owns. */
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

  /** By a link that the other handed on: they have said yes already. */
  befriend: (who: Viewer, other: TieFacts) => reachable(who, other) && !who.limited,

  /**
   * Whether a first message may go there. Whoever asks to be let in can be asked back. Newcomers, and who is limited, write to friends, and to who
   * leads a group of theirs. With who says “nobody”, friends begin nothing either.
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
