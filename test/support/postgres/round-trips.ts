import pg from "pg";
import { vi } from "vitest";

const FRAME = /^(begin|commit|rollback)/;

/**
 * Returns the number of round trips to the database during `work`, without begin and commit of its
 * transactions. Statements sent on a connection without waiting for each other share one round trip.
 */
export async function countRoundTrips(work: () => Promise<unknown>): Promise<number> {
  const send = pg.Client.prototype.query as (
    this: pg.Client,
    query: pg.QueryConfig | string,
  ) => Promise<unknown>;
  const waiting = new Map<pg.Client, number>();
  let count = 0;
  async function countAndSend(this: pg.Client, query: pg.QueryConfig | string): Promise<unknown> {
    const before = waiting.get(this) ?? 0;
    if (before === 0 && !FRAME.test(typeof query === "string" ? query : query.text)) count++;
    waiting.set(this, before + 1);
    try {
      return await send.call(this, query);
    } finally {
      waiting.set(this, waiting.get(this)! - 1);
    }
  }
  const sent = vi.spyOn(pg.Client.prototype, "query").mockImplementation(countAndSend as never);
  try {
    await work();
    return count;
  } finally {
    sent.mockRestore();
  }
}
