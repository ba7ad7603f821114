import { describe, expect, test } from "vitest";
import { SECOND } from "#platform/clock";
import { type Message, toEnglish } from "#platform/messages";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";
import {
  createAutomationTest,
  createRecordingFunctions,
  TRUSTED_STARTER,
} from "../../../../test/support/automations.ts";
import { activateAutomation, activateTrigger, getRun } from "../index.ts";

const database = await testDatabase();
const { flows, work, create, started, runSteps } = createAutomationTest(database);
const { hands: quiet } = createRecordingFunctions();

const placed = (rows: { place: string; outcome: string | null; words: Message | null }[]) =>
  rows.map(({ place, outcome, words }) =>
    [place, outcome, words && toEnglish(words)].filter((it) => it !== null).join(" "),
  );

describe("steps of a run", () => {
  test("set values, branch and loop, and appear in the timeline", async () => {
    const it = await runSteps(
      [
        { kind: "set", as: "who", value: "{{trigger.data.name}}" },
        {
          kind: "condition",
          if: "who = 'Ines'",
          do: [
            {
              kind: "loop",
              over: "{{trigger.data.beds}}",
              as: "bed",
              do: [
                {
                  kind: "condition",
                  if: "bed.free = true",
                  do: [{ kind: "set", as: "found", value: "{{bed.name}} {{loop.round}}/{{loop.of}}" }],
                },
              ],
            },
          ],
          otherwise: [{ kind: "set", as: "found", value: "not looked for" }],
        },
        { kind: "set", as: "end", value: { flow: "{{flow.name}}", at: "{{now}}", bed: "{{bed}}" } },
      ],
      { name: "Ines", beds: [{ name: "one" }, { name: "two", free: true }] },
    );
    expect(it).toMatchObject({ state: "done", fault: null, trigger: "call" });
    expect(it.context).toMatchObject({
      who: "Ines",
      found: "two 1/2",
      end: { flow: it.flowName, at: database.clock.at.getTime(), bed: null },
    });
    expect(placed(it.timeline)).toEqual([
      "steps.0 done",
      "steps.1 done true",
      "steps.1.do.0 done 2",
      "steps.1.do.0.do.0 done false",
      "steps.1.do.0.do.0 done true",
      "steps.1.do.0.do.0.do.0 done",
      "steps.2 done",
    ]);
    expect(await runSteps([])).toMatchObject({ state: "done", timeline: [] });
  });

  test("have the rights of the site, and store answers for later steps", async () => {
    const recorder = createRecordingFunctions((name) => ({ answered: name }));
    const it = await runSteps(
      [
        {
          kind: "call",
          service: "Greetings",
          method: "hello",
          input: { name: "{{trigger.data.name}}" },
          as: "said",
        },
        {
          kind: "message",
          channel: "garden-{{trigger.data.name}}",
          message: { said: "{{said.answered}}" },
          headers: { a: "b" },
        },
        {
          kind: "record",
          act: "create",
          table: "Order",
          values: { name: "{{trigger.data.name}}" },
          as: "order",
        },
        { kind: "record", act: "update", table: "Order", id: "{{trigger.data.id}}", values: { paid: true } },
        { kind: "record", act: "delete", table: "Order", id: "1" },
        { kind: "record", act: "find", table: "Order", where: "name = {{trigger.data.name}}", as: "orders" },
        { kind: "mail", to: "ines@example.org", subject: "For {{trigger.data.name}}", text: "Hello" },
      ],
      { name: "O'Hara", id: 7 },
      recorder,
    );
    expect(it).toMatchObject({
      state: "done",
      context: { said: { answered: "call" }, order: { answered: "record" } },
    });
    expect(recorder.calls.map(({ what }) => what)).toEqual([
      { service: "Greetings", method: "hello", input: { name: "O'Hara" } },
      { channel: "garden-O'Hara", message: { said: "call" }, headers: { a: "b" } },
      {
        act: "create",
        table: "Order",
        objectId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        values: { name: "O'Hara" },
        again: false,
      },
      { act: "update", table: "Order", objectId: "7", values: { paid: true } },
      { act: "delete", table: "Order", objectId: "1" },
      { act: "find", table: "Order", where: "name = 'O''Hara'" },
      {
        to: "ines@example.org",
        subject: "For O'Hara",
        text: "Hello",
        name: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      },
    ]);
    expect(new Set(recorder.calls.map(({ by }) => JSON.stringify(by)))).toEqual(
      new Set([JSON.stringify({ personId: null, server: true, cause: it.id })]),
    );
  });

  test("have the rights of the person who started the run, if the automation says so", async () => {
    const recorder = createRecordingFunctions();
    const id = await create("as starter", {
      rights: "starter",
      who: "everyone",
      steps: [{ kind: "call", service: "A", method: "b" }],
    });
    await activateAutomation(flows, { personId: null, roles: [], server: false, trusted: false }, { id }, {});
    await work(recorder.hands);
    expect(recorder.calls[0]!.by).toMatchObject({ personId: null, server: false });
  });

  test("fail with a reason when the server cannot send mail", async () => {
    const it = await runSteps(
      [{ kind: "mail", name: "The letter", to: "a@example.org", subject: "A", text: "B" }],
      {},
      {
        ...createRecordingFunctions(),
        hands: { ...quiet, mail: null },
      },
    );
    expect(it.state).toBe("failed");
    expect(toEnglish(it.fault!)).toBe("The letter: Automations cannot send mail on this server.");
  });
});

