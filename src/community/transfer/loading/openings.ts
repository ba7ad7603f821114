import { DAY, later } from "#platform/clock";
import { isWider, NOTICE_DAYS } from "#community/groups";
import type { Of } from "../archive/records.ts";
import type { Row } from "../fill.ts";
import type { Batch } from "./batch.ts";

/**
 * A scheduled visibility change. If its date has passed, the members here have not been notified yet and get
 * the usual seven days.
 */
export function openingOf({ tx }: Batch, { opens, visibility }: Of<"group">) {
  if (!opens || !isWider({ visibility }, opens)) return null;
  return { ...opens, at: opens.at > tx.now ? opens.at : later(tx.now, NOTICE_DAYS * DAY) };
}

export function openingRow(batch: Batch, it: Of<"group">): Row {
  const opens = openingOf(batch, it);
  return {
    wider_visibility: opens?.visibility ?? null,
    wider_join_policy: opens?.joinPolicy ?? null,
    wider_at: opens?.at ?? null,
    wider_by: (opens?.by && batch.names.of("user", opens.by)) ?? null,
  };
}
