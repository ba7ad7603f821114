import { redirect } from "react-router";
import { listFeedEvents } from "#community/calendar";
import { getGroup } from "#community/groups";
import { GUEST, groupRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess } from "./atom-feed.ts";
import { calendarResponse } from "./calendar-response.ts";

/**
 * The events of a public group as a calendar that programs can subscribe to; only events that guests may
 * see.
 */
export const loader = defineLoader(async ({ ctx, db, request, params }) => {
  await assertFeedAccess(ctx);
  const group = await getGroup(db, GUEST, params["groupId"]!.toLowerCase());
  if (!groupRules.read(GUEST, group)) throw notFound();
  if (group.slug !== params["groupId"]) return redirect(urls.groupCalendar(group.slug), 301);
  const events = await listFeedEvents(db, GUEST, ctx.now, { groupId: group.id });
  return calendarResponse(ctx, request, events, { name: group.name, shared: true });
});
