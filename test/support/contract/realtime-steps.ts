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
  listen?: (at: StepContext, hear: EventCallback) => unknown;
  hears?: unknown;
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
    listen: ({ people }, hear) => people["addCreateListener"]!("age > 20", hear),
    act: ({ table }) => table["save"]!({ objectId: "joe", name: "Joe", age: 30 }, true),
    hears: { ___class: "Person", objectId: "joe", age: 30 },
    gives: { objectId: "joe" },
  },
  "a record that is changed": {
    listen: ({ people }, hear) => people["addUpdateListener"]!(hear),
    act: ({ table }) => table["save"]!({ objectId: "joe", age: 31 }),
    hears: { objectId: "joe", age: 31, updated: expect.any(Number) },
  },
  "a record that is made or changed": {
    listen: ({ people }, hear) => people["addUpsertListener"]!(hear),
    act: ({ table }) => table["save"]!({ objectId: "joe", age: 32 }, true),
    hears: { objectId: "joe", age: 32 },
  },
  "many that are made": {
    listen: ({ people }, hear) => people["addBulkCreateListener"]!(hear),
    act: ({ table }) => table["bulkCreate"]!(objectIds("ann", "tom")),
    hears: ["ann", "tom"],
  },
  "many that are changed": {
    listen: ({ people }, hear) => people["addBulkUpdateListener"]!(hear),
    act: ({ table }) => table["bulkUpdate"]!("age is null", { age: 1 }),
    hears: { whereClause: "age is null", count: 2 },
    gives: 2,
  },
  "many that are made or changed": {
    listen: ({ people }, hear) => people["addBulkUpsertListener"]!(hear),
    act: ({ table }) => table["bulkUpsert"]!(objectIds("tom", "kim")),
    hears: ["tom", "kim"],
  },
  "what is related to one": {
    listen: ({ people }, hear) => people["addSetRelationListener"]!("orders", [PARENT], hear),
    act: ({ app, table }) =>
      app.Data.of("Order")
        .save({ objectId: "one" }, true)
        .then(() => table["setRelation"]!("joe", "orders", ["one"])),
    hears: relationEvent,
  },
  "what is no more related to one": {
    listen: ({ people }, hear) => people["addDeleteRelationListener"]!("orders", hear),
    act: ({ table }) => table["deleteRelation"]!("joe", "orders", ["one"]),
    hears: relationEvent,
  },
  "what is related to one besides": {
    listen: ({ people }, hear) => people["addAddRelationListener"]!("orders", hear),
    act: ({ table }) => table["addRelation"]!("joe", "orders", ["one"]),
    hears: relationEvent,
  },
  "a record that is taken away": {
    listen: ({ people }, hear) => people["addDeleteListener"]!(hear),
    act: ({ table }) => table["remove"]!("joe"),
    hears: { objectId: "joe" },
  },
  "many that are taken away": {
    listen: ({ people }, hear) => people["addBulkDeleteListener"]!(hear),
    act: ({ table }) => table["bulkDelete"]!("age = 1"),
    hears: { whereClause: "age = 1", count: 2 },
  },
};

/** Channels: realtime.md 4.3 and 4.4. */
const CHANNEL_STEPS: Record<string, RealtimeStep> = {
  "a channel that is left and joined": {
    listen: ({ channel }, hear) => channel["addConnectListener"]!(() => hear("joined")),
    act: ({ channel }) => leaveAndJoin(channel, "leave", "join"),
    hears: "joined",
    alone: true,
  },
  "who is there": {
    listen: ({ channel }, hear) => channel["addUserStatusListener"]!(hear),
    hears: { status: "LISTING", data: expect.arrayContaining([ownPresence]) as unknown },
  },
  "a message": {
    listen: ({ channel }, hear) => channel["addMessageListener"]!("degrees < 0", hear),
    act: ({ app }) =>
      app.Messaging.publish("garden", "Frost tonight", { headers: { degrees: "-3" } } as never),
    hears: { message: "Frost tonight", headers: { degrees: "-3" } },
    gives: { status: "scheduled" },
  },
  "a command": {
    listen: ({ channel }, hear) => channel["addCommandListener"]!(hear),
    act: ({ channel }) => channel["send"]!("pointer", { x: 1 }),
    hears: { type: "pointer", data: { x: 1 }, ...ownPresence },
  },
};

