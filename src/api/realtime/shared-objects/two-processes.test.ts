import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { type SharedObjectEvent, DeliveryOrder } from "./index.ts";
import {
  sharerAsAuthor,
  database,
  sdkConnection,
  sdkConnections,
  people,
  connectSharedObject,
} from "../../../../test/support/realtime/shared-objects-setup.ts";

describe("shared object in two processes", () => {
  const both = async () =>
    [
      await connectSharedObject(people.mira),
      await connectSharedObject(people.tomas, { at: sdkConnections[1]! }),
    ] as const;

  test("delivers changes, commands, calls and presence to the other process", async () => {
    const [mira, tomas] = await both();
    expect(await tomas.received.people.next()).toEqual({ status: "CONNECTED", data: [sharerAsAuthor(mira)] });
    expect(await mira.received.people.next()).toEqual({ status: "CONNECTED", data: [sharerAsAuthor(tomas)] });
    await mira.object.set("x", 1);
    expect(await tomas.received.changes.next()).toEqual({ key: "x", data: 1, ...sharerAsAuthor(mira) });
    await tomas.object.clear();
    expect(await mira.received.cleared.next()).toEqual(sharerAsAuthor(tomas));
    await tomas.object.send("hello", { a: 1 });
    expect(await mira.received.commands.next()).toMatchObject({
      type: "hello",
      data: { a: 1 },
      ...sharerAsAuthor(tomas),
    });
    await mira.object.invokeOn("draw", [people.tomas.id], "there");
    expect(await tomas.received.calls.next()).toEqual({ args: ["there"] });
    expect(mira.received.calls.all).toEqual([]);
    mira.rt.disconnect();
    expect(await tomas.received.people.next()).toEqual({
      status: "DISCONNECTED",
      data: [sharerAsAuthor(mira)],
    });
  });

  test("converges to the same state after concurrent changes", async () => {
    const [mira, tomas] = await both();
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => [
        mira.object.set(`k${n % 3}`, `mira ${n}`),
        tomas.object.set(`k${n % 3}`, `tomas ${n}`),
      ]).flat(),
    );
    await Promise.all([mira, tomas].map(({ object }) => object.send("done")));
    for (const it of [mira, tomas]) for (let n = 0; n < 2; n++) await it.received.commands.next();
    const stored = await mira.object.get();
    for (const { received } of [mira, tomas])
      expect(Object.fromEntries(received.changes.all.map(({ key, data }) => [key, data]))).toEqual(stored);
    const { keys, size } = await one(
      database.db,
      sql<{ keys: number; size: number }>`select keys, size::int as size from shared_objects`,
    );
    const whole = Object.entries(stored as object).reduce(
      (sum, [key, value]) => sum + key.length + JSON.stringify(value).length,
      0,
    );
    expect({ keys, size }).toEqual({ keys: 3, size: whole });
  });

  test("delivers changes in order even when messages between processes cross", async () => {
    const mira = await connectSharedObject(people.mira);
    const author = { connectionId: "there", userId: null };
    const deed = (it: object) =>
      sdkConnection.realtime.share({ name: "canvas", by: author, ...it } as SharedObjectEvent);
    await mira.object.set("a", "early");
    await mira.object.set("b", "late");
    const [a, b] = (
      await many(database.db, sql<{ version: string }>`select version from shared_values order by key`)
    ).map((row) => Number(row.version));
    deed({ what: "set", key: "b", data: "overtaken", version: a });
    await run(database.db, sql`delete from shared_values where key = 'a'`);
    deed({ what: "clear", version: a });
    await mira.received.cleared.next();
    await mira.object.send("done");
    await mira.received.commands.next();
    expect(mira.received.changes.all.map(({ key, data }) => [key, data])).toEqual([
      ["a", "early"],
      ["b", "late"],
      ["b", "late"],
    ]);
    expect(b).toBeGreaterThan(a!);
  });

  test("discards the order of changes when it has no more listeners", () => {
    const order = new DeliveryOrder();
    const me = { connectionId: "c", userId: null };
    expect([order.set("o", "k", 2, me), order.set("o", "k", 1, me), order.set("o", "j", 1, me)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([...order.clear("o", 1)!.keys()]).toEqual(["k"]);
    expect([order.clear("o", 1), order.set("o", "j", 1, me)]).toEqual([null, false]);
    order.forget("o");
    expect(order.set("o", "j", 1, me)).toBe(true);
  });
});
