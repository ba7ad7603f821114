import { LIMITS } from "#community/rules";
import type { Batch, Entry } from "./batch.ts";

/** Somebody with no more lines in their profile than one may have: the first of them. */
export function withFewLines(batch: Batch, it: Entry<"user">): Entry<"user"> {
  const { fields } = it.record;
  if (fields.length <= LIMITS.profileLines) return it;
  batch.note(it, `Its profile has ${fields.length} lines: the first ${LIMITS.profileLines} are kept.`);
  return { ...it, record: { ...it.record, fields: fields.slice(0, LIMITS.profileLines) } };
}
