import { DAY, addMilliseconds } from "#platform/clock";
import { type AnyEntry, type Batch, refuseRecord } from "./import-batch.ts";

/** Fields that must be in the past. Other dates, such as reminders, may be in the future. */
const PAST_FIELDS = [
  "createdAt",
  "editedAt",
  "updatedAt",
  "changedAt",
  "lastActiveAt",
  "archivedAt",
  "pinnedAt",
  "lockedAt",
  "resolvedAt",
  "featuredAt",
  "takenAt",
  "hiddenAt",
  "shownAt",
  "removedAt",
  "deletedAt",
  "cancelledAt",
  "postponedAt",
  "checkedInAt",
  "closedAt",
];

/**
 * Replaces future dates with the time of the import, because they would sort first for years. Dates a few
 * hours ahead are kept: clocks may be fast and time zones missing.
 */
export function replaceFutureDates<E extends AnyEntry>(batch: Batch, it: E): E[] {
  const { now } = batch.tx;
  const most = addMilliseconds(now, DAY);
  const wrong = PAST_FIELDS.filter((field) => {
    const at: unknown = Reflect.get(it.record, field);
    return at instanceof Date && at > most;
  });
  if (wrong.length === 0) return [it];
  if (it.record.type === "revision") {
    // A revision is identified by its date: with another date each run would import it again.
    refuseRecord(batch, it, "its createdAt is in the future.");
    return [];
  }
  batch.note(
    it,
    `Its ${wrong.join(" and its ")} ${wrong.length > 1 ? "are" : "is"} in the future: set to the time of the import.`,
  );
  return [{ ...it, record: { ...it.record, ...Object.fromEntries(wrong.map((field) => [field, now])) } }];
}
