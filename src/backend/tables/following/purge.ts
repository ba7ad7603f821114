import { HOUR, later } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";

/** What was kept for those who were to be told is gone soon: they were told within seconds, or have read anew. */
export const purgeTold = async (tx: Tx): Promise<void> =>
  void (await run(tx, sql`delete from data_told where at < ${later(tx.now, -HOUR)}`));
