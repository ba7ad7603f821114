import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { calendarRules, type SignedIn, type Viewer } from "#community/rules";
import type { CalendarEvent } from "../event-columns.ts";
import type { StopHosting } from "../event-inputs.ts";
import { getEventForUpdate } from "../event.ts";
import { firstDate } from "../series/series-changes.ts";
import { listDates } from "../series/series-dates.ts";
import { lockSeries } from "../series/series-rows.ts";
import { changeHosts } from "./host-changes.ts";

/**
 * Ends the viewer's being a host of an event, or of several dates of its series.
 * @throws `not-found`, `not-allowed` for people who do not host the event, `conflict` for its only host, and
 * when it has ended
 */
export async function stopHosting(
  tx: Tx,
  viewer: Viewer,
  { eventId, scope }: z.output<typeof StopHosting>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const seriesId = scope === "this" ? null : await lockSeries(tx, eventId);
  const event = await getEventForUpdate(tx, me, { eventId });
  if (!event.isHost) throw new Refusal("not-allowed", "You do not host this event.");
  if (!calendarRules.stopHosting(me, event, tx.now))
    throw new Refusal("conflict", event.cancelledAt ? "This event was cancelled." : "This event is over.");
  const eventIds = await listConcerned(tx, event, scope, seriesId);
  await run(
    tx,
    sql`update calendar_events set changes = changes + 1, changed_at = ${tx.now}
        where id = any(${eventIds}::uuid[])`,
  );
  const ids = { eventId: event.id, groupId: event.group.id };
  await leave(tx, me, { ...ids, seriesId, eventIds });
  await emit(tx, {
    ...(seriesId === null
      ? { type: "calendar.changed" }
      : { type: "calendar.series-changed", seriesId, at: tx.now.toISOString() }),
    ...ids,
    moved: false,
    by: me.id,
  });
  await emit(tx, { type: "calendar.host-left", ...ids, personId: me.id, isHosted: true });
}

/** Events from which the host withdraws. */
async function listConcerned(
  tx: Tx,
  event: CalendarEvent,
  scope: z.output<typeof StopHosting>["scope"],
  seriesId: string | null,
): Promise<string[]> {
  if (scope === "this" || seriesId === null) return [event.id];
  const rows = await listDates(tx, seriesId);
  const from = firstDate(rows, event, scope);
  return rows.filter(({ date, isOpen }) => isOpen && date >= from).map((it) => it.eventId);
}

/** @throws `conflict` if another host is missing on one of the dates */
async function leave(tx: Tx, me: SignedIn, concerned: Parameters<typeof changeHosts>[2]): Promise<void> {
  try {
    await changeHosts(tx, me, concerned, { added: [], removed: [me.id] });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal("conflict", "You are the only host. Add another host first, or cancel the event.");
  }
}
