import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { SignedIn, Viewer } from "#community/rules";
import { type CalendarEvent, selectEvent } from "./event-columns.ts";

/**
 * @throws `not-found` for a missing event and one the viewer may not know of
 */
export async function getEvent(db: Db, viewer: Viewer, id: string): Promise<CalendarEvent> {
  const found = isId(id)
    ? await maybeOne(db, sql<CalendarEvent>`${selectEvent(viewer)} and e.id = ${id}`)
    : null;
  if (!found) throw notFound();
  return found;
}

/** Like `getEvent`, for commands that change it or answer: they wait for one another at its occurrence. */
export async function getEventForUpdate(
  tx: Tx,
  me: SignedIn,
  where: { eventId: string } | { occurrenceId: string },
): Promise<CalendarEvent> {
  const isMeant = "eventId" in where ? sql`o.event_id = ${where.eventId}` : sql`o.id = ${where.occurrenceId}`;
  // Two statements in one round trip: one alone would wait for the lock and then read its earlier snapshot.
  const [, found] = await Promise.all([
    run(tx, sql`select from calendar_occurrences o where ${isMeant} order by o.id for no key update`),
    maybeOne(tx, sql<CalendarEvent>`${selectEvent(me)} and ${isMeant}`),
  ]);
  if (!found) throw notFound();
  return found;
}
