import pg from "pg";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../../test/support/setup/test-database.ts";
import { many, one, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { emit, onCommitted } from "#platform/outbox";
import { createDispatcher } from "./dispatcher.ts";
import { type EventHandler, eventHandlers, type BatchEventHandler } from "./handlers.ts";
import { cacheTagsFor } from "./cache-tags.ts";

const database = await testDatabase();
const { db, inTransaction, clock } = database;

/** A handler context in which nothing happens. */
const quiet = {
  database,
  settingsChanged: () => {},
  pushToSockets: () => {},
  indexEvents: async () => {},
  startAutomations: async () => {},
  queueWebhooks: async () => {},
  mailStatusNotice: async () => {},
  mailAppealNotice: async () => {},
  mailGuestDecision: async () => {},
};

/** A dispatcher that runs only when called. */
function relayWith(
  each: Record<string, Record<string, EventHandler>>,
  batch: Record<string, BatchEventHandler> = {},
  withdrawContent: (personId: string) => Promise<unknown> = async () => {},
) {
  const relay = createDispatcher({
    app: { ...quiet, withdrawContent },
    reactions: { each, batch },
    log: createLog("silent"),
    now: () => clock.at,
  });
  return { ...relay, [Symbol.asyncDispose]: relay.stop };
}

/**
 * Runs batches until everything is handled. A batch may find nothing yet: rows wait while an older
 * transaction is open anywhere on the server, even in another database.
 */
async function carryAll(...relays: { round: () => Promise<number> }[]) {
  const waiting = async () =>
    (await one(db, sql<{ n: number }>`select count(*)::int as n from outbox where handled_at is null`)).n;
  while ((await waiting()) > 0) await Promise.all(relays.map((relay) => relay.round()));
}

const emitTestEvent = (n: number) => inTransaction((tx) => emit(tx, { type: "test.said", n }));

describe("dispatcher", () => {
  test("handles each domain event once, in order", async () => {
    const handledEvents: unknown[] = [];
    await using relay = relayWith({
      "test.said": { hear: async (_app, it) => void handledEvents.push(it["n"]) },
    });
    for (const n of [1, 2, 3]) await emitTestEvent(n);
    await carryAll(relay);
    await relay.round();
    expect(handledEvents).toEqual([1, 2, 3]);
  });

  test("waits for the event of a transaction that has a lower id but commits later", async () => {
    const handledEvents: unknown[] = [];
    await using relay = relayWith({
      "test.said": { hear: async (_app, it) => void handledEvents.push(it["n"]) },
    });
    const late = new pg.Client(database.connection);
    await late.connect();
    await late.query("begin");
    await late.query(
      'insert into outbox (type, payload, at) values (\'test.said\', \'{"type":"test.said","n":1}\', now())',
    );
    await emitTestEvent(2);

    expect(await relay.round()).toBe(0);
    expect(handledEvents).toEqual([]);
    await late.query("commit");
    await late.end();
    await carryAll(relay);
    expect(handledEvents).toEqual([1, 2]);
  });

  test("passes every domain event to the wildcard handlers", async () => {
    const handledEvents: string[] = [];
    const shown: string[] = [];
    await using relay = relayWith({
      "*": { show: async (_app, it, pendingEvent) => void shown.push(`${pendingEvent.id}:${it.type}`) },
      "test.said": { hear: async (_app, it) => void handledEvents.push(it.type) },
    });
    const ids: string[] = [];
    const stop = onCommitted((it, id) => ids.push(`${id}:${it.type}`));
    await emitTestEvent(1);
    await inTransaction((tx) => emit(tx, { type: "test.thought" }));
    stop();
    await carryAll(relay);
    expect(handledEvents).toEqual(["test.said"]);
    expect(shown).toEqual(ids);
  });

  test("never handles an event whose transaction was rolled back", async () => {
    const handledEvents: unknown[] = [];
    await using relay = relayWith({
      "test.said": { hear: async (_app, it) => void handledEvents.push(it["n"]) },
    });
    await inTransaction(async (tx) => {
      await emit(tx, { type: "test.said", n: 1 });
      throw new Error("no");
    }).catch(() => {});
    expect(await relay.round()).toBe(0);
    expect(handledEvents).toEqual([]);
  });

  test("sets a failing handler aside without delaying other handlers and events", async () => {
    const handledEvents: string[] = [];
    await using relay = relayWith({
      "test.said": {
        broken: async () => Promise.reject(new Error("not today")),
        hear: async (_app, it) => void handledEvents.push(String(it["n"])),
      },
    });
    await emitTestEvent(1);
    await emitTestEvent(2);
    await carryAll(relay);
    expect(handledEvents).toEqual(["1", "2"]);
    const failures = await many(
      db,
      sql<{ reaction: string; error: string }>`select reaction, error from outbox_failures`,
    );
    expect(failures).toEqual([
      { reaction: "broken", error: "Error: not today" },
      { reaction: "broken", error: "Error: not today" },
    ]);
  });

  test("passes several events to a batch handler at once, and single events after a failure", async () => {
    const handledBatches: unknown[][] = [];
    const alone = Promise.withResolvers<void>();
    await using relay = relayWith(
      { "test.said": { hear: async () => {} } },
      {
        file: async (_app, domainEvents) => {
          handledBatches.push(domainEvents.map((it) => it["n"]));
          if (handledBatches.length === 1) throw new Error("not today");
          if (handledBatches.length === 3) alone.resolve();
        },
      },
    );
    await inTransaction(async (tx) => {
      await emit(tx, { type: "test.said", n: 1 });
      await emit(tx, { type: "test.said", n: 2 });
    });
    await carryAll(relay);
    expect(handledBatches).toEqual([[1, 2]]);
    expect(await many(db, sql`select distinct done from outbox`)).toEqual([{ done: ["hear"] }]);
    clock.pass(1_500);
    relay.wake();
    await alone.promise;
    await relay.stop();
    expect(handledBatches.slice(1).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([[1], [2]]);
    expect(await many(db, sql`select distinct done from outbox`)).toEqual([{ done: ["hear", "file"] }]);
  });

  test("retries only the failed handler after a pause, and deletes the failure on success", async () => {
    const runs = { broken: 0, fine: 0 };
    const handlerCall = Promise.withResolvers<void>();
    await using relay = relayWith({
      "test.said": {
        broken: async () => {
          runs.broken += 1;
          if (runs.broken === 1) throw new Error("not today");
          handlerCall.resolve();
        },
        fine: async () => void (runs.fine += 1),
      },
    });
    await emitTestEvent(1);
    await carryAll(relay);
    clock.pass(1_500);
    relay.wake();
    await handlerCall.promise;
    await relay.stop();
    expect(runs).toEqual({ broken: 2, fine: 1 });
    expect(await many(db, sql`select 1 from outbox_failures`)).toEqual([]);
    expect((await one(db, sql<{ done: string[] }>`select done from outbox`)).done.toSorted()).toEqual([
      "broken",
      "fine",
    ]);
  });

  test("receives a notification of each commit in its own process", async () => {
    const committedEvents: unknown[] = [];
    const stop = onCommitted((it) => committedEvents.push(it["n"]));
    await emitTestEvent(7);
    stop();
    await emitTestEvent(8);
    expect(committedEvents).toEqual([7]);
  });

  test("shares the work with a second dispatcher, and neither repeats an event", async () => {
    const handledEvents: unknown[] = [];
    const reactions = {
      "test.said": {
        hear: async (_app: unknown, it: Record<string, unknown>) => void handledEvents.push(it["n"]),
      },
    };
    await using first = relayWith(reactions);
    await using second = relayWith(reactions);
    for (let n = 0; n < 120; n++) await emitTestEvent(n);
    await carryAll(first, second);
    expect(handledEvents.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 120 }, (_, n) => n),
    );
  });
});

