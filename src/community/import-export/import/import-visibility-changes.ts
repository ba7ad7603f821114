import { DAY, addMilliseconds } from "#platform/clock";
import { isWiderVisibility, NOTICE_DAYS } from "#community/groups";
import type { RecordOf } from "../archive/records.ts";
import type { Row } from "../bulk-insert.ts";
import type { Batch } from "./import-batch.ts";

/**
 * Imports a scheduled visibility change. If its date has passed, it is scheduled for seven days from now,
 * because the members here have not been notified yet.
 */
export function toScheduledVisibility({ tx }: Batch, { opens, visibility }: RecordOf<"group">) {
  if (!opens || !isWiderVisibility({ visibility }, opens)) return null;
  return { ...opens, at: opens.at > tx.now ? opens.at : addMilliseconds(tx.now, NOTICE_DAYS * DAY) };
}

export function createVisibilityColumns(batch: Batch, row: RecordOf<"group">): Row {
  const opens = toScheduledVisibility(batch, row);
  return {
    wider_visibility: opens?.visibility ?? null,
    wider_join_policy: opens?.joinPolicy ?? null,
    wider_at: opens?.at ?? null,
    wider_by: (opens?.by && batch.names.of("user", opens.by)) ?? null,
  };
}
