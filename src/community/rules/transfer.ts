import { isSignedIn, type Viewer } from "./viewer.ts";

/** A past is brought in, and taken back, by those who run the place. */
export const transferRules = {
  bringIn: (who: Viewer) => isSignedIn(who) && who.role === "admin" && !who.limited,
};
