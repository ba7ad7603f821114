import { afterEach, expect, test, vi } from "vitest";
import { SECOND } from "#platform/clock";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createAutomationTest, createRecordingFunctions } from "../../../test/support/automations.ts";
import { getRun } from "./index.ts";
import { AutomationWorker } from "./automation-worker.ts";

const database = await testDatabase();
const { flows, create, started } = createAutomationTest(database);

afterEach(() => void vi.useRealTimers());

test("automation worker polls at intervals while a step is executing", async () => {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()];
  const { hands } = createRecordingFunctions(() => (begun.resolve(), over.promise));
  const runId = await started(
    await create("long", { steps: [{ kind: "call", service: "Beds", method: "count" }] }),
  );
  const polls: number[] = [];
  const looking = <T>(work: Parameters<typeof database.inTransaction<T>>[0]) => (
    polls.push(performance.now()),
    database.inTransaction(work)
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const work = new AutomationWorker(flows, { inTransaction: looking }, hands);
  await vi.advanceTimersByTimeAsync(0);
  await begun.promise;
  const countAfterHalfSecond = () => vi.advanceTimersByTimeAsync(SECOND / 2).then(() => polls.length);
  await expect.poll(countAfterHalfSecond).toBeGreaterThanOrEqual(6);
  over.resolve(null);
  await work.stop();
  expect(await getRun(flows, runId)).toMatchObject({ state: "running", steps: 1 });
  // Expected polls: the first one, one after the step, then one per second.
  expect(polls.length - 3).toBeLessThanOrEqual((polls.at(-1)! - polls[0]!) / SECOND);
});
