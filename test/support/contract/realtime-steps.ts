import { createRequire } from "node:module";
import { expect, vi } from "vitest";
import type { LogKind } from "#baas/logging";
import { MessageQueue } from "../realtime/sdk-connection.ts";
import { RecordChangesOptions, RelationChangesOptions } from "../../../src/api/realtime/packet-schemas.ts";
import { type Sdk, waitForRoundTrip } from "../realtime/table-followers.ts";

/** Names of all subscriptions and methods in the client, which has no types for them. */
const CLIENT_CONSTANTS = createRequire(import.meta.url)("backendless-rt-client/lib/constants.js") as Record<
  "RTSubscriptionTypes" | "RTMethodTypes",
  Record<string, string>
>;

type UntypedApi = Record<string, (...given: unknown[]) => Promise<unknown>>;
type EventCallback = (it: unknown) => void;
/** The published client of an admin, untyped where its types are incomplete. */
type StepContext = {
  app: Sdk;
  rt: { subscriptions: UntypedApi; methods: UntypedApi };
  people: UntypedApi;
  table: UntypedApi;
  channel: UntypedApi;
  canvas: UntypedApi;
};
type RealtimeStep = {
  /** The client's subscription, and the first event that is expected. */
  listen?: (at: StepContext, listener: EventCallback) => unknown;
  expected?: unknown;
  /** The client's action after the subscription, and the expected answer. */
  act?: (at: StepContext) => unknown;
  gives?: unknown;
  /** True when the same client listens and acts. */
  alone?: true;
  /** Preparation by the other client before the action. */
  first?: (at: StepContext) => unknown;
};

const PARENT = { objectId: "joe" };
const relationEvent = { parentObjectId: "joe", conditional: false, whereClause: null, children: ["one"] };
const ownPresence = { connectionId: expect.any(String) as string, userId: expect.any(String) as string };
const leaveAndJoin = (it: UntypedApi, leave: string, join: string) => (it[leave]!(), it[join]!());
const objectIds = (...all: string[]) => all.map((objectId) => ({ objectId }));

/** Records and relations: realtime.md 4.1 and 4.2. */
const TABLE_STEPS: Record<string, RealtimeStep> = {
  "a record that is made": {
    listen: ({ people }, listener) => people["addCreateListener"]!("age > 20", listener),
    act: ({ table }) => table["save"]!({ objectId: "joe", name: "Joe", age: 30 }, true),
    expected: { ___class: "Person", objectId: "joe", age: 30 },
    gives: { objectId: "joe" },
  },
  "a record that is changed": {
    listen: ({ people }, listener) => people["addUpdateListener"]!(listener),
    act: ({ table }) => table["save"]!({ objectId: "joe", age: 31 }),
    expected: { objectId: "joe", age: 31, updated: expect.any(Number) },
  },
  "a record that is made or changed": {
    listen: ({ people }, listener) => people["addUpsertListener"]!(listener),
    act: ({ table }) => table["save"]!({ objectId: "joe", age: 32 }, true),
    expected: { objectId: "joe", age: 32 },
  },
  "many that are made": {
    listen: ({ people }, listener) => people["addBulkCreateListener"]!(listener),
    act: ({ table }) => table["bulkCreate"]!(objectIds("ann", "tom")),
    expected: ["ann", "tom"],
  },
  "many that are changed": {
    listen: ({ people }, listener) => people["addBulkUpdateListener"]!(listener),
    act: ({ table }) => table["bulkUpdate"]!("age is null", { age: 1 }),
    expected: { whereClause: "age is null", count: 2 },
    gives: 2,
  },
  "many that are made or changed": {
    listen: ({ people }, listener) => people["addBulkUpsertListener"]!(listener),
    act: ({ table }) => table["bulkUpsert"]!(objectIds("tom", "kim")),
    expected: ["tom", "kim"],
  },
  "what is related to one": {
    listen: ({ people }, listener) => people["addSetRelationListener"]!("orders", [PARENT], listener),
    act: ({ app, table }) =>
      app.Data.of("Order")
        .save({ objectId: "one" }, true)
        .then(() => table["setRelation"]!("joe", "orders", ["one"])),
    expected: relationEvent,
  },
  "what is no more related to one": {
    listen: ({ people }, listener) => people["addDeleteRelationListener"]!("orders", listener),
    act: ({ table }) => table["deleteRelation"]!("joe", "orders", ["one"]),
    expected: relationEvent,
  },
  "what is related to one besides": {
    listen: ({ people }, listener) => people["addAddRelationListener"]!("orders", listener),
    act: ({ table }) => table["addRelation"]!("joe", "orders", ["one"]),
    expected: relationEvent,
  },
  "a record that is taken away": {
    listen: ({ people }, listener) => people["addDeleteListener"]!(listener),
    act: ({ table }) => table["remove"]!("joe"),
    expected: { objectId: "joe" },
  },
  "many that are taken away": {
    listen: ({ people }, listener) => people["addBulkDeleteListener"]!(listener),
    act: ({ table }) => table["bulkDelete"]!("age = 1"),
    expected: { whereClause: "age = 1", count: 2 },
  },
};

