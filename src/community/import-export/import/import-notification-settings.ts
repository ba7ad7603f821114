import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, writeRows } from "./import-batch.ts";

type Placed = Entry<"user"> & { id: string };

/** Imports notification settings and mail stops; they apply once the person signs in. */
export async function importNotificationSettings(batch: Batch, people: Placed[]): Promise<void> {
  await writeRows(
    batch,
    "mail_suppressions",
    people.flatMap(({ id, record }) =>
      record.mailStops.map(({ scope, at }): Row => ({ person_id: id, scope, at })),
    ),
  );
  await writeRows(
    batch,
    "notification_choices",
    people.flatMap(({ id, record }) => record.choices.map((it): Row => ({ person_id: id, ...it }))),
  );
  await writeRows(
    batch,
    "notification_settings",
    people.flatMap(({ id, record }) => (record.notified ? [createSettingsRow(id, record.notified)] : [])),
  );
}

function createSettingsRow(id: string, it: NonNullable<Placed["record"]["notified"]>): Row {
  // Equal start and end mean no quiet hours.
  const isQuiet = it.quietFrom && it.quietTo && it.quietFrom !== it.quietTo;
  return {
    person_id: id,
    quiet_from: isQuiet ? it.quietFrom : null,
    quiet_to: isQuiet ? it.quietTo : null,
    quiet_days: it.quietDays,
    paused_until: it.pausedUntil ?? null,
    digest_every: it.digestEvery,
    digest_day: it.digestDay,
    strangers_apart: it.strangersApart,
    newcomers_apart: it.newcomersApart,
  };
}
