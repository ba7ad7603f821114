import { getEvent, listFeedEvents } from "#community/calendar";
import { isSignedIn } from "#community/rules";
import { defineLoader } from "../request-context.ts";
import { takeFeedLimit } from "./atom-feed.ts";
import { calendarResponse } from "./calendar-response.ts";

/** Returns one event as a file for the viewer's own calendar. */
export const loader = defineLoader(async ({ ctx, db, viewer, request, params }) => {
  await takeFeedLimit(ctx);
  const { id, title } = await getEvent(db, viewer, params["eventId"] ?? "");
  const events = await listFeedEvents(db, viewer, ctx.now, { eventId: id });
  return calendarResponse(ctx, request, events, {
    name: title,
    shared: !isSignedIn(viewer),
    download: "event.ics",
  });
});
