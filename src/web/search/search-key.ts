import { liveResponse } from "../live/live-response.ts";
import { defineLoader } from "../request-context.ts";

/** Returns the search key for this page's browser: the viewer's own, or the guests' key. */
export const loader = defineLoader(({ ctx, app }) =>
  liveResponse(async () => ({
    key: ctx.sessionId ? app.searchKeyOf(ctx.sessionId) : app.publicConfig.searchKey,
  })),
);
