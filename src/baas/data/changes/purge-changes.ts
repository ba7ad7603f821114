import { HOUR, addMilliseconds } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";

/** Deletes details of delivered events: they are delivered within seconds, or subscribers reread. */
export const purgeChangeDetails = async (tx: Tx): Promise<void> =>
  void (await run(tx, sql`delete from data_event_records where at < ${addMilliseconds(tx.now, -HOUR)}`));
