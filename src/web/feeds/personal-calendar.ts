import { getFeed, listFeedEvents } from "#community/calendar";
import { defineLoader } from "../request-context.ts";
import { countFeedRequest } from "./atom-feed.ts";
import { calendarResponse } from "./calendar-response.ts";

/**
 * The calendar of one person. Its secret address works without a session, and shows what that person may see
 * now.
 */
export const loader = defineLoader(async ({ ctx, db, app, request, params }) => {
  await countFeedRequest(ctx);
  const { owner, scope } = await getFeed(db, app.signer, (params["file"] ?? "").replace(/\.ics$/, ""));
  const events = await listFeedEvents(db, owner, ctx.now, { scope });
  const { name } = await app.settings.get();
  return calendarResponse(ctx, request, events, { name, shared: false });
});
