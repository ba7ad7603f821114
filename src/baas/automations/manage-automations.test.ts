import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import { run, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { AUTOMATION_LIMITS } from "./automation-limits.ts";
import { createAutomationTest, TRUSTED_STARTER } from "../../../test/support/automations.ts";
import { runDueSchedules } from "./trigger-sources.ts";
import {
  activateAutomation,
  changeAutomation,
  getAutomation,
  listAutomations,
  listRuns,
  createAutomation,
  listTriggers,
} from "./index.ts";

const database = await testDatabase();
const { flows, create } = createAutomationTest(database);
const clock = (every: number) => ({ triggers: [{ kind: "schedule", name: "clock", every }] });
const nextOf = async (id: string) => (await listTriggers(flows, id))[0]!.nextAt;

describe("automation", () => {
  test("has a unique name and starts disabled", async () => {
    const id = await createAutomation(flows, { name: "  Water\n the beds " });
    expect(await getAutomation(flows, { id })).toMatchObject({
      name: "Water the beds",
      enabled: false,
      version: 1,
    });
    expect((await getAutomation(flows, { name: "Water the beds" })).id).toBe(id);
    await expect(createAutomation(flows, { name: "Water the beds" })).rejects.toMatchObject({
      reason: "conflict",
      fields: { name: expect.any(String) as string },
    });
    for (const name of ["", "  ", "x".repeat(101)])
      await expect(createAutomation(flows, { name })).rejects.toMatchObject({ reason: "invalid" });
    const other = await createAutomation(flows, { name: "Other" });
    await expect(changeAutomation(flows, other, { name: "Water the beds" })).rejects.toMatchObject({
      reason: "conflict",
    });
    await changeAutomation(flows, id, { name: "Water the beds", definition: { about: "each night" } });
    expect(await getAutomation(flows, { id })).toMatchObject({
      version: 2,
      definition: { about: "each night" },
    });
    for (const nowhere of ["1", "01900000-0000-7000-8000-000000000001"])
      await expect(changeAutomation(flows, nowhere, { enabled: true })).rejects.toMatchObject({
        reason: "not-found",
      });
  });

  test("rejects a change based on an outdated version", async () => {
    const id = await createAutomation(flows, { name: "two at once" });
    await changeAutomation(flows, id, { definition: { about: "first" }, from: 1 });
    await expect(
      changeAutomation(flows, id, { definition: { about: "second" }, from: 1 }),
    ).rejects.toMatchObject({ reason: "conflict" });
    expect((await getAutomation(flows, { id })).definition.about).toBe("first");
  });

  test("counts towards the limit, and appears in the list with the outcome of its runs", async () => {
    const id = await create("a", {});
    await activateAutomation(flows, TRUSTED_STARTER, { id }, {});
    expect(await listAutomations(flows)).toMatchObject([
      { name: "a", enabled: true, lastState: "running", failed: 0, unended: 1 },
    ]);
    await run(
      database.db,
      sql`insert into automations (id, name, enabled, version, created_at, changed_at)
          select gen_random_uuid(), 'flow ' || n, false, 1, now(), now()
          from generate_series(2, ${AUTOMATION_LIMITS.flows}) n`,
    );
    await expect(createAutomation(flows, { name: "one more" })).rejects.toMatchObject({
      reason: "too-large",
    });
  });
});

describe("triggers", () => {
  test("keep their schedule when other properties of the automation are edited", async () => {
    const id = await create("clock", clock(60));
    const [before] = await listTriggers(flows, id);
    expect(before!.nextAt).toEqual(new Date(database.clock.at.getTime() + MINUTE));
    database.clock.pass(20 * SECOND);
    await changeAutomation(flows, id, { definition: { ...clock(60), about: "as before" } });
    expect(await listTriggers(flows, id)).toEqual([before]);
    await changeAutomation(flows, id, { definition: clock(90) });
    expect(await listTriggers(flows, id)).toEqual([
      { ...before, nextAt: new Date(database.clock.at.getTime() + 90 * SECOND) },
    ]);
    await changeAutomation(flows, id, { enabled: false });
    expect(await nextOf(id)).toBeNull();
  });

  test("start one run when due, even with several processes or after missed times", async () => {
    const id = await create("due", clock(60));
    expect(await runDueSchedules(flows)).toBe(0);
    database.clock.pass(10 * MINUTE + SECOND);
    const counts = await Promise.all([
      runDueSchedules(flows),
      runDueSchedules(flows),
      runDueSchedules(flows),
    ]);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect((await listRuns(flows, id)).rows).toHaveLength(1);
    expect(await nextOf(id)).toEqual(new Date(database.clock.at.getTime() + MINUTE - SECOND));
  });

  test("at the run limit do not delay triggers of other automations", async () => {
    const full = await create("full", clock(60));
    const other = await create("other", clock(60));
    await run(
      database.db,
      sql`insert into automation_runs (id, flow_id, version, server, depth, trigger, state, position, context,
        due_at, created_at)
          select gen_random_uuid(), ${full}, 1, true, 0, 'x', 'running', '[]', '{}', ${database.clock.at},
            ${database.clock.at}
          from generate_series(1, ${AUTOMATION_LIMITS.unended})`,
    );
    database.clock.pass(MINUTE);
    expect(await runDueSchedules(flows)).toBe(2);
    expect((await listRuns(flows, other)).rows).toHaveLength(1);
    await expect(activateAutomation(flows, TRUSTED_STARTER, { id: full }, {})).rejects.toMatchObject({
      reason: "conflict",
    });
  });
});
