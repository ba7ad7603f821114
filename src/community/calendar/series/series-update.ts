import { run, sql, type Tx } from "#platform/database";
import type { CalendarEvent } from "../event-columns.ts";
import { timesOnDate } from "./occurrence-times.ts";
import type { DateRow } from "./series-dates.ts";
import { hasSeriesTimes } from "./series-dates.ts";
import type { SeriesPlan } from "./series-plan.ts";
import type { Series } from "./series-rows.ts";

/** Values of a series after a change. Without a `plan`, the dates do not change. */
export type ChangedSeries = Omit<Series, "id"> & {
  plan: SeriesPlan | null;
  /** Days by which each date moves. */
  days: number;
};

/** A date after the change. */
export const shiftDate = (row: Pick<DateRow, "date">, { days }: Pick<ChangedSeries, "days">) =>
  Temporal.PlainDate.from(row.date).add({ days });

/** Stores how a series repeats, and the values of its dates. */
export const storeSeries = (tx: Tx, id: string, { times, recurrence, plan, ...it }: ChangedSeries) =>
  run(
    tx,
    sql`update event_series set frequency = ${recurrence.frequency}, every = ${recurrence.every},
          weekdays = ${recurrence.weekdays}, month_day = ${recurrence.monthDay},
          last_day = ${it.lastDay?.toString() ?? null},
          ${plan ? sql`planned_until = ${plan.plannedUntil.toString()},` : sql``}
          title = ${it.title}, time_zone = ${times.timeZone}, all_day = ${times.allDay},
          starts = ${times.starts.toString()}, ends = ${times.ends.toString()},
          answers_until = ${times.answersUntil?.toString() ?? null}, place = ${it.place},
          online_url = ${it.onlineUrl}, capacity = ${it.capacity}, companions = ${it.companions}
        where id = ${id}`,
  );

/** Values that can be changed on a single date of a series. */
const COLUMNS = [
  { key: "title", column: "title", type: sql`text` },
  { key: "place", column: "place", type: sql`text` },
  { key: "onlineUrl", column: "online_url", type: sql`text` },
  { key: "capacity", column: "capacity", type: sql`int` },
  { key: "companions", column: "companions", type: sql`int` },
] as const;

/**
 * Applies an edit to the events of a series. An event with its own value or time keeps it, unless it is the
 * edited event. Returns whether time or place changed, so that people must be notified.
 */
export async function updateDates(
  tx: Tx,
  rows: DateRow[],
  { before, after, edited }: { before: Series; after: ChangedSeries; edited: CalendarEvent },
): Promise<{ isMoved: boolean }> {
  const isSameTime = (a: DateRow, b: { startsAt: Date; endsAt: Date }) =>
    a.startsAt.getTime() === b.startsAt.getTime() && a.endsAt.getTime() === b.endsAt.getTime();
  const hasNewTimes = JSON.stringify(before.times) !== JSON.stringify(after.times);
  const updates = rows.map((row) => {
    const follows = hasNewTimes && (row.eventId === edited.id || hasSeriesTimes(row, before));
    return { row, follows, ...(follows ? timesOnDate(after.times, shiftDate(row, after)) : row) };
  });
  const list = <T>(of: (it: (typeof updates)[number]) => T) => updates.map(of);
  const changes = COLUMNS.filter(({ key }) => before[key] !== after[key]).map(({ key, column, type }) => {
    const [name, was, is] = [sql.ref(`e.${column}`), before[key], after[key]];
    return sql`${sql.ref(column)} = case
      when e.id = ${edited.id} or ${name} is not distinct from ${was}::${type} then ${is}::${type}
      else ${name} end,`;
  });
  await run(
    tx,
    sql`with r as (
          select * from unnest(${list((it) => it.row.eventId)}::uuid[],
            ${list((it) => it.follows)}::boolean[],
            ${list((it) => it.startsAt.toISOString())}::timestamptz[],
            ${list((it) => it.endsAt.toISOString())}::timestamptz[],
            ${list((it) => it.answersUntil?.toISOString() ?? null)}::timestamptz[])
          as t (event_id, follows, starts_at, ends_at, answers_until)),
        occurrences as (
          update calendar_occurrences o set starts_at = r.starts_at, ends_at = r.ends_at,
            day_reminder_at = case when o.starts_at = r.starts_at then o.day_reminder_at end,
            hour_reminder_at = case when o.starts_at = r.starts_at then o.hour_reminder_at end
          from r where o.event_id = r.event_id)
        update calendar_events e set ends_at = r.ends_at, answers_until = r.answers_until,
          time_zone = case when r.follows then ${after.times.timeZone} else e.time_zone end,
          all_day = case when r.follows then ${after.times.allDay} else e.all_day end,
          postponed_at = case when not r.follows then e.postponed_at end,
          postponed_by = case when not r.follows then e.postponed_by end,
          postponed_reason = case when r.follows then '' else e.postponed_reason end,
          ${sql.join(changes, sql` `)}
          changes = e.changes + 1, changed_at = ${tx.now}
        from r where e.id = r.event_id`,
  );
  return {
    isMoved: before.place !== after.place || updates.some((it) => !isSameTime(it.row, it)),
  };
}
