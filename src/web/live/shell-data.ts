import { getPageSidebar } from "#community/notifications";
import { defineLoader, requireSignedIn } from "../request-context.ts";
import { liveResponse } from "./live-response.ts";

/**
 * Returns the layout's current data, requested separately when counters have changed.
 * @throws `not-signed-in` for guests
 */
export const loader = defineLoader(({ viewer, db, url }) =>
  liveResponse(async () =>
    getPageSidebar(db, requireSignedIn(viewer), { conversations: url.searchParams.has("conversations") }),
  ),
);
