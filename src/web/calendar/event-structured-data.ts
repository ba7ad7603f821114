import { urls } from "../urls.ts";
import type { EventPageData } from "./event-data.ts";

/** A public event as structured data (schema.org Event) for search engines. */
export const eventStructuredData = (
  { event: it, excerpt }: Pick<EventPageData, "event" | "excerpt">,
  origin: string,
): Record<string, unknown> => ({
  "@context": "https://schema.org",
  "@type": "Event",
  name: it.title,
  url: origin + urls.event(it.id),
  startDate: it.startsAt.toISOString(),
  endDate: it.endsAt.toISOString(),
  eventStatus: `https://schema.org/Event${it.cancelledAt ? "Cancelled" : it.postponedAt ? "Postponed" : "Scheduled"}`,
  ...(excerpt && { description: excerpt }),
  ...(it.place && { location: { "@type": "Place", name: it.place, address: it.place } }),
  ...(it.capacity !== null && {
    maximumAttendeeCapacity: it.capacity,
    remainingAttendeeCapacity: Math.max(0, it.capacity - it.going),
  }),
  organizer: { "@type": "Organization", name: it.group.name, url: origin + urls.group(it.group.slug) },
});
