import { run, sql } from "#platform/database";
import { LIMITS } from "#community/rules";
import { padWithDots } from "../../archive/record-fields.ts";
import type { Row } from "../../bulk-insert.ts";
import { assignIds, type Batch, type Entry, writeRows } from "../import-batch.ts";

/** Imports series of events. Their dates are events of their own. */
export async function importEventSeries(batch: Batch, entries: Entry<"event-series">[]): Promise<void> {
  const fresh = await assignIds(batch, "event_series", entries, (it) => it);
  await writeRows(
    batch,
    "event_series",
    fresh.map(({ id, record: it, at }): Row => ({
      id,
      group_id: batch.names.of("group", it.group)!,
      host_id: batch.names.of("user", it.host)!,
      post_id: findDescription(batch, { record: it, at }),
      frequency: it.frequency,
      every: it.every,
      weekdays: it.weekdays,
      month_day: it.monthDay,
      last_day: it.lastDay ?? null,
      planned_until: it.plannedUntil,
      starts: it.starts,
      ends: it.ends,
      answers_until: it.answersUntil ?? null,
      ...createDetailColumns(it),
      title: padWithDots(it.title, LIMITS.event.title.min),
    })),
  );
}

/** Columns that events and series have in common. */
export const createDetailColumns = (it: Entry<"event" | "event-series">["record"]): Row => ({
  title: it.title,
  time_zone: it.timeZone,
  all_day: it.allDay,
  place: it.place,
  online_url: it.onlineUrl ?? null,
  capacity: it.capacity ?? null,
  companions: it.companions,
  created_at: it.createdAt,
});

/** The post that describes an event. If it was not imported, the event is imported without it. */
export function findDescription(batch: Batch, entry: Entry<"event"> | Entry<"event-series">): string | null {
  const { post } = entry.record;
  if (!post) return null;
  const found = batch.names.of("post", post);
  if (!found)
    batch.note(
      entry,
      `Its description is the post ${post}, which does not precede it: imported without a description.`,
    );
  return found ?? null;
}

/** A series must not plan the dates again that were imported as events. */
export async function extendPlannedUntil(batch: Batch, series: string[]): Promise<void> {
  if (batch.check || series.length === 0) return;
  await run(
    batch.tx,
    sql`update event_series s set planned_until = e.last
        from (select series_id, max(series_date) as last from calendar_events
          where series_id = any(${series}::uuid[]) group by series_id) e
        where s.id = e.series_id and s.planned_until < e.last`,
  );
}
