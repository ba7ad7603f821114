import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { type CheckedText, reportFlaggedText } from "#community/prevention";
import type { SignedIn, Viewer } from "#community/rules";
import { promoteWaitingList } from "./attendance.ts";
import {
  auditModeratorChange,
  checkEdit,
  getEditableEvent,
  renameEventDiscussion,
} from "./editable-event.ts";
import type { CalendarEvent } from "./event-columns.ts";
import type { EventChange } from "./event-inputs.ts";
import { resolveEventTimes } from "./event-times.ts";
import { changeHosts, planHostChange } from "./hosts/host-changes.ts";
import { assertSameRecurrence } from "./series/series-changes.ts";
import { startSeries } from "./series/series-creation.ts";
import { planSeries } from "./series/series-plan.ts";

type Change = z.output<typeof EventChange>;

/**
 * Changes an event that does not repeat, or one date of a series. An event that repeats from now on becomes the
 * first date of a series.
 * @throws like `editEvent`
 */
export async function editSingleEvent(tx: Tx, viewer: Viewer, uncheckedInput: Change): Promise<void> {
  const me = requireSignedIn(viewer);
  const event = await getEditableEvent(tx, me, uncheckedInput.eventId);
  const checked = await checkEdit(tx, me, event, uncheckedInput);
  await assertSameRecurrence(tx, event, checked.input);
  const plan = event.seriesId === null ? planSeries(checked.input, tx.now) : null;
  await storeEdit(tx, me, event, checked, { repeats: plan !== null });
  if (plan) await startSeries(tx, event.id, { ...event, ...checked.input, groupId: event.group.id }, plan);
}

/**
 * Stores an edit of one event, which is locked. People who answered are notified once: of a new time or place,
 * or that the event `repeats` from now on.
 */
export async function storeEdit(
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  { input, flagged }: Pick<CheckedText<Change>, "input" | "flagged">,
  { repeats }: { repeats: boolean },
): Promise<void> {
  const { startsAt, endsAt, answersUntil } = resolveEventTimes(input, tx.now);
  const hosts = await planHostChange(tx, me, event, input.hosts);
  const hasNewTime =
    startsAt.getTime() !== event.startsAt.getTime() || endsAt.getTime() !== event.endsAt.getTime();
  await run(
    tx,
    sql`with occurrence as (
          update calendar_occurrences set starts_at = ${startsAt}, ends_at = ${endsAt}
            ${hasNewTime ? sql`, day_reminder_at = null, hour_reminder_at = null` : sql``}
          where id = ${event.occurrenceId})
        update calendar_events set title = ${input.title}, time_zone = ${input.timeZone},
          all_day = ${input.allDay}, ends_at = ${endsAt}, place = ${input.place},
          ${input.onlineUrl === undefined ? sql`` : sql`online_url = ${input.onlineUrl},`}
          capacity = ${input.capacity}, companions = ${input.companions},
          ${hasNewTime ? sql`postponed_at = null, postponed_by = null, postponed_reason = '',` : sql``}
          answers_until = ${answersUntil}, changes = changes + 1, changed_at = ${tx.now}
        where id = ${event.id}`,
  );
  const ids = { eventId: event.id, groupId: event.group.id };
  await auditModeratorChange(tx, me, event, "event.changed", null);
  await renameEventDiscussion(tx, me, event, input.title);
  if (hosts) await changeHosts(tx, me, { ...ids, eventIds: [event.id], seriesId: null }, hosts);
  await emit(tx, {
    type: "calendar.changed",
    ...ids,
    moved: hasNewTime || input.place !== event.place,
    ...(repeats && { repeats }),
    by: me.id,
  });
  await promoteWaitingList(tx, { ...event, capacity: input.capacity, groupId: event.group.id });
  if (event.description) await reportFlaggedText(tx, me.id, flagged, event.description);
}
