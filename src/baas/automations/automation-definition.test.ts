import { describe, expect, test } from "vitest";
import { Refusal } from "#platform/refusal";
import { parseDefinition } from "./automation-definition.ts";
import { findItem, moveItem, insertItem, removeItem } from "./edit-definition.ts";
import { nextTriggerTime } from "./trigger-schedule.ts";

const call = { kind: "call", name: "call" };
const set = (as: string) => ({ kind: "set", as, value: 1 });

/** Error messages by path. */
function faultsOf(input: unknown): Record<string, string> {
  try {
    parseDefinition(input);
  } catch (error) {
    if (error instanceof Refusal)
      return error.reason === "too-large" ? { size: error.message } : error.fields;
    throw error;
  }
  return {};
}

describe("automation definition", () => {
  test("fills in the defaults of omitted properties", () => {
    expect(
      parseDefinition({
        triggers: [call, { kind: "table", name: "new", table: "Order" }],
        steps: [{ kind: "condition", if: "a = 1" }],
      }),
    ).toEqual({
      about: "",
      who: "admins",
      roles: [],
      rights: "system",
      triggers: [
        { ...call, starts: true },
        { kind: "table", name: "new", table: "Order", events: ["created"], starts: true },
      ],
      steps: [{ kind: "condition", if: "a = 1", do: [], otherwise: [] }],
    });
  });

  test.each([
    ["an unknown kind of step", { steps: [{ kind: "shell", run: "rm" }] }, "steps.0.kind"],
    [
      "an invalid nested step",
      { steps: [{ kind: "loop", over: "{{a}}", as: "x", do: [{ kind: "call", service: "A" }] }] },
      "steps.0.do.0.method",
    ],
    [
      "a template that is not a path",
      { steps: [{ kind: "message", channel: "x", message: { a: ["{{1+1}}"] } }] },
      "steps.0.message",
    ],
    ["an invalid condition", { steps: [{ kind: "condition", if: "a = = 1" }] }, "steps.0.if"],
    ["a name that is taken", { steps: [set("trigger")] }, "steps.0.as"],
    ["an unknown property of a step", { steps: [{ ...set("a"), eval: "1" }] }, "steps.0"],
    [
      "a record without its id",
      { steps: [{ kind: "record", act: "update", table: "A", values: {} }] },
      "steps.0.id",
    ],
    ["a record without values", { steps: [{ kind: "record", act: "create", table: "A" }] }, "steps.0.values"],
    ["a wait without time or trigger", { steps: [{ kind: "wait" }] }, "steps.0.seconds"],
    [
      "a wait for an unknown trigger",
      { triggers: [call], steps: [{ kind: "wait", for: "paid" }] },
      "steps.0.for",
    ],
    ["a wait that is too long", { steps: [{ kind: "wait", seconds: 1e9 }] }, "steps.0.seconds"],
    [
      "too many retries",
      { steps: [{ kind: "call", service: "A", method: "b", retries: 9 }] },
      "steps.0.retries",
    ],
    ["a schedule without a time", { triggers: [{ kind: "schedule", name: "s" }] }, "triggers.0.every"],
    [
      "an invalid cron expression",
      { triggers: [{ kind: "schedule", name: "s", cron: "61 * * * *" }] },
      "triggers.0.cron",
    ],
    [
      "a schedule with both cron and interval",
      { triggers: [{ kind: "schedule", name: "s", cron: "* * * * *", every: 60 }] },
      "triggers.0.cron",
    ],
    ["two triggers with the same name", { triggers: [call, call] }, "triggers.1.name"],
    [
      "an unknown event",
      { triggers: [{ kind: "table", name: "t", table: "A", events: ["seen"] }] },
      "triggers.0.events.0",
    ],
    ["an unknown kind of starter", { who: "friends" }, "who"],
  ])("rejects %s, and names the path", (_what, input, place) => {
    expect(Object.keys(faultsOf(input))).toContain(place);
  });

  test("limits length, depth and number of steps", () => {
    expect(faultsOf({ steps: [{ kind: "set", as: "a", value: "x".repeat(70_000) }] })).toHaveProperty("size");
    let value: unknown = 1;
    for (let n = 0; n < 60; n++) value = [value];
    expect(faultsOf({ steps: [{ kind: "set", as: "a", value }] })).toHaveProperty("size");
    let deep: object = set("a");
    for (let n = 0; n < 6; n++) deep = { kind: "loop", over: [1], as: `x${n}`, do: [deep] };
    expect(faultsOf({ steps: [deep] })).toHaveProperty("steps.0.do.0.do.0.do.0.do.0.do.0");
    expect(faultsOf({ steps: Array.from({ length: 201 }, () => set("a")) })).toHaveProperty("steps");
    expect(
      faultsOf({ triggers: Array.from({ length: 21 }, (_, n) => ({ kind: "call", name: `t${n}` })) }),
    ).toHaveProperty("triggers");
    for (const odd of [null, 1, "text", []]) expect(Object.keys(faultsOf(odd))).toEqual(["definition"]);
  });
});

