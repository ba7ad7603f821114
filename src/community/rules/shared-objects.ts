import { isSignedIn, type Viewer } from "./viewer.ts";

/** Callers that may use shared objects, according to the site settings. */
export type SharedObjectPolicy = "everybody" | "members";

export const sharedObjectRules = {
  /** Whether the viewer may use shared objects. API clients with the server key always may. */
  use: (viewer: Viewer, sharers: SharedObjectPolicy, withServerKey: boolean): boolean =>
    sharers === "everybody" || withServerKey || isSignedIn(viewer),
};
