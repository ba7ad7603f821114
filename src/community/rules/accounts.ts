import { isSignedIn, isStaff, type SignedIn, type Viewer } from "./viewer.ts";

const RANK = { guest: 0, member: 1, moderator: 2, admin: 3 } as const;

/** Site-wide permissions of staff. */
export const accountRules = {
  /** See metrics, audit log and failures. */
  run: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin",
  /** See all accounts, approve pending ones and impose sanctions. */
  moderate: (viewer: Viewer) => isSignedIn(viewer) && isStaff(viewer),
  /** Decide about an account of a lower role. */
  decide: (viewer: Viewer, person: Pick<SignedIn, "role">) =>
    isStaff(viewer) && RANK[person.role] < RANK[viewer.role],
};
