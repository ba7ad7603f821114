import { HOUR, addMilliseconds } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";

/**
 * Deletes the details of events. They are needed only for delivery, which takes seconds; subscribers who
 * miss it read the records again.
 */
export const purgeChangeDetails = async (tx: Tx): Promise<void> =>
  void (await run(tx, sql`delete from data_event_records where at < ${addMilliseconds(tx.now, -HOUR)}`));
