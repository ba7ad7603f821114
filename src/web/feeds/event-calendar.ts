import { getEvent, listFeedEvents } from "#community/calendar";
import { isSignedIn } from "#community/rules";
import { readQueryParam } from "../form-parsing.ts";
import { defineLoader } from "../request-context.ts";
import { countFeedRequest } from "./atom-feed.ts";
import { calendarResponse } from "./calendar-response.ts";

/** Returns one event, or all dates of its series, as a file for the viewer's own calendar. */
export const loader = defineLoader(async ({ ctx, db, viewer, request, url, params }) => {
  await countFeedRequest(ctx);
  const { id, title, seriesId } = await getEvent(db, viewer, params["eventId"] ?? "");
  const isWhole = seriesId !== null && readQueryParam(url, "dates") === "all";
  const events = await listFeedEvents(db, viewer, ctx.now, isWhole ? { seriesId } : { eventId: id });
  return calendarResponse(ctx, request, events, {
    name: title,
    shared: !isSignedIn(viewer),
    download: "event.ics",
  });
});
