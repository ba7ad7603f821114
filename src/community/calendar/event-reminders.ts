import { addMilliseconds, DAY, HOUR, MINUTE } from "#platform/clock";
import { limit, many, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";

const REMINDERS = [
  { before: "day", ahead: DAY, column: sql`day_reminder_at` },
  { before: "hour", ahead: HOUR, column: sql`hour_reminder_at` },
] as const;
/** Reminders are created a minute early, so that the mail is sent on time. */
const EARLY = MINUTE;
/**
 * A reminder that would be later than this is not sent, for instance after an outage or for an event created
 * shortly before.
 */
const MAX_DELAY = 30 * MINUTE;
const BATCH_SIZE = 200;

/**
 * Job: marks due reminders (one a day before an event, one an hour before it) as sent, and emits a domain
 * event for each.
 */
export async function emitDueReminders(tx: Tx): Promise<number> {
  let emitted = 0;
  for (const { before, ahead, column } of REMINDERS) {
    const [latest, earliest] = [ahead + EARLY, ahead - MAX_DELAY].map((span) =>
      addMilliseconds(tx.now, span),
    );
    const due = await many(
      tx,
      sql<{ occurrenceId: string; eventId: string; groupId: string }>`
        with due as (
          select o.id, e.group_id from calendar_occurrences o join calendar_events e on e.id = o.event_id
          where o.starts_at > ${earliest} and o.starts_at <= ${latest} and o.${column} is null
            and e.cancelled_at is null and e.postponed_at is null
          order by o.id ${limit(BATCH_SIZE)} for no key update of o skip locked)
        update calendar_occurrences o set ${column} = ${tx.now} from due where due.id = o.id
        returning o.id as "occurrenceId", o.event_id as "eventId", due.group_id as "groupId"`,
    );
    for (const it of due) await emit(tx, { type: "calendar.reminder", before, ...it });
    emitted += due.length;
  }
  return emitted;
}
