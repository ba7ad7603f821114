import { type Database, many, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import {
  endNotificationsForEvent,
  NOTIFICATION_ENDING_EVENTS,
  notifyOfEvent,
  NOTIFYING_EVENTS,
} from "../../../src/community/notifications/index.ts";

/** Passes all pending domain events to the notification handlers, as the dispatcher does. */
export async function dispatchEvents(database: Database): Promise<void> {
  for (;;) {
    const events = await many(
      database.db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`select id, payload from outbox where handled_at is null order by id`,
    );
    if (events.length === 0) return;
    for (const it of events) {
      if (NOTIFYING_EVENTS.includes(it.payload.type)) await notifyOfEvent(database, it);
      if (NOTIFICATION_ENDING_EVENTS.includes(it.payload.type))
        await endNotificationsForEvent(database, it.payload);
      await run(database.db, sql`update outbox set handled_at = now() where id = ${it.id}`);
    }
  }
}

/** Passes all domain events to the handlers again, as after a crash of the dispatcher. */
export async function redispatchEvents(database: Database): Promise<void> {
  await run(database.db, sql`update outbox set handled_at = null where type not like 'notification%'`);
  await dispatchEvents(database);
}

export type DeliveryRow = {
  kind: string;
  reason: string;
  detail: string;
  count: number;
  actors: string[];
  objectId: string;
  latestId: string | null;
  filtered: boolean;
  read: boolean;
  withdrawn: boolean;
  mailAt: Date | null;
  pushAt: Date | null;
};

/** Returns a person's notification rows, oldest first, then by kind. */
export const listDeliveryRows = (database: Database, who: { id: string }) =>
  many(
    database.db,
    sql<DeliveryRow>`
      select kind, reason, detail, count, actors, object_id as "objectId", latest_id as "latestId", filtered,
        read_at is not null as read,
        withdrawn_at is not null as withdrawn, mail_at as "mailAt", push_at as "pushAt"
      from notifications where person_id = ${who.id} order by created_at, kind, object_id`,
  );

/**
 * Returns a person's notifications as short texts: `kind`, `reason`, and the state if it is `read` or
 * `withdrawn`.
 */
export const describeDeliveries = async (database: Database, who: { id: string }): Promise<string[]> =>
  (await listDeliveryRows(database, who)).map((deliveryRow) =>
    [
      deliveryRow.kind,
      deliveryRow.reason,
      deliveryRow.read ? "read" : "",
      deliveryRow.withdrawn ? "withdrawn" : "",
      deliveryRow.count > 1 ? `×${deliveryRow.count}` : "",
    ]
      .filter(Boolean)
      .join(" "),
  );
