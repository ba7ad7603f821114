import { isSignedIn, isStaff, type SignedIn, type Viewer } from "./viewer.ts";

const RANK = { guest: 0, member: 1, moderator: 2, admin: 3 } as const;

/** Site-wide permissions of staff. */
export const accountRules = {
  /** Whether the viewer may see metrics, audit log and failures. */
  run: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin",
  /** Whether the viewer may see all accounts, approve pending ones and impose sanctions. */
  moderate: (viewer: Viewer) => isSignedIn(viewer) && isStaff(viewer),
  /** Whether the viewer may decide about this account: its role must be lower. */
  decide: (viewer: Viewer, person: Pick<SignedIn, "role">) =>
    isStaff(viewer) && RANK[person.role] < RANK[viewer.role],
};
