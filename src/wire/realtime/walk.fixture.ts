import { createRequire } from "node:module";
import { expect, vi } from "vitest";
import type { Kind } from "#backend/logs";
import { Heard } from "./line.fixture.ts";
import { ObjectsChanges, RelationsChanges } from "./packets.ts";
import { type Sdk, settled } from "./tables/tables.fixture.ts";

/** Every subscription and method name of the client, which has no types for them. */
const CLIENTS_OWN = createRequire(import.meta.url)("backendless-rt-client/lib/constants.js") as Record<
  "RTSubscriptionTypes" | "RTMethodTypes",
  Record<string, string>
>;

type Loose = Record<string, (...given: unknown[]) => Promise<unknown>>;
type Hear = (it: unknown) => void;
/** The published client of an admin, untyped where its types are incomplete. */
type At = { app: Sdk; rt: { subscriptions: Loose; methods: Loose }; people: Loose; table: Loose; channel: Loose; canvas: Loose };
type Step = {
  /** The client's subscription, and the first event expected. */
  listen?: (at: At, hear: Hear) => unknown;
  hears?: unknown;
  /** The client's action after that, and the answer expected. */
  act?: (at: At) => unknown;
  gives?: unknown;
  /** The same client listens and acts. */
  alone?: true;
  /** Preparation by another client before the action. */
  first?: (at: At) => unknown;
};

const PARENT = { objectId: "joe" };
const related = { parentObjectId: "joe", conditional: false, whereClause: null, children: ["one"] };
const own = { connectionId: expect.any(String) as string, userId: expect.any(String) as string };
const again = (it: Loose, leave: string, join: string) => (it[leave]!(), it[join]!());
const ids = (...all: string[]) => all.map((objectId) => ({ objectId }));