describe("wait step", () => {
  test("pauses the run until the given time", async () => {
    const id = await create("later", {
      steps: [
        { kind: "wait", seconds: 60 },
        { kind: "set", as: "a", value: 1 },
      ],
    });
    const runId = await started(id);
    await work(quiet);
    expect(await getRun(flows, runId)).toMatchObject({ state: "waiting", context: { trigger: {} } });
    database.clock.pass(59 * SECOND);
    expect(await work(quiet)).toBe(0);
    database.clock.pass(SECOND);
    await work(quiet);
    expect(await getRun(flows, runId)).toMatchObject({ state: "done", context: { a: 1 } });
  });

  const waiting = {
    triggers: [
      { kind: "call", name: "call" },
      { kind: "call", name: "paid", starts: false },
    ],
    steps: [
      { kind: "wait", for: "paid", seconds: 3_600, if: "event.order = trigger.data.order", as: "payment" },
    ],
  };
  const paid = (id: string, data: object, execution?: string) =>
    activateTrigger(flows, TRUSTED_STARTER, {
      flow: { id },
      trigger: { name: "paid" },
      data,
      ...(execution && { execution }),
    });

  test("continues the matching run with the data of the trigger", async () => {
    const id = await create("orders", waiting);
    const [one, two, three] = [
      await started(id, { order: 1 }),
      await started(id, { order: 2 }),
      await started(id, { order: 2 }),
    ];
    await work(quiet);
    await expect(paid(id, { order: 3 })).rejects.toMatchObject({ reason: "conflict", kind: "nothing-waits" });
    expect(await paid(id, { order: 3 }, "all")).toEqual([]);
    expect(await paid(id, { order: 2 })).toEqual([two]);
    expect(await paid(id, { order: 1 }, one)).toEqual([one]);
    expect(await paid(id, { order: 2 }, "all")).toEqual([three]);
    await expect(paid(id, { order: 2 }, "not an id")).rejects.toMatchObject({ reason: "conflict" });
    await work(quiet);
    for (const [runId, order] of [
      [one, 1],
      [two, 2],
      [three, 2],
    ] as const)
      expect(await getRun(flows, runId)).toMatchObject({ state: "done", context: { payment: { order } } });
  });

  test("continues with null when the trigger does not occur in time", async () => {
    const id = await create("unpaid", waiting);
    const runId = await started(id, { order: 1 });
    await work(quiet);
    database.clock.pass(3_600 * SECOND);
    await work(quiet);
    expect(await getRun(flows, runId)).toMatchObject({ state: "done", context: { payment: null } });
  });

  test("fails the run at the maximum run time", async () => {
    const id = await create("forever", { ...waiting, steps: [{ kind: "wait", for: "paid" }] });
    const runId = await started(id);
    await work(quiet);
    database.clock.pass(AUTOMATION_LIMITS.runTime);
    await work(quiet);
    expect(await getRun(flows, runId)).toMatchObject({
      state: "failed",
      fault: "The run did not end within 30 days.",
    });
  });
});
