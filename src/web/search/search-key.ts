import { liveResponse } from "../live/live-response.ts";
import { defineLoader } from "../request-context.ts";

/** The search key for this page's browser: the viewer's own, or that of guests. */
export const loader = defineLoader(({ ctx, app }) =>
  liveResponse(async () => ({
    key: ctx.sessionId ? app.searchKeyOf(ctx.sessionId) : app.publicConfig.searchKey,
  })),
);
