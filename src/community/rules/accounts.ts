import { isSignedIn, isStaff, type SignedIn, type Viewer } from "./viewer.ts";

const RANK = { guest: 0, member: 1, moderator: 2, admin: 3 } as const;

/** What those who look after the place may do as such. */
export const accountRules = {
  /** See how the place is doing, what was done in it, and what goes wrong. */
  run: (who: Viewer) => isSignedIn(who) && who.role === "admin",
  /** See who has an account here, let in who waits, and say who may do less for a while. */
  lookAfter: (who: Viewer) => isSignedIn(who) && isStaff(who),
  /** Decide about somebody's account: whoever stands above them. */
  decide: (who: Viewer, person: Pick<SignedIn, "role">) => isStaff(who) && RANK[person.role] < RANK[who.role],
};
