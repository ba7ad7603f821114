import { DAY, later } from "#platform/clock";
import { type AnyEntry, type Batch, refuse } from "./batch.ts";

/** What these tell of has been. What is to happen, as a reminder, may well be to come. */
const HAS_BEEN = [
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
];

/**
 * A record without moments that are yet to come: what was written in the year 2031 would stand before everything until
 * then. It is given this one; clocks that are a few hours fast, and zones that nobody tells, are let be.
 */
export function asHasBeen<E extends AnyEntry>(batch: Batch, it: E): E[] {
  const { now } = batch.tx;
  const most = later(now, DAY);
  const wrong = HAS_BEEN.filter((field) => {
    const at: unknown = Reflect.get(it.record, field);
    return at instanceof Date && at > most;
  });
  if (wrong.length === 0) return [it];
  if (it.record.type === "revision") {
    // It is known by its moment: given another, it would come again with each run.
    refuse(batch, it, "its createdAt is yet to come.");
    return [];
  }
  batch.note(it, `Its ${wrong.join(" and its ")} ${wrong.length > 1 ? "are" : "is"} yet to come: it is given the moment when it comes in.`);
  return [{ ...it, record: { ...it.record, ...Object.fromEntries(wrong.map((field) => [field, now])) } }];
}
