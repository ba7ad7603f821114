import { describe, expect, test } from "vitest";
import { listLogLines } from "#baas/logging";
import { SECOND } from "#platform/clock";
import { run, sql } from "#platform/database";
import { type Message, toEnglish } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createAutomationTest, createRecordingFunctions } from "../../../../test/support/automations.ts";
import { getRun, listRunSteps } from "../index.ts";

const database = await testDatabase();
const { flows, work, create, started, runSteps } = createAutomationTest(database);

const placed = (rows: { place: string; outcome: string | null; words: Message | null }[]) =>
  rows.map(({ place, outcome, words }) =>
    [place, outcome, words && toEnglish(words)].filter((it) => it !== null).join(" "),
  );

describe("failing step", () => {
  const failing = (error: unknown) =>
    createRecordingFunctions(() => {
      throw error;
    });

  test("ends the run with a reason, which also appears in the automation log", async () => {
    const it = await runSteps(
      [
        { kind: "call", name: "Greet", service: "A", method: "b", retries: 3 },
        { kind: "set", as: "a", value: 1 },
      ],
      {},
      failing(new Refusal("invalid", "name: Say who.")),
    );
    expect(it).toMatchObject({ state: "failed", context: { trigger: {} } });
    expect(toEnglish(it.fault!)).toBe("Greet: name: Say who.");
    expect(placed(it.timeline)).toEqual(["steps.0 failed name: Say who."]);
    await expect
      .poll(async () =>
        (await listLogLines(flows.logs, { logger: `flow ${it.flowName}` })).lines.map(
          ({ kind, level, message }) => [kind, level, message],
        ),
      )
      .toContainEqual(["automation", "ERROR", `${it.id}: failed: Greet: name: Say who.`]);
    const bug = await runSteps(
      [{ kind: "call", service: "A", method: "b" }],
      {},
      failing(new TypeError("secret inside")),
    );
    expect(toEnglish(bug.fault!)).toBe(
      "steps.0: Something went wrong on the server. Its log has the details.",
    );
  });

  test("gets retried after pauses, as often as configured", async () => {
    const recorder = failing(new Refusal("unavailable", "Not now."));
    const id = await create("again", { steps: [{ kind: "call", service: "A", method: "b", retries: 2 }] });
    const runId = await started(id);
    await work(recorder.hands);
    expect(await getRun(flows, runId)).toMatchObject({ state: "running" });
    expect((await listRunSteps(flows, runId)).rows).toMatchObject([
      { outcome: "again", words: "Not now.", attempt: 1 },
    ]);
    database.clock.pass(SECOND);
    await work(recorder.hands);
    database.clock.pass(5 * SECOND);
    await work(recorder.hands);
    const ended = await getRun(flows, runId);
    expect(ended.state).toBe("failed");
    expect(toEnglish(ended.fault!)).toBe("steps.0: Not now.");
    expect((await listRunSteps(flows, runId)).rows).toMatchObject([{ outcome: "failed", attempt: 3 }]);
    expect(recorder.calls).toHaveLength(3);
  });

  /** A step interrupted by a crash of its process. */
  async function brokenOff(step: object) {
    const recorder = createRecordingFunctions();
    const id = await create(`broken ${database.runtime.newId()}`, { steps: [step] });
    const runId = await started(id);
    const stepId = database.runtime.newId();
    await run(
      database.db,
      sql`insert into automation_steps (run_id, n, id, place, kind, name, attempt, started_at)
          values (${runId}, 0, ${stepId}, 'steps.0', 'x', '', 1, ${database.clock.at})`,
    );
    await work(recorder.hands);
    return { ...(await getRun(flows, runId)), asked: recorder.calls.map(({ what }) => what), stepId };
  }

  test("runs again under the same id after an interruption if that is safe", async () => {
    const record = await brokenOff({ kind: "record", act: "create", table: "A", values: {} });
    expect(record).toMatchObject({ state: "done", asked: [{ objectId: record.stepId, again: true }] });
    const mail = await brokenOff({ kind: "mail", to: "a@example.org", subject: "A", text: "B" });
    expect(mail).toMatchObject({ state: "done", asked: [{ name: mail.stepId }] });
    expect(await brokenOff({ kind: "call", service: "A", method: "b", retries: 1 })).toMatchObject({
      state: "done",
      asked: [{}],
    });
    const once = await brokenOff({ kind: "call", service: "A", method: "b" });
    expect(once).toMatchObject({ state: "failed", asked: [] });
    expect(toEnglish(once.fault!)).toContain("it is not known whether it completed");
  });
});
