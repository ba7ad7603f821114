import { afterEach, expect, test, vi } from "vitest";
import { SECOND } from "#platform/clock";
import { many, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { ScheduledPublisher, createMessagingContext, publishDueBatch, PublishInput } from "./index.ts";
import { scheduleMessage } from "./message-schedule.ts";

const database = await testDatabase();

afterEach(() => void vi.useRealTimers());

test("scheduled publisher polls at intervals while another process is publishing a due message", async () => {
  const channels = createMessagingContext(database, null);
  const input = PublishInput.parse({ message: "Supper", publishAt: database.clock.at.getTime() });
  const id = await scheduleMessage(channels, { personId: null, trusted: true }, "kitchen", input);
  const polls: number[] = [];
  const looking: typeof database.inTransaction = (work) => (
    polls.push(performance.now()),
    database.inTransaction(work)
  );
  await database.inTransaction(async (elsewhere) => {
    expect(
      await many(elsewhere, sql`select from scheduled_messages where id = ${id} for update`),
    ).toHaveLength(1);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const clockwork = new ScheduledPublisher({ ...channels, inTransaction: looking }, createLog("silent"));
    const countAfterHalfSecond = () => vi.advanceTimersByTimeAsync(SECOND / 2).then(() => polls.length);
    await expect.poll(countAfterHalfSecond).toBeGreaterThanOrEqual(4);
    await clockwork.stop();
  });
  // Expected polls: the first one, then one every two seconds.
  expect(polls.length - 2).toBeLessThanOrEqual((polls.at(-1)! - polls[0]!) / (2 * SECOND));
  expect(await database.inTransaction((tx) => publishDueBatch(channels, tx))).toBe(1);
});
