import { isSignedIn, type Viewer } from "./viewer.ts";

/** Admins run and undo imports. */
export const importRules = {
  bringIn: (who: Viewer) => isSignedIn(who) && who.role === "admin" && !who.limited,
};
