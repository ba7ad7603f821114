import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { SignedIn, Viewer } from "#community/rules";
import { type CalendarEvent, selectEvent } from "./event-columns.ts";

/**
 * An event as the viewer sees it.
 * @throws `not-found` for a missing event and for one the viewer may not see
 */
export async function getEvent(db: Db, viewer: Viewer, id: string): Promise<CalendarEvent> {
  const found = isId(id)
    ? await maybeOne(db, sql<CalendarEvent>`${selectEvent(viewer)} and e.id = ${id}`)
    : null;
  if (!found) throw notFound();
  return found;
}

/**
 * Like `getEvent`, for commands that change the event or answer it: the occurrence is locked, so that they
 * run one after another.
 */
export async function getEventForUpdate(
  tx: Tx,
  me: SignedIn,
  where: { eventId: string } | { occurrenceId: string },
): Promise<CalendarEvent> {
  const isMeant = "eventId" in where ? sql`o.event_id = ${where.eventId}` : sql`o.id = ${where.occurrenceId}`;
  // Two statements in one round trip: a single one would wait for the lock and then read the older snapshot.
  const [, found] = await Promise.all([
    run(tx, sql`select from calendar_occurrences o where ${isMeant} order by o.id for no key update`),
    maybeOne(tx, sql<CalendarEvent>`${selectEvent(me)} and ${isMeant}`),
  ]);
  if (!found) throw notFound();
  return found;
}