describe("definition editor", () => {
  const definition = parseDefinition({
    triggers: [call],
    steps: [set("a"), { kind: "condition", if: "a = 1", do: [set("b"), set("c")] }],
  });
  const places = (it: unknown) =>
    JSON.stringify((it as typeof definition).steps)
      .match(/"as":"\w"/g)!
      .map((text) => text.at(-2));

  test("inserts, removes and moves steps at any depth", () => {
    expect(findItem(definition, "steps.1.do.1")).toEqual(set("c"));
    expect(places(insertItem(definition, { list: "steps.1.otherwise" }, set("d")))).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(places(insertItem(definition, { place: "steps.1.do.0" }, set("z")))).toEqual(["a", "z", "c"]);
    expect(places(removeItem(definition, "steps.1.do.0"))).toEqual(["a", "c"]);
    expect(places(moveItem(definition, "steps.1.do.1", "up"))).toEqual(["a", "c", "b"]);
    expect(places(moveItem(definition, "steps.0", "up"))).toEqual(["a", "b", "c"]);
    expect(places(moveItem(definition, "steps.0", "down"))).toEqual(["b", "c", "a"]);
  });

  test.each([
    "steps.9",
    "steps.0.do.0",
    "constructor.0",
    "steps.1.if.0",
    "triggers.1",
    "",
    "steps",
    "steps.1.__proto__.0",
  ])("finds no step at '%s'", (place) => {
    expect(() => findItem(definition, place)).toThrow(Refusal);
  });
});

describe("schedule", () => {
  const at = (text: string) => new Date(`2026-05-04T${text}Z`);
  const createdAt = at("09:00:00");
  const trigger = (more: object) =>
    parseDefinition({ triggers: [{ kind: "schedule", name: "s", ...more }] }).triggers[0]!;

  test("runs at a given time, at an interval or by cron, without repeating missed runs", () => {
    expect(nextTriggerTime(trigger({ at: "2026-05-04T10:00:00Z" }), createdAt, createdAt)).toEqual(
      at("10:00:00"),
    );
    expect(nextTriggerTime(trigger({ at: "2026-05-04T08:00:00Z" }), createdAt, createdAt)).toBeNull();
    expect(nextTriggerTime(trigger({ every: 60 }), createdAt, createdAt)).toEqual(at("09:01:00"));
    expect(nextTriggerTime(trigger({ every: 60 }), at("09:30:30"), at("09:01:00"))).toEqual(at("09:31:00"));
    expect(
      nextTriggerTime(trigger({ at: "2026-05-04T08:00:00Z", every: 3600 }), at("09:30:00"), createdAt),
    ).toEqual(at("10:00:00"));
    expect(nextTriggerTime(trigger({ cron: "15 12 * * *" }), createdAt, createdAt)).toEqual(at("12:15:00"));
    expect(nextTriggerTime({ kind: "call", name: "call", starts: true }, createdAt, createdAt)).toBeNull();
  });
});
