import { defineLoader, requireSignedIn } from "../request-context.ts";
import { liveResponse } from "./live-response.ts";
import { createSocketTicket } from "#community/accounts";

/**
 * Ticket with which the page's socket authenticates instead of the cookie.
 * @throws `not-signed-in` for guests
 */
export const loader = defineLoader(({ ctx, viewer, app }) =>
  liveResponse(async () => {
    requireSignedIn(viewer);
    return { ticket: createSocketTicket(app, ctx.sessionId!) };
  }),
);
