import { isSignedIn, type Viewer } from "./viewer.ts";

/** Permissions of imports: admins run and undo them. */
export const importRules = {
  bringIn: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited,
};
