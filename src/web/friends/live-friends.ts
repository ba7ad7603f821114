import { liveResponse } from "../live/live-response.ts";
import { defineLoader, requireSignedIn } from "../request-context.ts";
import { getFriendsPage } from "./friends-data.ts";

/**
 * Returns the current data of a tab, for an open page.
 * @throws `not-signed-in` for guests
 */
export const loader = defineLoader(({ ctx, viewer, db, url }) =>
  liveResponse(async () => getFriendsPage(db, requireSignedIn(viewer), url, ctx.now)),
);