/** Records and relations: realtime.md 4.1 and 4.2. */
const TABLES: Record<string, Step> = {
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
    act: ({ table }) => table["bulkCreate"]!(ids("ann", "tom")),
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
    act: ({ table }) => table["bulkUpsert"]!(ids("tom", "kim")),
    hears: ["tom", "kim"],
  },
  "what is related to one": {
    listen: ({ people }, hear) => people["addSetRelationListener"]!("orders", [PARENT], hear),
    act: ({ app, table }) =>
      app.Data.of("Order")
        .save({ objectId: "one" }, true)
        .then(() => table["setRelation"]!("joe", "orders", ["one"])),
    hears: related,
  },
  "what is no more related to one": {
    listen: ({ people }, hear) => people["addDeleteRelationListener"]!("orders", hear),
    act: ({ table }) => table["deleteRelation"]!("joe", "orders", ["one"]),
    hears: related,
  },
  "what is related to one besides": {
    listen: ({ people }, hear) => people["addAddRelationListener"]!("orders", hear),
    act: ({ table }) => table["addRelation"]!("joe", "orders", ["one"]),
    hears: related,
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
const CHANNELS: Record<string, Step> = {
  "a channel that is left and joined": {
    listen: ({ channel }, hear) => channel["addConnectListener"]!(() => hear("joined")),
    act: ({ channel }) => again(channel, "leave", "join"),
    hears: "joined",
    alone: true,
  },
  "who is there": {
    listen: ({ channel }, hear) => channel["addUserStatusListener"]!(hear),
    hears: { status: "LISTING", data: expect.arrayContaining([own]) as unknown },
  },
  "a message": {
    listen: ({ channel }, hear) => channel["addMessageListener"]!("degrees < 0", hear),
    act: ({ app }) => app.Messaging.publish("garden", "Frost tonight", { headers: { degrees: "-3" } } as never),
    hears: { message: "Frost tonight", headers: { degrees: "-3" } },
    gives: { status: "scheduled" },
  },
  "a command": {
    listen: ({ channel }, hear) => channel["addCommandListener"]!(hear),
    act: ({ channel }) => channel["send"]!("pointer", { x: 1 }),
    hears: { type: "pointer", data: { x: 1 }, ...own },
  },
};

/** Shared objects: realtime.md 4 and 5. */
const SHARED: Record<string, Step> = {
  "an object that is left and shared again": {
    listen: ({ canvas }, hear) => canvas["addConnectListener"]!(() => hear("shared")),
    act: ({ canvas }) => again(canvas, "disconnect", "connect"),
    hears: "shared",
    alone: true,
  },
  "who shares it": {
    listen: ({ canvas }, hear) => canvas["addUserStatusListener"]!(hear),
    hears: { status: "LISTING", data: expect.arrayContaining([own]) as unknown },
  },
  "a value in it": {
    listen: ({ canvas }, hear) => canvas["addChangesListener"]!(hear),
    act: ({ canvas }) => canvas["set"]!("line", [0, 3]),
    hears: { key: "line", data: [0, 3], ...own },
  },
  "all of it": { act: ({ canvas }) => canvas["get"]!(), gives: { line: [0, 3] } },
  "a command to all": {
    listen: ({ canvas }, hear) => canvas["addCommandListener"]!(hear),
    act: ({ canvas }) => canvas["send"]!("undo", { steps: 1 }),
    hears: { type: "undo", data: { steps: 1 }, ...own },
  },
  "a call of all": {
    listen: ({ canvas }, hear) => canvas["setInvocationTarget"]!({ flash: (...args: unknown[]) => hear(args) }),
    act: ({ canvas }) => canvas["invoke"]!("flash", "red", 2),
    // The client refuses to invoke methods it lacks itself.
    first: ({ canvas }) => canvas["setInvocationTarget"]!({ flash: () => {} }),
    hears: ["red", 2],
  },
  "the end of all that is in it": {
    listen: ({ canvas }, hear) => canvas["addClearListener"]!(hear),
    act: ({ canvas }) => canvas["clear"]!(),
    hears: own,
  },
};

/** Makes the server write a log line. */
type Say = (kind: Kind, line: { logger: string; level: "WARN"; message: string }) => unknown;
const saidIn = (say: Say, kind: Kind, listen: string): Step => ({
  listen: ({ rt }, hear) => new Promise((ready) => rt.subscriptions[listen]!({}, { onData: hear, onReady: () => ready(undefined) })),
  act: () => say(kind, { logger: "own", level: "WARN", message: `in ${kind}` }),
  hears: [{ logger: "own", "log-level": "WARN", message: `in ${kind}` }],
});
/** Log lines, for admins; and, last of all, a user change. */
const logs = (say: Say): Record<string, Step> => ({
  "what programs log": saidIn(say, "logging", "onLoggingMessages"),
  "what the house logs": saidIn(say, "console", "onConsoleMessages"),
  "what an operator's code logs": saidIn(say, "developer", "onDeveloperMessage"),
  "what automations log": saidIn(say, "automation", "onAutomationLoggingMessages"),
  "who speaks": { act: ({ rt }) => rt.methods["setUserToken"]!({ userToken: null }), gives: null },
});

type Packet = { name: string; options?: { event?: string } };
const nameOf = ({ name, options }: Packet) => (/^(OBJECTS|RELATIONS)_CHANGES$/.test(name) ? `${name} ${options?.event}` : name);

/** An admin's client, with a recorder of its requests to the server. */
export function walkerOf(app: Sdk) {
  const rt = app.RT as unknown as At["rt"];
  const sent = [rt.subscriptions, rt.methods].map((it) => vi.spyOn(it, "emitMessage"));
  const asked = () =>
    sent
      .flatMap(({ mock }) => mock.calls as [event: string, Packet][])
      .flatMap(([event, packet]) => (event === "SUB_OFF" ? [] : nameOf(packet)));
  const { Data, Messaging, SharedObject } = app as unknown as Record<string, Loose>;
  const of = <T>(it: unknown) => it as T;
  const table = of<Loose>(Data!["of"]!("Person"));
  const people = of<Loose>(of<{ rt: () => unknown }>(table).rt());
  const channel = of<Loose>(Messaging!["subscribe"]!("garden"));
  const canvas = of<Loose>(SharedObject!["connect"]!("canvas"));
  return { at: { app, rt, table, people, channel, canvas } satisfies At, asked };
}
export type Walker = ReturnType<typeof walkerOf>;

/**
 * Runs every step: subscriptions receive events, and methods get answers. The two clients take turns at
 * listening and acting; they may be the same. Returns what the server was asked for.
 */
export async function walkAlong(pair: readonly [Walker, Walker], say: Say): Promise<string[]> {
  let turn = 0;
  for (const [name, step] of Object.entries({ ...TABLES, ...CHANNELS, ...SHARED, ...logs(say) })) {
    const { at: listener } = pair[turn % 2]!;
    turn++;
    const { at: actor } = step.alone ? { at: listener } : pair[turn % 2]!;
    await take(name, step, listener, actor);
  }
  return listed(pair.flatMap((it) => it.asked()));
}

async function take(name: string, { listen, hears, act, gives, first }: Step, listener: At, actor: At) {
  const heard = new Heard<unknown>();
  await listen?.(listener, heard.take);
  if (actor !== listener) await first?.(actor);
  // The subscription is open once this is answered.
  if (act && listen) for (const { app } of new Set([listener, actor])) await settled(app);
  const given = await act?.(actor);
  if (gives !== undefined) expect.soft({ name, given }).toMatchObject({ name, given: gives });
  if (listen) expect.soft({ name, heard: await heard.next() }).toMatchObject({ name, heard: hears });
}

const listed = (names: string[]) => [...new Set(names)].toSorted();

/** Every subscription and method, by the client's names. */
export const ALL = listed(all());
function all(): string[] {
  const { RTSubscriptionTypes, RTMethodTypes } = CLIENTS_OWN;
  const { OBJECTS_CHANGES, RELATIONS_CHANGES, ...others } = RTSubscriptionTypes;
  return [
    ...ObjectsChanges.shape.event.options.map((event) => `${OBJECTS_CHANGES} ${event}`),
    ...RelationsChanges.shape.event.options.map((event) => `${RELATIONS_CHANGES} ${event}`),
    ...Object.values(others),
    ...Object.values(RTMethodTypes),
  ];
}
