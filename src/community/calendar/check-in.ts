import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { calendarRules, type Viewer } from "#community/rules";
import type { CheckIn } from "./event-inputs.ts";
import { getEventForUpdate } from "./event.ts";

/**
 * Stores whether a person has come to the event with their companions. The answer stays as it is.
 * @throws `not-found` for an occurrence the viewer may not see and for a person without an answer or who
 * declined, `not-allowed` for people who do not manage the event, `conflict` before its day and for a
 * cancelled or postponed event
 */
export async function checkInAttendee(
  tx: Tx,
  viewer: Viewer,
  { occurrenceId, personId, isPresent }: z.output<typeof CheckIn>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const event = await getEventForUpdate(tx, me, { occurrenceId });
  if (!calendarRules.manage(me, event))
    throw new Refusal("not-allowed", "Only the hosts and the group's moderators can check people in.");
  if (!calendarRules.checkIn(me, event, tx.now))
    throw new Refusal("conflict", "People can be checked in from twelve hours before the event.");
  const found = await maybeOne(
    tx,
    sql`select from attendances
        where occurrence_id = ${occurrenceId} and person_id = ${personId} and answer <> 'declined'`,
  );
  if (!found) throw notFound();
  await run(
    tx,
    isPresent
      ? sql`update attendances set checked_in_at = coalesce(checked_in_at, ${tx.now}),
              checked_in_by = coalesce(checked_in_by, ${me.id})
            where occurrence_id = ${occurrenceId} and person_id = ${personId}`
      : sql`update attendances set checked_in_at = null, checked_in_by = null
            where occurrence_id = ${occurrenceId} and person_id = ${personId}`,
  );
  await emit(tx, {
    type: "calendar.checked-in",
    eventId: event.id,
    groupId: event.group.id,
    occurrenceId,
    attendeeId: personId,
    by: me.id,
  });
}