/** Channels: realtime.md 4.3 and 4.4. */
const CHANNEL_STEPS: Record<string, RealtimeStep> = {
  "a channel that is left and joined": {
    listen: ({ channel }, listener) => channel["addConnectListener"]!(() => listener("joined")),
    act: ({ channel }) => leaveAndJoin(channel, "leave", "join"),
    expected: "joined",
    alone: true,
  },
  "who is there": {
    listen: ({ channel }, listener) => channel["addUserStatusListener"]!(listener),
    expected: { status: "LISTING", data: expect.arrayContaining([ownPresence]) as unknown },
  },
  "a message": {
    listen: ({ channel }, listener) => channel["addMessageListener"]!("degrees < 0", listener),
    act: ({ app }) =>
      app.Messaging.publish("garden", "Frost tonight", { headers: { degrees: "-3" } } as never),
    expected: { message: "Frost tonight", headers: { degrees: "-3" } },
    gives: { status: "scheduled" },
  },
  "a command": {
    listen: ({ channel }, listener) => channel["addCommandListener"]!(listener),
    act: ({ channel }) => channel["send"]!("pointer", { x: 1 }),
    expected: { type: "pointer", data: { x: 1 }, ...ownPresence },
  },
};

/** Shared objects: realtime.md 4 and 5. */
const SHARED_OBJECT_STEPS: Record<string, RealtimeStep> = {
  "an object that is left and shared again": {
    listen: ({ canvas }, listener) => canvas["addConnectListener"]!(() => listener("shared")),
    act: ({ canvas }) => leaveAndJoin(canvas, "disconnect", "connect"),
    expected: "shared",
    alone: true,
  },
  "who shares it": {
    listen: ({ canvas }, listener) => canvas["addUserStatusListener"]!(listener),
    expected: { status: "LISTING", data: expect.arrayContaining([ownPresence]) as unknown },
  },
  "a value in it": {
    listen: ({ canvas }, listener) => canvas["addChangesListener"]!(listener),
    act: ({ canvas }) => canvas["set"]!("line", [0, 3]),
    expected: { key: "line", data: [0, 3], ...ownPresence },
  },
  "all of it": { act: ({ canvas }) => canvas["get"]!(), gives: { line: [0, 3] } },
  "a command to all": {
    listen: ({ canvas }, listener) => canvas["addCommandListener"]!(listener),
    act: ({ canvas }) => canvas["send"]!("undo", { steps: 1 }),
    expected: { type: "undo", data: { steps: 1 }, ...ownPresence },
  },
  "a call of all": {
    listen: ({ canvas }, listener) =>
      canvas["setInvocationTarget"]!({ flash: (...args: unknown[]) => listener(args) }),
    act: ({ canvas }) => canvas["invoke"]!("flash", "red", 2),
    // The client itself refuses to invoke a method that it does not have.
    first: ({ canvas }) => canvas["setInvocationTarget"]!({ flash: () => {} }),
    expected: ["red", 2],
  },
  "the end of all that is in it": {
    listen: ({ canvas }, listener) => canvas["addClearListener"]!(listener),
    act: ({ canvas }) => canvas["clear"]!(),
    expected: ownPresence,
  },
};

