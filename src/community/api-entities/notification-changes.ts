import { type Db, many, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { type PerViewerChange, toText } from "./per-viewer-entities.ts";

/** New notifications can update an unread row: each person gets their latest updated row. */
export async function findNewNotifications(
  { objectId }: DomainEvent,
  db: Db,
  here: string[],
): Promise<PerViewerChange[]> {
  const rows = await many(
    db,
    sql<{ id: string; personId: string; isNew: boolean }>`
      select distinct on (person_id) id, person_id as "personId", updated_at = created_at as "isNew"
      from notifications
      where object_id = ${toText(objectId)}::uuid and person_id = any(${here}::uuid[])
      order by person_id, updated_at desc`,
  );
  return rows.map(({ id, personId, isNew }) => ({
    table: "Notifications",
    event: isNew ? "created" : "updated",
    objectId: id,
    only: [personId],
  }));
}

/**
 * Changes of notifications: read, unread, seen, or withdrawn because the person can no longer see the
 * subject.
 */
export function findNotificationChanges({ personId, ids, withdrawn }: DomainEvent): PerViewerChange[] {
  const event = withdrawn === true ? "deleted" : "updated";
  const changed = toText(ids)
    .split(",")
    .filter((id) => id !== "");
  return changed.map((objectId) => ({ table: "Notifications", event, objectId, only: [toText(personId)] }));
}
