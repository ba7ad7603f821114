import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

type Audience = "everyone" | "members" | "friends";
/** Who sees one line of a profile, of those who see the profile; `nobody`: its owner alone. */
export type FieldAudience = Audience | "nobody";
/** From the narrowest to the widest. */
export const AUDIENCES = ["nobody", "friends", "members", "everyone"] as const satisfies FieldAudience[];
export const narrowerOf = (one: FieldAudience, other: FieldAudience): FieldAudience =>
  AUDIENCES.indexOf(one) < AUDIENCES.indexOf(other) ? one : other;

export type Privacy = {
  profile: Audience;
  pronouns: FieldAudience;
  location: FieldAudience;
  bio: FieldAudience;
  messages: "everyone" | "connected" | "groups" | "friends" | "nobody";
  friendRequests: "everyone" | "connected" | "nobody";
  showOnline: boolean;
  /** Those one writes with see that one has read and is writing, and one sees it of them. */
  showReading: boolean;
  /** Members see how many friends one has. */
  showFriendCount: boolean;
  inDirectory: boolean;
  inSearchEngines: boolean;
};

/** What holds for whoever has not chosen. */
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
  /** The person blocks the viewer. */
  blocksViewer: boolean;
  viewerBlocks: boolean;
};

/** States in which there is somebody to see; the rest are gone, not here yet, or only staff's concern. */
const present = (state: string) => ["active", "limited", "suspended", "ghost"].includes(state);

const reaches = (who: Viewer, person: PersonFacts, audience: FieldAudience) =>
  audience === "everyone" || (audience === "members" && isSignedIn(who)) || (audience === "friends" && person.isFriend);

export const personRules = {
  /** Whether the viewer may know that there is such a person. */
  see: (who: Viewer, person: PersonFacts) => who.id === person.id || isStaff(who) || (present(person.state) && !person.blocksViewer),

  /** Whether the viewer sees more than name and photo. */
  readProfile: (who: Viewer, person: PersonFacts): boolean =>
    who.id === person.id ||
    isStaff(who) ||
    (personRules.see(who, person) && person.state !== "suspended" && !person.viewerBlocks && reaches(who, person, person.profile)),

  /** Whether the viewer sees a line of a profile that is for these people. What is for nobody is for its owner alone. */
  readField: (who: Viewer, person: PersonFacts, audience: FieldAudience): boolean =>
    who.id === person.id ||
    (audience !== "nobody" && personRules.readProfile(who, person) && (isStaff(who) || reaches(who, person, audience))),

  /** Show their page to staff. */
  report: (who: Viewer, person: { id: string; state: string }) => isSignedIn(who) && who.id !== person.id && person.state !== "erased",

  /** What everybody is asked about is for those who run the place. */
  defineFields: (who: Viewer) => isSignedIn(who) && who.role === "admin" && !who.limited,

  /** Somebody else's picture is taken away by those who run the place, with a reason. */
  takePicture: (who: Viewer, person: { id: string }) => isSignedIn(who) && who.role === "admin" && !who.limited && who.id !== person.id,

  /** Roles of programs are made and given by those who run the place, and by who holds its key. */
  runRoles: (who: Viewer) => who.role === "admin" && !who.limited,

  /** Whoever holds the server key speaks for everybody: no person does, not even an admin. */
  actAs: (who: Viewer) => who.role === "admin" && who.id === null,

  /** Whether API clients of an installation with the defaults of the hosted service may change other members' names and properties. */
  changeShared: (who: Viewer) => isSignedIn(who) && !who.limited,

  edit: (who: Viewer, person: { id: string }) => who.role === "admin" || (isSignedIn(who) && who.id === person.id),
};
