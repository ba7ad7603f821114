import { reading, signedIn } from "../visit.ts";
import { answerNow } from "./read-now.ts";

/** What this page's socket shows in place of the cookie. `not-signed-in` for guests. */
export const loader = reading(({ visit, viewer, house }) =>
  answerNow(async () => {
    signedIn(viewer);
    return { ticket: house.accounts.socketTicket(visit.sessionId!) };
  }),
);
