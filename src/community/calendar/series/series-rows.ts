import { limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { LIMITS } from "#community/rules";
import type { ClockTimes } from "./occurrence-times.ts";
import { timesOnDate } from "./occurrence-times.ts";
import { listRuleDates, type Recurrence } from "./recurrence.ts";
import { planningEnd, type SeriesPlan, toDate } from "./series-plan.ts";

/** Properties that the dates of a series have in common. */
export type SeriesDetails = {
  title: string;
  place: string;
  onlineUrl: string | null;
  capacity: number | null;
  companions: number;
};

/** A stored series. */
export type Series = SeriesDetails & {
  id: string;
  recurrence: Recurrence;
  times: ClockTimes;
  lastDay: Temporal.PlainDate | null;
};

type SeriesRow = SeriesDetails &
  Recurrence & {
    id: string;
    timeZone: string;
    allDay: boolean;
    /** Times without a zone, as text: the driver would read them in the zone of the process. */
    starts: string;
    ends: string;
    answersUntil: string | null;
    lastDay: string | null;
  };

/** Columns of the series `s`. */
const seriesColumns = sql`
  s.id, s.title, s.place, s.online_url as "onlineUrl", s.capacity, s.companions, s.frequency, s.every,
  s.weekdays, s.month_day as "monthDay", s.time_zone as "timeZone", s.all_day as "allDay",
  s.starts::text as starts, s.ends::text as ends, s.answers_until::text as "answersUntil",
  s.last_day::text as "lastDay"`;

const toSeries = ({ frequency, every, weekdays, monthDay, ...it }: SeriesRow): Series => ({
  id: it.id,
  title: it.title,
  place: it.place,
  onlineUrl: it.onlineUrl,
  capacity: it.capacity,
  companions: it.companions,
  recurrence: { frequency, every, weekdays, monthDay },
  times: {
    starts: Temporal.PlainDateTime.from(it.starts),
    ends: Temporal.PlainDateTime.from(it.ends),
    answersUntil: it.answersUntil === null ? null : Temporal.PlainDateTime.from(it.answersUntil),
    allDay: it.allDay,
    timeZone: it.timeZone,
  },
  lastDay: it.lastDay === null ? null : Temporal.PlainDate.from(it.lastDay),
});

export async function getSeries(tx: Tx, id: string): Promise<Series> {
  const row = await one(tx, sql<SeriesRow>`select ${seriesColumns} from event_series s where s.id = ${id}`);
  return toSeries(row);
}

/**
 * Locks the series of an event and all its dates, in the order in which other commands lock dates, and
 * returns its id; null for an event that does not repeat.
 */
export async function lockSeries(tx: Tx, eventId: string): Promise<string | null> {
  const found = await maybeOne(
    tx,
    sql<{ id: string }>`
      select s.id from event_series s join calendar_events e on e.series_id = s.id
      where e.id = ${eventId} for no key update of s`,
  );
  if (!found) return null;
  await run(
    tx,
    sql`select from calendar_occurrences o join calendar_events e on e.id = o.event_id
        where e.series_id = ${found.id} order by o.id for no key update of o`,
  );
  return found.id;
}

/** Stores a series; its dates are added by `insertDates`. */
export async function insertSeries(
  tx: Tx,
  {
    groupId,
    hostId,
    postId,
    ...it
  }: SeriesDetails & {
    groupId: string;
    hostId: string;
    postId: string | null;
  },
  plan: SeriesPlan,
): Promise<string> {
  const id = tx.newId();
  const { recurrence, times } = plan;
  await run(
    tx,
    sql`insert into event_series (id, group_id, host_id, post_id, frequency, every, weekdays, month_day,
          last_day, planned_until, title, time_zone, all_day, starts, ends, answers_until, place, online_url,
          capacity, companions, created_at)
        values (${id}, ${groupId}, ${hostId}, ${postId}, ${recurrence.frequency}, ${recurrence.every},
          ${recurrence.weekdays}, ${recurrence.monthDay}, ${plan.lastDay?.toString() ?? null},
          ${plan.plannedUntil.toString()}, ${it.title}, ${times.timeZone}, ${times.allDay},
          ${times.starts.toString()}, ${times.ends.toString()}, ${times.answersUntil?.toString() ?? null},
          ${it.place}, ${it.onlineUrl}, ${it.capacity}, ${it.companions}, ${tx.now})`,
  );
  return id;
}

/**
 * Adds dates to a series as events with its values, and with the hosts of its last date. Returns the id of the
 * first.
 */
export async function insertDates(
  tx: Tx,
  series: Pick<Series, "id" | "times">,
  dates: Temporal.PlainDate[],
): Promise<string> {
  const rows = dates.map((date) => ({
    date: date.toString(),
    eventId: tx.newId(),
    occurrenceId: tx.newId(),
    ...timesOnDate(series.times, date),
  }));
  await run(
    tx,
    sql`with r as (
          select * from unnest(${rows.map((it) => it.eventId)}::uuid[],
            ${rows.map((it) => it.occurrenceId)}::uuid[], ${rows.map((it) => it.date)}::date[],
            ${rows.map((it) => it.startsAt.toISOString())}::timestamptz[],
            ${rows.map((it) => it.endsAt.toISOString())}::timestamptz[],
            ${rows.map((it) => it.answersUntil?.toISOString() ?? null)}::timestamptz[])
          as t (event_id, occurrence_id, series_date, starts_at, ends_at, answers_until)),
        events as (
          insert into calendar_events (id, group_id, host_id, post_id, title, time_zone, all_day, ends_at,
            place, online_url, capacity, companions, answers_until, created_at, series_id, series_date)
          select r.event_id, s.group_id, s.host_id, s.post_id, s.title, s.time_zone, s.all_day, r.ends_at,
            s.place, s.online_url, s.capacity, s.companions, r.answers_until, ${tx.now}, s.id, r.series_date
          from r join event_series s on s.id = ${series.id}),
        hosts as (
          insert into event_hosts (event_id, person_id, added_at)
          select r.event_id, h.person_id, h.added_at from r join event_hosts h on h.event_id = (
            select e.id from calendar_events e where e.series_id = ${series.id}
            order by e.series_date desc limit 1)
          join event_series s on s.id = ${series.id} and s.host_id <> h.person_id)
        insert into calendar_occurrences (id, event_id, starts_at, ends_at)
        select occurrence_id, event_id, starts_at, ends_at from r`,
  );
  return rows[0]!.eventId;
}

const BATCH_SIZE = 50;
/** A series without an end is extended when it is planned this many days less than required. */
const TOLERANCE = 14;

/** For housekeeping: adds dates to series without an end. Returns the number of series. */
export async function extendSeries(tx: Tx): Promise<number> {
  const short = planningEnd(toDate(tx.now, "UTC")).subtract({ days: TOLERANCE });
  const due = await many(
    tx,
    sql<SeriesRow & { plannedUntil: string }>`
      select ${seriesColumns}, s.planned_until::text as "plannedUntil" from event_series s
      join groups g on g.id = s.group_id and g.state = 'active'
      join people p on p.id = s.host_id and p.state in ('active', 'limited')
      where s.last_day is null and s.planned_until < ${short.toString()}
      order by s.planned_until ${limit(BATCH_SIZE)} for no key update of s skip locked`,
  );
  for (const { plannedUntil, ...row } of due) {
    const series = toSeries(row);
    const today = toDate(tx.now, series.times.timeZone);
    const until = planningEnd(today);
    const after = Temporal.PlainDate.from(plannedUntil).add({ days: 1 });
    const from = Temporal.PlainDate.compare(after, today) < 0 ? today : after;
    const dates = listRuleDates(series.recurrence, series.times.starts.toPlainDate(), {
      from,
      until,
      most: LIMITS.event.series.dates,
    });
    if (dates.length > 0) {
      const eventId = await insertDates(tx, series, dates);
      await emit(tx, { type: "calendar.series-extended", eventId, seriesId: series.id });
    }
    await run(tx, sql`update event_series set planned_until = ${until.toString()} where id = ${series.id}`);
  }
  return due.length;
}
