import { reading, signedIn } from "../visit.ts";
import { answerNow } from "./read-now.ts";

/**
 * Ticket with which the page's socket authenticates instead of the cookie.
 * @throws `not-signed-in` for guests
 */
export const loader = reading(({ visit, viewer, house }) =>
  answerNow(async () => {
    signedIn(viewer);
    return { ticket: house.accounts.socketTicket(visit.sessionId!) };
  }),
);
