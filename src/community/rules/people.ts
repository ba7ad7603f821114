import { isSignedIn, isStaff, type Viewer } from "./viewer.ts";

type Audience = "everyone" | "members" | "friends";
export type Privacy = {
  profile: Audience;
  messages: "everyone" | "groups" | "friends" | "nobody";
  friendRequests: "everyone" | "connected" | "nobody";
  showOnline: boolean;
  inDirectory: boolean;
  inSearchEngines: boolean;
};

/** What holds for whoever has not chosen. */
export const privacyDefaults: Privacy = {
  profile: "members",
  messages: "groups",
  friendRequests: "everyone",
  showOnline: true,
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

export const personRules = {
  /** Whether the viewer may know that there is such a person. */
  see: (who: Viewer, person: PersonFacts) => who.id === person.id || isStaff(who) || (present(person.state) && !person.blocksViewer),

  /** Whether the viewer sees more than name and photo. */
  readProfile: (who: Viewer, person: PersonFacts): boolean =>
    who.id === person.id ||
    isStaff(who) ||
    (personRules.see(who, person) &&
      person.state !== "suspended" &&
      !person.viewerBlocks &&
      (person.profile === "everyone" ||
        (person.profile === "members" && isSignedIn(who)) ||
        (person.profile === "friends" && person.isFriend))),

  edit: (who: Viewer, person: { id: string }) => isSignedIn(who) && (who.id === person.id || who.role === "admin"),
};
