import { addMilliseconds, DAY, HOUR, MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { insertRowsWithNewIds, type Row } from "../../bulk-insert.ts";
import { assignIds, type Batch, type Entry, writeRows } from "../import-batch.ts";
import { createDetailColumns, extendPlannedUntil, findDescription } from "./import-series.ts";

type FreshEvent = Entry<"event"> & { id: string };

/** Imports events with their dates and hosts. Nobody is notified. */
export async function importEvents(batch: Batch, entries: Entry<"event">[]): Promise<void> {
  const assigned = await assignIds(batch, "calendar_events", entries, (it) => it);
  // Two records may have the same UUID, in small and in capital letters.
  const fresh = [...new Map(assigned.map((it) => [it.id, it])).values()];
  const series = await assignSeries(batch, fresh);
  const rows = fresh.map((it) => createEventRow(batch, it, series.get(it.id) ?? null));
  if (!batch.check) await insertRowsWithNewIds(batch.tx, "calendar_events", rows);
  const free = await chooseIds(
    batch,
    "calendar_occurrences",
    fresh.map(({ record }) => record.occurrence),
  );
  await writeRows(
    batch,
    "calendar_occurrences",
    fresh.map((it, index) => ({
      id: free[index]!,
      event_id: it.id,
      starts_at: it.record.startsAt,
      ends_at: it.record.endsAt,
      ...createReminderColumns(batch.tx.now, it.record.startsAt),
    })),
  );
  await writeRows(
    batch,
    "event_hosts",
    fresh.flatMap((it) => createHostRows(batch, it)),
  );
  await extendPlannedUntil(batch, [...new Set(series.values())]);
}

function createEventRow(batch: Batch, entry: FreshEvent, series: string | null): Row {
  const { id, record: it } = entry;
  const host = batch.names.of("user", it.host)!;
  // Falls back to the host if the person who cancelled or postponed was not imported.
  const by = (at: Date | null | undefined, who: string | null | undefined) =>
    at ? ((who && batch.names.of("user", who)) ?? host) : null;
  return {
    id,
    group_id: batch.names.of("group", it.group)!,
    host_id: host,
    post_id: findDescription(batch, entry),
    audience: it.audience,
    ...createDetailColumns(it),
    ends_at: it.endsAt,
    answers_until: it.answersUntil ?? null,
    changes: it.changes,
    changed_at: it.changedAt ?? null,
    cancelled_at: it.cancelledAt ?? null,
    cancelled_by: by(it.cancelledAt, it.cancelledBy),
    cancelled_reason: it.cancelledAt ? it.cancelledReason : "",
    postponed_at: it.postponedAt ?? null,
    postponed_by: by(it.postponedAt, it.postponedBy),
    postponed_reason: it.postponedAt ? it.postponedReason : "",
    series_id: series,
    series_date: series && it.seriesDate,
  };
}

/**
 * Series of the events. An event whose series was not imported, or whose date another event of the series
 * has, is imported as a single event.
 */
async function assignSeries(batch: Batch, fresh: FreshEvent[]): Promise<Map<string, string>> {
  const wanted = fresh.flatMap((entry) => {
    const { series, seriesDate } = entry.record;
    const found = series && batch.names.of("event-series", series);
    if (series && !found)
      batch.note(
        entry,
        `It belongs to the series ${series}, which does not precede it: imported as a single event.`,
      );
    return found ? [{ entry, series: found, key: `${found} ${seriesDate}` }] : [];
  });
  const taken = new Set(
    (
      await many(
        batch.tx,
        sql<{ key: string }>`select series_id || ' ' || series_date as key from calendar_events
          where series_id = any(${[...new Set(wanted.map(({ series }) => series))]}::uuid[])`,
      )
    ).map(({ key }) => key),
  );
  const placed = new Map<string, string>();
  for (const { entry, series, key } of wanted) {
    if (taken.has(key) || batch.checked.seriesDates.has(key))
      batch.note(entry, "Its series already has an event on that date: imported as a single event.");
    else placed.set(entry.id, series);
    taken.add(key);
    if (batch.check) batch.checked.seriesDates.add(key);
  }
  return placed;
}

/** Ids of rows that belong to a record: the given ones where they are free, and new ones elsewhere. */
export async function chooseIds(
  batch: Batch,
  table: string,
  given: (string | null | undefined)[],
): Promise<string[]> {
  const own = given.map((it) => (it && isId(it) ? it.toLowerCase() : null));
  const rows = await many(
    batch.tx,
    sql<{ id: string }>`select id from ${sql.table(table)}
      where id = any(${own.filter((it) => it !== null)}::uuid[])`,
  );
  const taken = new Set(rows.map(({ id }) => id));
  return own.map((id) => {
    if (id === null || taken.has(id)) return batch.tx.newId();
    taken.add(id);
    return id;
  });
}

/** Reminders become due a minute early. */
const EARLY = MINUTE;

/** Reminders that were due before the import count as sent. */
function createReminderColumns(now: Date, startsAt: Date): Row {
  const dueAt = (ahead: number) => {
    const at = addMilliseconds(startsAt, -ahead);
    return at <= addMilliseconds(now, EARLY) ? at : null;
  };
  return { day_reminder_at: dueAt(DAY), hour_reminder_at: dueAt(HOUR) };
}

function createHostRows(batch: Batch, { id, record }: FreshEvent): Row[] {
  const first = batch.names.of("user", record.host)!;
  return record.hosts.flatMap(({ user, createdAt }) => {
    const person = batch.names.of("user", user);
    if (!person || person === first) return [];
    return [{ event_id: id, person_id: person, added_at: createdAt ?? record.createdAt }];
  });
}
