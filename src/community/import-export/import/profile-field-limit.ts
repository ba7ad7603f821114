import { LIMITS } from "#community/rules";
import type { Batch, Entry } from "./import-batch.ts";

/** The person with no more profile fields than allowed: the first ones are kept. */
export function limitProfileFields(batch: Batch, it: Entry<"user">): Entry<"user"> {
  const { fields } = it.record;
  if (fields.length <= LIMITS.profileLines) return it;
  batch.note(
    it,
    `Its profile has ${fields.length} fields: only the first ${LIMITS.profileLines} were imported.`,
  );
  return { ...it, record: { ...it.record, fields: fields.slice(0, LIMITS.profileLines) } };
}
