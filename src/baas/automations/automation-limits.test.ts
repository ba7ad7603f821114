import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { type Message, toEnglish } from "#platform/messages";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { AUTOMATION_LIMITS } from "./automation-limits.ts";
import {
  createAutomationTest,
  createRecordingFunctions,
  TRUSTED_STARTER,
} from "../../../test/support/automations.ts";
import {
  activateAutomation,
  changeAutomation,
  listRuns,
  purgeAutomations,
  deleteAutomation,
  getRun,
  stopRun,
} from "./index.ts";

const database = await testDatabase();
const { flows, work, create, started, runSteps } = createAutomationTest(database);
const { hands: quiet } = createRecordingFunctions();

const withEnglishFault = ({ state, fault }: { state: string; fault: Message | null }) => ({
  state,
  fault: fault && toEnglish(fault),
});

describe("automation limits", () => {
  test("apply to a run's data, its loops and its steps", async () => {
    const grow = { kind: "set", as: "text", value: "{{text}}{{text}}" };
    expect(
      withEnglishFault(await runSteps([{ kind: "set", as: "text", value: "x".repeat(60_000) }, grow, grow])),
    ).toMatchObject({
      state: "failed",
      fault: expect.stringContaining("200000 characters") as string,
    });
    const numbers = Array.from({ length: 1_001 }, (_, n) => n);
    expect(
      withEnglishFault(
        await runSteps(
          [
            {
              kind: "loop",
              over: "{{trigger.data.numbers}}",
              as: "x",
              do: [{ kind: "set", as: "a", value: 1 }],
            },
          ],
          { numbers },
        ),
      ),
    ).toMatchObject({
      fault: expect.stringContaining("a loop can have at most 1000") as string,
    });
    expect(
      withEnglishFault(await runSteps([{ kind: "loop", over: "{{trigger.data}}", as: "x", do: [] }])),
    ).toMatchObject({
      fault: expect.stringContaining("“over” must be a list") as string,
    });
    const id = await create("long", { steps: [{ kind: "set", as: "a", value: 1 }] });
    const runId = await started(id);
    await run(
      database.db,
      sql`update automation_runs set steps = ${AUTOMATION_LIMITS.stepsOfRun} where id = ${runId}`,
    );
    await work(quiet);
    expect(withEnglishFault(await getRun(flows, runId))).toMatchObject({
      state: "failed",
      fault: expect.stringContaining("steps, the maximum") as string,
    });
  });

  test("apply to start data and to the rate of starts", async () => {
    const id = await create("often", {});
    await expect(started(id, { text: "x".repeat(65_000) })).rejects.toMatchObject({ reason: "too-large" });
    await run(
      database.db,
      sql`insert into automation_runs (id, flow_id, version, server, depth, trigger, state, position, context,
        created_at, ended_at)
          select gen_random_uuid(), ${id}, 1, true, 0, 'call', 'done', '[]', '{}', ${database.clock.at},
            ${database.clock.at}
          from generate_series(1, ${AUTOMATION_LIMITS.startsOfMinute})`,
    );
    await expect(started(id)).rejects.toMatchObject({ reason: "too-many", kind: "flow-busy" });
    database.clock.pass(MINUTE);
    await started(id);
  });

  test("end a chain of runs that each start the next run", async () => {
    const id = await create("itself", {});
    let cause = await started(id);
    for (let n = 0; n < AUTOMATION_LIMITS.chain; n++)
      cause = await activateAutomation(flows, TRUSTED_STARTER, { id }, {}, cause);
    await expect(activateAutomation(flows, TRUSTED_STARTER, { id }, {}, cause)).rejects.toMatchObject({
      reason: "too-many",
      kind: "flow-chain",
    });
  });
});

describe("run", () => {
  test("keeps the definition with which it started", async () => {
    const id = await create("changing", {
      steps: [
        { kind: "wait", seconds: 60 },
        { kind: "set", as: "a", value: "before" },
      ],
    });
    const runId = await started(id);
    await work(quiet);
    await changeAutomation(flows, id, {
      definition: { triggers: [{ kind: "call", name: "call" }] },
      enabled: false,
    });
    database.clock.pass(MINUTE);
    await work(quiet);
    expect(await getRun(flows, runId)).toMatchObject({ state: "done", version: 1, context: { a: "before" } });
    await expect(started(id)).rejects.toMatchObject({ reason: "conflict", kind: "flow-off" });
  });

  test("can be stopped manually, but not while a step is executing", async () => {
    const id = await create("stopped", { steps: [{ kind: "wait", seconds: 60 }] });
    const runId = await started(id);
    await database.inTransaction(async (tx) => {
      await run(tx, sql`select id from automation_runs where id = ${runId} for no key update`);
      await expect(stopRun(flows, runId)).rejects.toMatchObject({ reason: "conflict" });
    });
    await stopRun(flows, runId);
    expect(await work(quiet)).toBe(0);
    expect(await getRun(flows, runId)).toMatchObject({ state: "stopped" });
    await expect(stopRun(flows, runId)).rejects.toMatchObject({ reason: "conflict" });
    await expect(stopRun(flows, "nonsense")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets purged once it is old, and deleted together with its automation", async () => {
    const id = await create("old", {});
    const old = await started(id);
    await work(quiet);
    await changeAutomation(flows, id, {
      definition: { triggers: [{ kind: "call", name: "call" }], about: "new" },
    });
    database.clock.pass(AUTOMATION_LIMITS.keptFor + DAY);
    const young = await started(id);
    await work(quiet);
    await database.inTransaction(purgeAutomations);
    expect((await listRuns(flows, id)).rows.map(({ id: it }) => it)).toEqual([young]);
    await expect(getRun(flows, old)).rejects.toMatchObject({ reason: "not-found" });
    const versions = sql<{ version: number }>`select version from automation_versions where flow_id = ${id}`;
    expect(await many(database.db, versions)).toEqual([{ version: 2 }]);
    await deleteAutomation(flows, id);
    expect(
      await one(
        database.db,
        sql<{ n: number }>`select count(*)::int as n from automation_runs where flow_id = ${id}`,
      ),
    ).toEqual({
      n: 0,
    });
    await expect(deleteAutomation(flows, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets purged when its automation has too many later runs", async () => {
    const id = await create("many", {});
    await run(
      database.db,
      sql`insert into automation_runs (id, flow_id, version, server, depth, trigger, state, position, context,
        created_at, ended_at)
          select gen_random_uuid(), ${id}, 1, true, 0, 'call', 'done', '[]', '{}', ${database.clock.at},
            ${database.clock.at}
          from generate_series(1, ${AUTOMATION_LIMITS.keptOfFlow + 20})`,
    );
    await database.inTransaction(purgeAutomations);
    expect(
      await one(
        database.db,
        sql<{ n: number }>`select count(*)::int as n from automation_runs where flow_id = ${id}`,
      ),
    ).toEqual({
      n: AUTOMATION_LIMITS.keptOfFlow,
    });
  });
});
