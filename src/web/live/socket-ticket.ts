import { defineLoader, requireSignedIn } from "../request-context.ts";
import { liveResponse } from "./live-response.ts";
import { createSocketTicket } from "#community/accounts";

/**
 * Returns a ticket with which the page's socket authenticates instead of with the cookie.
 * @throws `not-signed-in` for guests
 */
export const loader = defineLoader(({ ctx, viewer, app }) =>
  liveResponse(async () => {
    requireSignedIn(viewer);
    return { ticket: createSocketTicket(app, ctx.sessionId!) };
  }),
);
