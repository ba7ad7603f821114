import { many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";
import { promoteWaitingList } from "../attendance.ts";
import { timesOnDate } from "./occurrence-times.ts";
import type { Series } from "./series-rows.ts";

/** A date of a series. */
export type DateRow = {
  eventId: string;
  /** Its date by the rule, as text. */
  date: string;
  startsAt: Date;
  endsAt: Date;
  answersUntil: Date | null;
  /** False for dates that were cancelled or have ended. Changes of the series leave such dates alone. */
  isOpen: boolean;
  isPostponed: boolean;
};

/** All dates of a series in order. */
export const listDates = (tx: Tx, seriesId: string): Promise<DateRow[]> =>
  many(
    tx,
    sql<DateRow>`
      select e.id as "eventId", e.series_date::text as date, o.starts_at as "startsAt",
        o.ends_at as "endsAt", e.answers_until as "answersUntil",
        e.cancelled_at is null and (o.ends_at > ${tx.now} or e.postponed_at is not null) as "isOpen",
        e.postponed_at is not null as "isPostponed"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      where e.series_id = ${seriesId} order by e.series_date`,
  );

/** Whether a date has the times of its series, rather than times of its own. */
export function hasSeriesTimes(row: DateRow, { times }: Pick<Series, "times">): boolean {
  const { startsAt, endsAt } = timesOnDate(times, Temporal.PlainDate.from(row.date));
  return (
    !row.isPostponed &&
    startsAt.getTime() === row.startsAt.getTime() &&
    endsAt.getTime() === row.endsAt.getTime()
  );
}

/** Splits a series before a date: it ends there, and its later dates become a new series. Returns the id. */
export async function splitSeries(tx: Tx, seriesId: string, date: string): Promise<string> {
  const id = tx.newId();
  await run(
    tx,
    sql`insert into event_series (id, group_id, host_id, post_id, frequency, every, weekdays, month_day,
          last_day, planned_until, title, time_zone, all_day, starts, ends, answers_until, place, online_url,
          capacity, companions, created_at)
        select ${id}, group_id, host_id, post_id, frequency, every, weekdays, month_day, last_day,
          planned_until, title, time_zone, all_day, starts, ends, answers_until, place, online_url, capacity,
          companions, ${tx.now}
        from event_series where id = ${seriesId}`,
  );
  await run(
    tx,
    sql`update calendar_events set series_id = ${id}
        where series_id = ${seriesId} and series_date >= ${date}::date`,
  );
  await endSeriesBefore(tx, seriesId, date);
  return id;
}

/** Ends a series before a date. */
export const endSeriesBefore = (tx: Tx, seriesId: string, date: string) =>
  run(tx, sql`update event_series set last_day = ${date}::date - 1 where id = ${seriesId}`);

/**
 * Moves the series date of each event by a number of days. The start times are not changed here, so that a
 * cancelled event keeps its time.
 */
export const shiftDates = (tx: Tx, seriesId: string, days: number) =>
  run(
    tx,
    sql`update calendar_events set series_date = series_date + ${days}::int where series_id = ${seriesId}`,
  );

/**
 * Removes the events of dates that the rule no longer has: events with answers are cancelled, others
 * deleted.
 */
export async function removeDates(
  tx: Tx,
  me: SignedIn,
  rows: DateRow[],
  groupId: string,
): Promise<{ isAnyCancelled: boolean }> {
  if (rows.length === 0) return { isAnyCancelled: false };
  const ids = rows.map((it) => it.eventId);
  const deleted = await many(
    tx,
    sql<{ id: string }>`delete from calendar_events e where e.id = any(${ids}::uuid[]) and not exists (
          select from attendances a join calendar_occurrences o on o.id = a.occurrence_id
          where o.event_id = e.id) returning e.id`,
  );
  if (deleted.length > 0)
    await emit(tx, {
      type: "calendar.series-dates-deleted",
      eventIds: deleted.map(({ id }) => id).join(","),
      groupId,
      by: me.id,
      at: tx.now.toISOString(),
    });
  const cancelled = await run(
    tx,
    sql`update calendar_events set cancelled_at = ${tx.now}, cancelled_by = ${me.id}, changes = changes + 1,
          changed_at = ${tx.now}
        where id = any(${ids}::uuid[])`,
  );
  return { isAnyCancelled: cancelled > 0 };
}

/** Gives free places to the waiting lists of a series' open dates. */
export async function promoteWaitingLists(tx: Tx, seriesId: string): Promise<void> {
  const full = await many(
    tx,
    sql<{ id: string; occurrenceId: string; capacity: number | null; groupId: string }>`
      select e.id, o.id as "occurrenceId", e.capacity, e.group_id as "groupId"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      where e.series_id = ${seriesId} and e.cancelled_at is null and o.ends_at > ${tx.now}
        and exists (select from attendances a where a.occurrence_id = o.id and a.answer = 'waiting')
      order by o.id`,
  );
  for (const places of full) await promoteWaitingList(tx, places);
}
