import { DAY, later } from "#platform/clock";
import { isWider, NOTICE_DAYS } from "#community/groups";
import type { Of } from "../archive/records.ts";
import type { Row } from "../fill.ts";
import type { Batch } from "./batch.ts";

/** An opening that was announced to the members of a group. Where its moment is over, nobody here has been told of it yet: then they have the days that everybody has. */
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