describe("cacheTagsFor", () => {
  test("returns the tags of the entity and of the lists that contain it", () => {
    expect(cacheTagsFor({ type: "post.written", discussionId: "d", groupId: "g", n: 1 })).toEqual([
      "discussion:d",
      "discussions",
      "group-list:g",
      "groups",
    ]);
    expect(cacheTagsFor({ type: "discussion.renamed", discussionId: "d", groupId: "g" })).toEqual([
      "discussion:d",
      "discussions",
      "group-list:g",
      "group:g",
      "groups",
    ]);
    expect(cacheTagsFor({ type: "settings.changed", keys: "name" })).toEqual(["settings"]);
  });
  test("returns null (all pages) for changes of people, whose names are on every page", () => {
    for (const type of ["person.changed", "person.left", "person.erased", "person.status-changed"])
      expect(cacheTagsFor({ type, personId: "p" })).toBeNull();
  });
  test("returns no tags for read positions, private messages and password changes", () => {
    for (const type of [
      "discussion.read",
      "discussion.followed",
      "message.written",
      "person.password-changed",
      "person.sessions-ended",
    ])
      expect(cacheTagsFor({ type, discussionId: "d", personId: "p" })).toEqual([]);
  });
});

test("scheduled content of a suspended or departed person is withdrawn; that of a limited person is not", async () => {
  const withdrawn: string[] = [];
  await using relay = relayWith(eventHandlers.each, {}, async (personId) => withdrawn.push(personId));
  await inTransaction(async (tx) => {
    for (const [personId, state] of [
      ["one", "suspended"],
      ["two", "limited"],
      ["three", "active"],
    ] as const)
      await emit(tx, { type: "person.status-changed", personId, state, by: null });
    await emit(tx, { type: "person.left", personId: "four" });
  });
  await carryAll(relay);
  expect(withdrawn.toSorted()).toEqual(["four", "one"]);
});
