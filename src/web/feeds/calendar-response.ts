import { createHash } from "node:crypto";
import type { FeedEvent } from "#community/calendar";
import { writeCalendar } from "#platform/icalendar";
import { urls } from "../urls.ts";
import type { RequestContext } from "../request-context.ts";

type CalendarOptions = {
  name: string;
  /** Whether the response is the same for everyone. */
  shared: boolean;
  /** File name with which a browser saves the calendar. */
  download?: string;
};

/**
 * Returns events as an iCalendar file, or 304 if the client has the current version. `If-Modified-Since` is
 * ignored: when an event becomes invisible to the reader, no date changes.
 */
export function calendarResponse(
  { app }: { app: Pick<RequestContext["app"], "origin"> },
  request: Request,
  events: FeedEvent[],
  { name, shared, download }: CalendarOptions,
): Response {
  const origin = app.origin();
  const { host } = new URL(origin);
  const text = writeCalendar(
    name,
    events.map(({ id, eventId, changes, cancelledAt, postponedAt, onlineUrl, group, ...it }) => ({
      ...it,
      uid: `${id}@${host}`,
      sequence: changes,
      isImported: it.calendar !== null,
      text: [group.name, onlineUrl ?? ""].filter(Boolean).join("\n"),
      url: origin + urls.event(eventId),
      status: cancelledAt
        ? ("CANCELLED" as const)
        : postponedAt
          ? ("TENTATIVE" as const)
          : ("CONFIRMED" as const),
    })),
  );
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 24)}"`;
  const changedAt = events.map((it) => it.changedAt.getTime());
  const headers = {
    etag,
    ...(changedAt.length > 0 && { "last-modified": new Date(Math.max(...changedAt)).toUTCString() }),
    "cache-control": `${shared ? "public" : "private"}, max-age=300`,
  };
  const known = request.headers.get("if-none-match")?.replace(/^W\//, "");
  if (known === etag) return new Response(null, { status: 304, headers });
  return new Response(text, {
    headers: {
      ...headers,
      "content-type": "text/calendar; charset=utf-8",
      ...(download && { "content-disposition": `attachment; filename="${download}"` }),
    },
  });
}
