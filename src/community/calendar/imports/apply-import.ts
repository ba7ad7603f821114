import { many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";
import type { CheckedEntry } from "./import-entries.ts";
import type { ImportPlan, ImportSource, StoredEntry } from "./import-plan.ts";

/** Numbers of events that an import has created, updated and removed. */
export type ImportCounts = { created: number; updated: number; removed: number };
type Target = { groupId: string; source: ImportSource };

/**
 * Stores the events of a plan. New events cause no notifications, because there may be hundreds; changes
 * notify the people who answered.
 */
export async function applyImport(
  tx: Tx,
  me: SignedIn,
  plan: ImportPlan,
  target: Target,
): Promise<ImportCounts> {
  await insertEvents(tx, me, plan.created, target);
  await updateEvents(tx, me, plan.updated, target);
  await cancelEvents(tx, me, plan.cancelled, target.groupId);
  await removeEvents(tx, me, plan.removed, target.groupId);
  return {
    created: plan.created.length,
    updated: plan.updated.length,
    removed: plan.cancelled.length + plan.removed.length,
  };
}

const column = <Row, Value>(rows: Row[], of: (row: Row) => Value) => rows.map(of);

async function insertEvents(tx: Tx, me: SignedIn, entries: CheckedEntry[], { groupId, source }: Target) {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({ ...entry, id: tx.newId(), occurrenceId: tx.newId() }));
  const importId = "importId" in source ? source.importId : null;
  const subscriptionId = "subscriptionId" in source ? source.subscriptionId : null;
  await run(
    tx,
    sql`with r as (
          select * from unnest(${column(rows, (it) => it.id)}::uuid[],
            ${column(rows, (it) => it.occurrenceId)}::uuid[], ${column(rows, (it) => it.title)}::text[],
            ${column(rows, (it) => it.timeZone)}::text[], ${column(rows, (it) => it.allDay)}::boolean[],
            ${column(rows, (it) => it.startsAt)}::timestamptz[],
            ${column(rows, (it) => it.endsAt)}::timestamptz[], ${column(rows, (it) => it.place)}::text[],
            ${column(rows, (it) => it.uid)}::text[], ${column(rows, (it) => it.date)}::text[],
            ${column(rows, (it) => it.digest)}::text[], ${column(rows, (it) => it.text)}::text[])
          as t (id, occurrence_id, title, time_zone, all_day, starts_at, ends_at, place, uid, date, digest, text)),
        events as (
          insert into calendar_events (id, group_id, host_id, title, time_zone, all_day, ends_at, place,
            companions, created_at)
          select id, ${groupId}, ${me.id}, title, time_zone, all_day, ends_at, place, 0, ${tx.now} from r),
        occurrences as (
          insert into calendar_occurrences (id, event_id, starts_at, ends_at)
          select occurrence_id, id, starts_at, ends_at from r)
        insert into imported_events (event_id, group_id, uid, date, digest, text, import_id, subscription_id)
        select id, ${groupId}, uid, date, digest, text, ${importId}, ${subscriptionId} from r`,
  );
  const event = { type: "calendar.created", groupId, by: me.id, quiet: true };
  await Promise.all(rows.map(({ id }) => emit(tx, { ...event, eventId: id })));
}

async function updateEvents(tx: Tx, me: SignedIn, updated: ImportPlan["updated"], { groupId }: Target) {
  if (updated.length === 0) return;
  const entries = updated.map(({ entry, stored }) => ({ ...entry, id: stored.eventId }));
  await run(
    tx,
    sql`with r as (
          select * from unnest(${column(entries, (it) => it.id)}::uuid[],
            ${column(entries, (it) => it.title)}::text[], ${column(entries, (it) => it.timeZone)}::text[],
            ${column(entries, (it) => it.allDay)}::boolean[],
            ${column(entries, (it) => it.startsAt)}::timestamptz[],
            ${column(entries, (it) => it.endsAt)}::timestamptz[],
            ${column(entries, (it) => it.place)}::text[], ${column(entries, (it) => it.digest)}::text[],
            ${column(entries, (it) => it.text)}::text[])
          as t (id, title, time_zone, all_day, starts_at, ends_at, place, digest, text)),
        occurrences as (
          update calendar_occurrences o set starts_at = r.starts_at, ends_at = r.ends_at,
            day_reminder_at = case when o.starts_at = r.starts_at then o.day_reminder_at end,
            hour_reminder_at = case when o.starts_at = r.starts_at then o.hour_reminder_at end
          from r where o.event_id = r.id),
        imported as (
          update imported_events i set digest = r.digest, text = r.text from r where i.event_id = r.id)
        update calendar_events e set title = r.title, time_zone = r.time_zone, all_day = r.all_day,
          ends_at = r.ends_at, place = r.place, changes = e.changes + 1, changed_at = ${tx.now},
          answers_until = case when e.answers_until <= r.ends_at then e.answers_until end,
          postponed_at = null, postponed_by = null, postponed_reason = ''
        from r where e.id = r.id`,
  );
  await Promise.all(
    updated.map(({ entry, stored }) =>
      emit(tx, {
        type: "calendar.changed",
        eventId: stored.eventId,
        groupId,
        moved:
          entry.startsAt.getTime() !== stored.startsAt.getTime() ||
          entry.endsAt.getTime() !== stored.endsAt.getTime() ||
          entry.place !== stored.place,
        by: me.id,
      }),
    ),
  );
}

async function cancelEvents(tx: Tx, me: SignedIn, events: Pick<StoredEntry, "eventId">[], groupId: string) {
  if (events.length === 0) return;
  await run(
    tx,
    sql`update calendar_events set cancelled_at = ${tx.now}, cancelled_by = ${me.id}, changes = changes + 1,
          changed_at = ${tx.now}
        where id = any(${column(events, (it) => it.eventId)}::uuid[]) and cancelled_at is null`,
  );
  await Promise.all(
    events.map(({ eventId }) => emit(tx, { type: "calendar.cancelled", eventId, groupId, by: me.id })),
  );
}

/** Events in one domain event about deletions. */
const BATCH = 100;

/**
 * Deletes events that nobody has answered, and cancels the others, so that those who answered are told. Returns
 * the numbers of both.
 */
export async function removeEvents(
  tx: Tx,
  me: SignedIn,
  events: Pick<StoredEntry, "eventId">[],
  groupId: string,
): Promise<{ deleted: number; cancelled: number }> {
  if (events.length === 0) return { deleted: 0, cancelled: 0 };
  const rows = await many(
    tx,
    sql<{ id: string }>`
      delete from calendar_events e where e.id = any(${column(events, (it) => it.eventId)}::uuid[])
        and not exists (select from attendances a join calendar_occurrences o on o.id = a.occurrence_id
          where o.event_id = e.id)
      returning e.id`,
  );
  const ids = rows.map(({ id }) => id);
  const at = tx.now.toISOString();
  for (let from = 0; from < ids.length; from += BATCH)
    await emit(tx, {
      type: "calendar.series-dates-deleted",
      eventIds: ids.slice(from, from + BATCH).join(","),
      groupId,
      by: me.id,
      at,
    });
  const deleted = new Set(ids);
  const answered = events.filter(({ eventId }) => !deleted.has(eventId));
  await cancelEvents(tx, me, answered, groupId);
  return { deleted: ids.length, cancelled: answered.length };
}
