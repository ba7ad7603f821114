import { isSignedIn, type Viewer } from "./viewer.ts";

/** Admins run and undo imports. */
export const importRules = {
  bringIn: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited,
};
