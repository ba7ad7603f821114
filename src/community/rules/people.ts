import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

type Audience = "everyone" | "members" | "friends";
/** Audience of a profile line among readers of the profile; the narrowest is the owner only. */
export type FieldAudience = Audience | "nobody";
/** From the narrowest to the widest. */
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
  /** Share reading and typing in conversations, both ways. */
  showReading: boolean;
  /** Members see the number of friends. */
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

/** States of visible accounts; others are closed, not confirmed yet, or visible to staff only. */
const isPresent = (state: string) => ["active", "limited", "suspended", "ghost"].includes(state);

const isInAudience = (viewer: Viewer, person: PersonFacts, audience: FieldAudience) =>
  audience === "everyone" ||
  (audience === "members" && isSignedIn(viewer)) ||
  (audience === "friends" && person.isFriend);

export const personRules = {
  /** Whether the viewer may know that the person exists. */
  see: (viewer: Viewer, person: PersonFacts) =>
    viewer.id === person.id || isStaff(viewer) || (isPresent(person.state) && !person.blocksViewer),

  /** Whether the viewer sees more than name and photo. */
  readProfile: (viewer: Viewer, person: PersonFacts): boolean =>
    viewer.id === person.id ||
    isStaff(viewer) ||
    (personRules.see(viewer, person) &&
      person.state !== "suspended" &&
      !person.viewerBlocks &&
      isInAudience(viewer, person, person.profile)),

  /** Whether the viewer sees a profile line with this audience; the narrowest is its owner only. */
  readField: (viewer: Viewer, person: PersonFacts, audience: FieldAudience): boolean =>
    viewer.id === person.id ||
    (audience !== "nobody" &&
      personRules.readProfile(viewer, person) &&
      (isStaff(viewer) || isInAudience(viewer, person, audience))),

  /** Report their profile to staff. */
  report: (viewer: Viewer, person: { id: string; state: string }) =>
    isSignedIn(viewer) && viewer.id !== person.id && person.state !== "erased",

  /** Profile fields are defined by admins. */
  defineFields: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited,

  /** Admins remove another person's picture, with a reason. */
  removePicture: (viewer: Viewer, person: { id: string }) =>
    isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited && viewer.id !== person.id,

  /** Roles of API clients are managed by admins and holders of the server key. */
  runRoles: (viewer: Viewer) => viewer.role === "admin" && !viewer.limited,

  /** Only a holder of the server key acts for others; no person does, not even an admin. */
  actAs: (viewer: Viewer) => viewer.role === "admin" && viewer.id === null,

  /**
   * Whether API clients may change other members' names and properties, with the defaults of the hosted
   * service.
   */
  changeShared: (viewer: Viewer) => isSignedIn(viewer) && !viewer.limited,

  edit: (viewer: Viewer, person: { id: string }) =>
    viewer.role === "admin" || (isSignedIn(viewer) && viewer.id === person.id),
};
