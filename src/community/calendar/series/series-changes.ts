import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { reportFlaggedText } from "#community/prevention";
import type { SignedIn, Viewer } from "#community/rules";
import type { CalendarEvent } from "../event-columns.ts";
import type { EventCancellation, EventChange } from "../event-inputs.ts";
import { resolveEventTimes, toFormTimes } from "../event-times.ts";
import {
  auditModeratorChange,
  checkEdit,
  getEditableEvent,
  renameEventDiscussion,
} from "../editable-event.ts";
import { changeHosts, planHostChange } from "../hosts/host-changes.ts";
import { type ClockTimes, timesOnDate } from "./occurrence-times.ts";
import {
  type DateRow,
  endSeriesBefore,
  listDates,
  promoteWaitingLists,
  removeDates,
  shiftDates,
  splitSeries,
} from "./series-dates.ts";
import { readRecurrence } from "./series-inputs.ts";
import { planDates, readClockTimes } from "./series-plan.ts";
import { getSeries, insertDates, lockSeries, type Series } from "./series-rows.ts";
import { type ChangedSeries, shiftDate, storeSeries, updateDates } from "./series-update.ts";

export type SeriesScope = Exclude<z.output<typeof EventChange>["scope"], "this">;
export type SeriesChange = z.output<typeof EventChange> & { scope: SeriesScope };

/**
 * Edits a series from this event on, or all its events that have not ended. Only fields that differ from the
 * edited event change, and an event that was changed on its own keeps those values. Earlier events keep a
 * series of their own.
 * @throws like `editEvent`, and `invalid` on the field of a rule that does not work
 */
export async function editSeries(tx: Tx, viewer: Viewer, uncheckedInput: SeriesChange): Promise<void> {
  const me = requireSignedIn(viewer);
  const { event, series, rows } = await getSeriesToChange(tx, me, uncheckedInput.eventId);
  const { input, flagged } = await checkEdit(tx, me, event, uncheckedInput);
  resolveEventTimes(input, tx.now);
  const from = firstDate(rows, event, input.scope);
  const hosts = await planHostChange(tx, me, event, input.hosts);
  const after = applyChange(tx, series, event, { ...input, from });
  const id = rows[0]!.date < from ? await splitSeries(tx, series.id, from) : series.id;
  const concerned = rows.filter(({ date }) => date >= from);
  if (after.days !== 0) await shiftDates(tx, id, after.days);
  await storeSeries(tx, id, after);
  const { kept, removed, added } = arrangeDates(tx, concerned, after);
  const { isMoved } = await updateDates(tx, kept, { before: series, after, edited: event });
  const { isAnyCancelled } = await removeDates(tx, me, removed, event.group.id);
  if (hosts) {
    const eventIds = kept.map(({ eventId }) => eventId);
    await changeHosts(tx, me, { eventId: event.id, seriesId: id, groupId: event.group.id, eventIds }, hosts);
  }
  if (added.length > 0) await insertDates(tx, { id, times: after.times }, added);
  await auditModeratorChange(tx, me, event, "event.changed", null);
  if (input.scope === "all") await renameEventDiscussion(tx, me, event, input.title);
  await emitForSeries(tx, me, event, { type: "calendar.series-changed", seriesId: id, moved: isMoved });
  if (isAnyCancelled) await emitForSeries(tx, me, event, { type: "calendar.series-cancelled", seriesId: id });
  if (after.capacity !== series.capacity) await promoteWaitingLists(tx, id);
  if (event.description) await reportFlaggedText(tx, me.id, flagged, event.description);
}

/**
 * Cancels dates of a series: those from this event on, or all that have not ended. The series ends before
 * them.
 * @throws like `editEvent`
 */
export async function cancelSeries(
  tx: Tx,
  viewer: Viewer,
  { eventId, reason, scope }: z.output<typeof EventCancellation> & { scope: SeriesScope },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { event, series, rows } = await getSeriesToChange(tx, me, eventId);
  const from = firstDate(rows, event, scope);
  const concerned = rows.filter(({ date, isOpen }) => isOpen && date >= from);
  await run(
    tx,
    sql`update calendar_events set cancelled_at = ${tx.now}, cancelled_by = ${me.id},
          cancelled_reason = ${reason}, changes = changes + 1, changed_at = ${tx.now}
        where id = any(${concerned.map((it) => it.eventId)}::uuid[])`,
  );
  await endSeriesBefore(tx, series.id, from);
  await auditModeratorChange(tx, me, event, "event.cancelled", reason);
  await emitForSeries(tx, me, event, { type: "calendar.series-cancelled", seriesId: series.id });
}

/**
 * Asserts that an edit of a single date does not change how the event repeats. A form without these fields
 * is accepted.
 * @throws `invalid` on `scope`
 */
