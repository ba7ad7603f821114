import { afterAll, describe, expect, test } from "vitest";
import { many, openDatabase, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { createExtensionFolder } from "../../../test/support/extension-folder.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { Extensions, type PartInfo, runTimer, enqueueDueTimers, getTimerStates } from "./index.ts";

const database = await testDatabase();
const runtime = { now: () => database.clock.at, newId: () => crypto.randomUUID() };
/** The same database, as another process opens it. */
const there = openDatabase({ connection: database.connection, runtime, size: 4, onIdleError: () => {} });
afterAll(() => there.close());

const timer = (name: string, at: string): PartInfo => ({
  kind: "timer",
  key: `timer:${name}`,
  name,
  at,
  about: "",
  file: "a.ts",
});
const HALF_PAST = [timer("half-past", "30 * * * *")];
const jobs = async () =>
  (
    await many(
      database.db,
      sql<{
        payload: { name: string };
      }>`select payload from graphile_worker._private_jobs where key like 'extension-timer:%'`,
    )
  ).map(({ payload }) => payload.name);
const clear = () => many(database.db, sql`delete from graphile_worker._private_jobs returning id`);
const HOUR = 3_600_000;

describe("timer", () => {
  test("runs once when due, even if several processes check the schedule", async () => {
    await enqueueDueTimers(database, HALF_PAST);
    expect(await jobs()).toEqual([]);
    database.clock.pass(HOUR / 2);
    await Promise.all(
      [database, there, database, there].map((process) => enqueueDueTimers(process, HALF_PAST)),
    );
    expect(await jobs()).toEqual(["half-past"]);
    await clear();
    database.clock.pass(HOUR / 2);
    await enqueueDueTimers(there, HALF_PAST);
    expect(await jobs()).toEqual([]);
    expect([...(await getTimerStates(database, ["half-past"])).values()]).toMatchObject([
      { lastAt: new Date("2026-05-04T09:30:00Z"), nextAt: new Date("2026-05-04T10:30:00Z") },
    ]);
  });

  test("runs once after several missed times", async () => {
    await enqueueDueTimers(database, HALF_PAST);
    database.clock.pass(5 * HOUR);
    await enqueueDueTimers(database, HALF_PAST);
    await enqueueDueTimers(there, HALF_PAST);
    expect(await jobs()).toEqual(["half-past"]);
  });

  test("follows a new schedule without repeating its past times", async () => {
    await enqueueDueTimers(database, HALF_PAST);
    await enqueueDueTimers(database, [timer("half-past", "* * * * *")]);
    expect(await jobs()).toEqual(["half-past"]);
  });

  test("runs with the server's rights, and its outcome is stored", async () => {
    const place = createExtensionFolder({
      "a.ts": `import { every } from "#extensions";
        export const good = every("good", {
          at: "* * * * *",
          run: ({ caller }) => { if (!caller.server) throw new Error("not the server"); },
        });
        export const bad = every("bad", { at: "* * * * *", run: () => { throw new Error("The well is dry."); } });`,
    });
    const extensions = new Extensions<{ server: boolean }>({
      folder: place.folder,
      log: createLog("silent"),
      seconds: 10,
      memory: 64,
      threads: 1,
      transactions: 1,
      now: runtime.now,
      callerOf: ({ server }) => ({ id: null, roles: [], server }),
      withinOf: () => null,
      isTaken: () => false,
      fromTable: () => ({ server: false }),
      serverFor: () => ({ server: true }),
    });
    await extensions.load();
    await enqueueDueTimers(database, extensions.parts);
    expect((await jobs()).sort()).toEqual(["bad", "good"]);
    for (const name of ["good", "bad", "unknown"]) await runTimer(extensions, database, name);
    const states = await getTimerStates(database, ["good", "bad"]);
    expect([states.get("good")?.fault, states.get("bad")?.fault]).toEqual([null, "The well is dry."]);
    expect(states.get("good")?.tookMs).toBeGreaterThanOrEqual(0);
    await extensions.close();
    place.remove();
  });
});
