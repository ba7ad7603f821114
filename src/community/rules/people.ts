import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

type Audience = "everyone" | "members" | "friends";
/** Audience of a profile line among readers of the profile. `nobody`: only the owner. */
export type FieldAudience = Audience | "nobody";
/** Audiences from the narrowest to the widest. */
export const AUDIENCES = ["nobody", "friends", "members", "everyone"] as const satisfies FieldAudience[];
export const narrowerAudience = (one: FieldAudience, other: FieldAudience): FieldAudience =>
  AUDIENCES.indexOf(one) < AUDIENCES.indexOf(other) ? one : other;

export type Privacy = {
  profile: Audience;
  pronouns: FieldAudience;
  location: FieldAudience;
  bio: FieldAudience;
  messages: "everyone" | "connected" | "groups" | "friends" | "nobody";
  friendRequests: "everyone" | "connected" | "nobody";
  showOnline: boolean;
  /**
   * Whether reading and typing are shown in conversations. People who do not show their own do not see those
   * of others either.
   */
  showReading: boolean;
  /** Whether members see the number of friends. */
  showFriendCount: boolean;
  inDirectory: boolean;
  inSearchEngines: boolean;
};

export const privacyDefaults: Privacy = {
  profile: "members",
  pronouns: "everyone",
  location: "everyone",
  bio: "everyone",
  messages: "groups",
  friendRequests: "everyone",
  showOnline: true,
  showReading: false,
  showFriendCount: false,
  inDirectory: true,
  inSearchEngines: false,
};

export type PersonFacts = {
  id: string;
  state: string;
  profile: Audience;
  isFriend: boolean;
  blocksViewer: boolean;
  viewerBlocks: boolean;
};

/**
 * Whether the account is visible to members. Other accounts are closed, not confirmed yet, or visible to
 * staff only.
 */
const isPresent = (state: string) => ["active", "limited", "suspended", "ghost"].includes(state);

const isInAudience = (viewer: Viewer, person: PersonFacts, audience: FieldAudience) =>
  audience === "everyone" ||
  (audience === "members" && isSignedIn(viewer)) ||
  (audience === "friends" && person.isFriend);

export const personRules = {
  /** Whether the viewer may know that the person exists. Bots have no profile. */
  see: (viewer: Viewer, person: PersonFacts) =>
    viewer.id === person.id ||
    (isStaff(viewer) ? person.state !== "bot" : isPresent(person.state) && !person.blocksViewer),

  /** Whether the viewer sees more than name and photo. */
  readProfile: (viewer: Viewer, person: PersonFacts): boolean =>
    viewer.id === person.id ||
    isStaff(viewer) ||
    (personRules.see(viewer, person) &&
      person.state !== "suspended" &&
      !person.viewerBlocks &&
      isInAudience(viewer, person, person.profile)),

  /** Whether the viewer sees a profile line with this audience. */
  readField: (viewer: Viewer, person: PersonFacts, audience: FieldAudience): boolean =>
    viewer.id === person.id ||
    (audience !== "nobody" &&
      personRules.readProfile(viewer, person) &&
      (isStaff(viewer) || isInAudience(viewer, person, audience))),

  /** Whether the viewer may report the profile to staff: also guests, who confirm their address. */
  report: (viewer: Viewer, person: { id: string; state: string }) =>
    viewer.id !== person.id && person.state !== "erased",

  /** Whether the viewer may define profile fields: admins only. */
  defineFields: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited,

  /** Whether the viewer may remove another person's picture, with a reason: admins only. */
  removePicture: (viewer: Viewer, person: { id: string }) =>
    isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited && viewer.id !== person.id,

  /** Whether the viewer may manage roles of API clients: admins and holders of the server key. */
  runRoles: (viewer: Viewer) => viewer.role === "admin" && !viewer.limited,

  /**
   * Whether the viewer may act for others: only holders of the server key, and no person, not even an admin.
   */
  actAs: (viewer: Viewer) => viewer.role === "admin" && viewer.id === null,

  /**
   * Whether API clients may change other members' names and properties, if the defaults of the hosted
   * service apply.
   */
  changeShared: (viewer: Viewer) => isSignedIn(viewer) && !viewer.limited,

  edit: (viewer: Viewer, person: { id: string }) =>
    viewer.role === "admin" || (isSignedIn(viewer) && viewer.id === person.id),
};
