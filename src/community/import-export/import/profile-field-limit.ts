import { SERVER_LIMITS } from "#community/rules";
import type { Batch, Entry } from "./import-batch.ts";

/** Limits a person's profile fields to the maximum; the first ones are kept. */
export function limitProfileFields(batch: Batch, entry: Entry<"user">): Entry<"user"> {
  const { fields } = entry.record;
  if (fields.length <= SERVER_LIMITS.profileLines) return entry;
  batch.note(
    entry,
    `Its profile has ${fields.length} fields: only the first ${SERVER_LIMITS.profileLines} were imported.`,
  );
  return { ...entry, record: { ...entry.record, fields: fields.slice(0, SERVER_LIMITS.profileLines) } };
}
