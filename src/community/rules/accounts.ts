import { isSignedIn, isStaff, type SignedIn, type Viewer } from "./viewer.ts";

const RANK = { guest: 0, member: 1, moderator: 2, admin: 3 } as const;

/** Site-wide permissions of staff. */
export const accountRules = {
  /** See metrics, audit log and failures. */
  run: (who: Viewer) => isSignedIn(who) && who.role === "admin",
  /** See all accounts, approve pending ones and impose sanctions. */
  lookAfter: (who: Viewer) => isSignedIn(who) && isStaff(who),
  /** Decide about an account of a lower role. */
  decide: (who: Viewer, person: Pick<SignedIn, "role">) => isStaff(who) && RANK[person.role] < RANK[who.role],
};
