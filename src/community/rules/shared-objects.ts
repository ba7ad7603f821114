import { isSignedIn, type Viewer } from "./viewer.ts";

/** Users of shared objects, by the site settings. */
export type SharedObjectPolicy = "everybody" | "members";

export const sharedObjectRules = {
  /** API clients with the server key always may. */
  use: (viewer: Viewer, sharers: SharedObjectPolicy, withServerKey: boolean): boolean =>
    sharers === "everybody" || withServerKey || isSignedIn(viewer),
};
