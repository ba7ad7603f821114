import { isSignedIn, type Viewer } from "./viewer.ts";

/** Who says something on the channels of programs: whoever has a key, who is signed in, or programs on servers alone. */
export type Publishers = "everybody" | "members" | "servers";

export const programRules = {
  /** `trusted`: the program has shown the server key. */
  publish: (who: Viewer, publishers: Publishers, trusted: boolean) =>
    trusted || (publishers !== "servers" && !who.limited && (publishers === "everybody" || isSignedIn(who))),
};