/** Makes the server write a log line. */
type WriteLog = (kind: LogKind, line: { logger: string; level: "WARN"; message: string }) => unknown;
const logStep = (writeLog: WriteLog, kind: LogKind, listen: string): RealtimeStep => ({
  listen: ({ rt }, listener) =>
    new Promise((ready) =>
      rt.subscriptions[listen]!({}, { onData: listener, onReady: () => ready(undefined) }),
    ),
  act: () => writeLog(kind, { logger: "own", level: "WARN", message: `in ${kind}` }),
  expected: [{ logger: "own", "log-level": "WARN", message: `in ${kind}` }],
});
/** Log lines, which only admins receive, and finally a change of the user. */
const logSteps = (writeLog: WriteLog): Record<string, RealtimeStep> => ({
  "what API clients log": logStep(writeLog, "logging", "onLoggingMessages"),
  "what the server logs": logStep(writeLog, "console", "onConsoleMessages"),
  "what an operator's code logs": logStep(writeLog, "developer", "onDeveloperMessage"),
  "what automations log": logStep(writeLog, "automation", "onAutomationLoggingMessages"),
  "who speaks": { act: ({ rt }) => rt.methods["setUserToken"]!({ userToken: null }), gives: null },
});

type SentPacket = { name: string; options?: { event?: string } };
const packetName = ({ name, options }: SentPacket) =>
  /^(OBJECTS|RELATIONS)_CHANGES$/.test(name) ? `${name} ${options?.event}` : name;

/** Creates an admin's client, with a recorder of its requests to the server. */
export function createRealtimeClient(app: Sdk) {
  const rt = app.RT as unknown as StepContext["rt"];
  const sent = [rt.subscriptions, rt.methods].map((it) => vi.spyOn(it, "emitMessage"));
  const listCalls = () =>
    sent
      .flatMap(({ mock }) => mock.calls as [event: string, SentPacket][])
      .flatMap(([event, packet]) => (event === "SUB_OFF" ? [] : packetName(packet)));
  const { Data, Messaging, SharedObject } = app as unknown as Record<string, UntypedApi>;
  const of = <T>(it: unknown) => it as T;
  const table = of<UntypedApi>(Data!["of"]!("Person"));
  const people = of<UntypedApi>(of<{ rt: () => unknown }>(table).rt());
  const channel = of<UntypedApi>(Messaging!["subscribe"]!("garden"));
  const canvas = of<UntypedApi>(SharedObject!["connect"]!("canvas"));
  return { at: { app, rt, table, people, channel, canvas } satisfies StepContext, listCalls };
}
export type RealtimeClient = ReturnType<typeof createRealtimeClient>;

/**
 * Runs every step: subscriptions receive events, and methods get answers. The two clients take turns in
 * listening and acting; both may be the same client. Returns the recorded requests to the server.
 */
export async function runRealtimeSteps(
  pair: readonly [RealtimeClient, RealtimeClient],
  writeLog: WriteLog,
): Promise<string[]> {
  let turn = 0;
  for (const [name, step] of Object.entries({
    ...TABLE_STEPS,
    ...CHANNEL_STEPS,
    ...SHARED_OBJECT_STEPS,
    ...logSteps(writeLog),
  })) {
    const { at: listener } = pair[turn % 2]!;
    turn++;
    const { at: actor } = step.alone ? { at: listener } : pair[turn % 2]!;
    await takeStep(name, step, listener, actor);
  }
  return sortedUnique(pair.flatMap((it) => it.listCalls()));
}

async function takeStep(
  name: string,
  { listen, expected, act, gives, first }: RealtimeStep,
  listener: StepContext,
  actor: StepContext,
) {
  const received = new MessageQueue<unknown>();
  await listen?.(listener, received.take);
  if (actor !== listener) await first?.(actor);
  // The subscription is open when this call is answered.
  if (act && listen) for (const { app } of new Set([listener, actor])) await waitForRoundTrip(app);
  const given = await act?.(actor);
  if (gives !== undefined) expect.soft({ name, given }).toMatchObject({ name, given: gives });
  if (listen)
    expect.soft({ name, received: await received.next() }).toMatchObject({ name, received: expected });
}

const sortedUnique = (names: string[]) => [...new Set(names)].toSorted();

/** Names that the client uses for all subscriptions and methods. */
export const ALL_CLIENT_NAMES = sortedUnique(listClientNames());
function listClientNames(): string[] {
  const { RTSubscriptionTypes, RTMethodTypes } = CLIENT_CONSTANTS;
  const { OBJECTS_CHANGES, RELATIONS_CHANGES, ...others } = RTSubscriptionTypes;
  return [
    ...RecordChangesOptions.shape.event.options.map((event) => `${OBJECTS_CHANGES} ${event}`),
    ...RelationChangesOptions.shape.event.options.map((event) => `${RELATIONS_CHANGES} ${event}`),
    ...Object.values(others),
    ...Object.values(RTMethodTypes),
  ];
}