export async function assertSameRecurrence(
  tx: Tx,
  event: CalendarEvent,
  input: z.output<typeof EventChange>,
): Promise<void> {
  if (event.seriesId === null || input.repeats === "never") return;
  if (input.repeats === "once") throw severalDatesRefusal();
  const { recurrence, lastDay } = await getSeries(tx, event.seriesId);
  const typed = readRecurrence(input, Temporal.PlainDate.from(event.seriesDate!));
  const isSame =
    JSON.stringify(typed) === JSON.stringify(recurrence) && input.lastDay === (lastDay?.toString() ?? null);
  if (!isSame) throw severalDatesRefusal();
}

const severalDatesRefusal = () => invalid("scope", "Choose several dates to change how the event repeats.");

/** Locks the series before its dates, so that two changes of it run one after another. */
export async function getSeriesToChange(tx: Tx, me: SignedIn, eventId: string) {
  const seriesId = await lockSeries(tx, eventId);
  const event = await getEditableEvent(tx, me, eventId);
  if (seriesId === null) throw invalid("scope", "This event does not repeat.");
  return { event, series: await getSeries(tx, seriesId), rows: await listDates(tx, seriesId) };
}

/** First date that a change concerns. */
export const firstDate = (rows: DateRow[], event: CalendarEvent, scope: SeriesScope): string =>
  scope === "following" ? event.seriesDate! : rows.find((it) => it.isOpen)!.date;

/** `at` is the time of the change. The notification handler finds the changed dates by it. */
export const emitForSeries = (
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  domainEvent: { type: string; seriesId: string; moved?: boolean },
) =>
  emit(tx, {
    ...domainEvent,
    eventId: event.id,
    groupId: event.group.id,
    by: me.id,
    at: tx.now.toISOString(),
  });

/** Returns the series with the differences between the event and the form applied. */
function applyChange(
  tx: Tx,
  series: Series,
  event: CalendarEvent,
  input: SeriesChange & { from: string },
): ChangedSeries {
  const shown = readClockTimes({ ...event, ...toFormTimes(event) });
  const typed = readClockTimes(input);
  const days = shown.starts.toPlainDate().until(typed.starts.toPlainDate()).days;
  const date = Temporal.PlainDate.from(event.seriesDate!).add({ days });
  const isSameClock = JSON.stringify(moveTo(shown, date)) === JSON.stringify(moveTo(typed, date));
  const times = isSameClock ? (days === 0 ? series.times : moveTo(series.times, date)) : moveTo(typed, date);
  const recurrence = readRecurrence(input, date) ?? series.recurrence;
  const isSameRule =
    days === 0 &&
    JSON.stringify(recurrence) === JSON.stringify(series.recurrence) &&
    input.lastDay === (series.lastDay?.toString() ?? null);
  const from = Temporal.PlainDate.from(input.from).add({ days });
  const plan = isSameRule
    ? null
    : planDates(recurrence, moveTo(times, date), { lastDay: input.lastDay, count: null, from, now: tx.now });
  const isCallShown = input.onlineUrl !== undefined && input.onlineUrl !== event.onlineUrl;
  return {
    title: input.title === event.title ? series.title : input.title,
    place: input.place === event.place ? series.place : input.place,
    onlineUrl: isCallShown ? input.onlineUrl! : series.onlineUrl,
    capacity: input.capacity === event.capacity ? series.capacity : input.capacity,
    companions: input.companions === event.companionsAllowed ? series.companions : input.companions,
    recurrence,
    times: plan ? plan.times : times,
    lastDay: plan ? plan.lastDay : series.lastDay,
    plan,
    days,
  };
}

/** The same times by the clock, with the first date on `date`. */
function moveTo(times: ClockTimes, date: Temporal.PlainDate): ClockTimes {
  const days = times.starts.toPlainDate().until(date);
  return {
    ...times,
    starts: times.starts.add(days),
    ends: times.ends.add(days),
    answersUntil: times.answersUntil && times.answersUntil.add(days),
  };
}

/**
 * Sorts the stored dates into those that stay and those to remove, and lists the dates to add. Dates that
 * were cancelled are not added again.
 */
function arrangeDates(tx: Tx, rows: DateRow[], after: ChangedSeries) {
  const open = rows.filter((it) => it.isOpen);
  if (!after.plan) return { kept: open, removed: [], added: [] };
  const planned = new Set(after.plan.dates.map(String));
  const stored = new Set(rows.map((row) => shiftDate(row, after).toString()));
  const isPlanned = (row: DateRow) => planned.has(shiftDate(row, after).toString());
  return {
    kept: open.filter(isPlanned),
    removed: open.filter((row) => !isPlanned(row)),
    added: after.plan.dates.filter(
      (date) => !stored.has(date.toString()) && timesOnDate(after.times, date).endsAt > tx.now,
    ),
  };
}
