import { isSignedIn, type Viewer } from "./viewer.ts";

/** Who shares objects with others, as a setting says it. */
export type Sharers = "everybody" | "members";

export const sharedObjectRules = {
  /** Programs with the server key may in any case. */
  use: (who: Viewer, sharers: Sharers, withServerKey: boolean): boolean => sharers === "everybody" || withServerKey || isSignedIn(who),
};