/** Shared objects: realtime.md 4 and 5. */
const SHARED_OBJECT_STEPS: Record<string, RealtimeStep> = {
  "an object that is left and shared again": {
    listen: ({ canvas }, hear) => canvas["addConnectListener"]!(() => hear("shared")),
    act: ({ canvas }) => leaveAndJoin(canvas, "disconnect", "connect"),
    hears: "shared",
    alone: true,
  },
  "who shares it": {
    listen: ({ canvas }, hear) => canvas["addUserStatusListener"]!(hear),
    hears: { status: "LISTING", data: expect.arrayContaining([ownPresence]) as unknown },
  },
  "a value in it": {
    listen: ({ canvas }, hear) => canvas["addChangesListener"]!(hear),
    act: ({ canvas }) => canvas["set"]!("line", [0, 3]),
    hears: { key: "line", data: [0, 3], ...ownPresence },
  },
  "all of it": { act: ({ canvas }) => canvas["get"]!(), gives: { line: [0, 3] } },
  "a command to all": {
    listen: ({ canvas }, hear) => canvas["addCommandListener"]!(hear),
    act: ({ canvas }) => canvas["send"]!("undo", { steps: 1 }),
    hears: { type: "undo", data: { steps: 1 }, ...ownPresence },
  },
  "a call of all": {
    listen: ({ canvas }, hear) =>
      canvas["setInvocationTarget"]!({ flash: (...args: unknown[]) => hear(args) }),
    act: ({ canvas }) => canvas["invoke"]!("flash", "red", 2),
    // The client itself refuses to invoke a method that it does not have.
    first: ({ canvas }) => canvas["setInvocationTarget"]!({ flash: () => {} }),
    hears: ["red", 2],
  },
  "the end of all that is in it": {
    listen: ({ canvas }, hear) => canvas["addClearListener"]!(hear),
    act: ({ canvas }) => canvas["clear"]!(),
    hears: ownPresence,
  },
};

/** Makes the server write a log line. */
type WriteLog = (kind: LogKind, line: { logger: string; level: "WARN"; message: string }) => unknown;
const logStep = (writeLog: WriteLog, kind: LogKind, listen: string): RealtimeStep => ({
  listen: ({ rt }, hear) =>
    new Promise((ready) => rt.subscriptions[listen]!({}, { onData: hear, onReady: () => ready(undefined) })),
  act: () => writeLog(kind, { logger: "own", level: "WARN", message: `in ${kind}` }),
  hears: [{ logger: "own", "log-level": "WARN", message: `in ${kind}` }],
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
  const asked = () =>
    sent
      .flatMap(({ mock }) => mock.calls as [event: string, SentPacket][])
      .flatMap(([event, packet]) => (event === "SUB_OFF" ? [] : packetName(packet)));
  const { Data, Messaging, SharedObject } = app as unknown as Record<string, UntypedApi>;
  const of = <T>(it: unknown) => it as T;
  const table = of<UntypedApi>(Data!["of"]!("Person"));
  const people = of<UntypedApi>(of<{ rt: () => unknown }>(table).rt());
  const channel = of<UntypedApi>(Messaging!["subscribe"]!("garden"));
  const canvas = of<UntypedApi>(SharedObject!["connect"]!("canvas"));
  return { at: { app, rt, table, people, channel, canvas } satisfies StepContext, asked };
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
  return sortedUnique(pair.flatMap((it) => it.asked()));
}

async function takeStep(
  name: string,
  { listen, hears, act, gives, first }: RealtimeStep,
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
  if (listen) expect.soft({ name, heard: await received.next() }).toMatchObject({ name, heard: hears });
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
