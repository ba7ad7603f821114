import { describe, expect, test } from "vitest";
import { purgeSharedObjects } from "#baas/shared-objects";
import { GUEST } from "#community/rules";
import { many, sql } from "#platform/database";
import { MessageQueue } from "../../../../test/support/realtime/sdk-connection.ts";
import {
  sharerAsAuthor,
  database,
  sdkConnection,
  sdkConnections,
  people,
  type SharedObject,
  connectSharedObject,
  within,
} from "../../../../test/support/realtime/shared-objects-setup.ts";

describe("shared object", () => {
  test("delivers each change to all connected clients", async () => {
    const [mira, tomas] = [await connectSharedObject(people.mira), await connectSharedObject(people.tomas)];
    expect(await mira.object.get()).toEqual({});
    expect(await mira.object.get("x")).toBeNull();
    await mira.object.set("x", { at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" });
    await tomas.object.set("__proto__", "kept");
    await tomas.object.set("x y/z", undefined);
    for (const it of [mira, tomas]) {
      expect(await it.received.changes.next()).toEqual({
        key: "x",
        data: { at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" },
        ...sharerAsAuthor(mira),
      });
      expect(await it.received.changes.next()).toEqual({
        key: "__proto__",
        data: "kept",
        ...sharerAsAuthor(tomas),
      });
      expect(await it.received.changes.next()).toEqual({
        key: "x y/z",
        data: null,
        ...sharerAsAuthor(tomas),
      });
      expect(await it.object.get("x")).toEqual({ at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" });
      expect(Object.entries((await it.object.get()) as object)).toEqual([
        ["__proto__", "kept"],
        ["x", { at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" }],
        ["x y/z", null],
      ]);
    }
  });

  test("clears for all clients without affecting other objects", async () => {
    const [mira, tomas, other] = [
      await connectSharedObject(people.mira),
      await connectSharedObject(people.tomas),
      await connectSharedObject(people.tomas, { name: "other" }),
    ];
    await other.object.set("x", 1);
    await mira.object.set("x", 1);
    await tomas.object.clear();
    expect(await mira.received.cleared.next()).toEqual(sharerAsAuthor(tomas));
    expect(await tomas.received.cleared.next()).toEqual(sharerAsAuthor(tomas));
    expect([await mira.object.get(), await other.object.get()]).toEqual([{}, { x: 1 }]);
    expect(other.received.cleared.all).toEqual([]);
    await (await connectSharedObject(people.noor, { name: "never set" })).object.clear();
  });

  test("delivers commands to all listeners", async () => {
    const [mira, guest] = [await connectSharedObject(people.mira), await connectSharedObject(GUEST)];
    await guest.object.send("undo", { steps: 2 });
    const command = { type: "undo", data: { steps: 2 }, ...sharerAsAuthor(guest) };
    for (const it of [mira, guest]) expect(await it.received.commands.next()).toMatchObject(command);
    await guest.object.send("bare");
    expect(await mira.received.commands.next()).toMatchObject({
      type: "bare",
      data: null,
      userInfo: sharerAsAuthor(guest),
    });
  });

  test("invokes methods on all connected clients or on named ones", async () => {
    const [mira, tomas, guest] = [
      await connectSharedObject(people.mira),
      await connectSharedObject(people.tomas),
      await connectSharedObject(GUEST),
    ];
    await mira.object.invoke("draw", 1, { two: 2 });
    for (const it of [mira, tomas, guest])
      expect(await it.received.calls.next()).toEqual({ args: [1, { two: 2 }] });
    await mira.object.invokeOn("draw", [people.tomas.id], "by person");
    await mira.object.invokeOn("draw", [tomas.me.connectionId, mira.me.connectionId], "by connection");
    await mira.object.invokeOn("draw", [null], "guests");
    await mira.object.invokeOn("draw", [], "nobody");
    await mira.object.invokeOn("draw", null, "all");
    for (const [it, calls] of [
      [mira, ["by connection", "all"]],
      [tomas, ["by person", "by connection", "all"]],
      [guest, ["guests", "all"]],
    ] as const)
      for (const call of calls) expect(await it.received.calls.next()).toEqual({ args: [call] });
    await expect(mira.object.invoke("erase")).rejects.toThrow("is not function");
  });

  test("reports present clients, arrivals, departures and user changes", async () => {
    const mira = await connectSharedObject(people.mira);
    expect(mira.received.people.all[0]).toEqual({ status: "LISTING", data: [sharerAsAuthor(mira)] });
    const tomas = await connectSharedObject(people.tomas);
    expect(tomas.received.people.all[0]).toEqual({
      status: "LISTING",
      data: [sharerAsAuthor(mira), sharerAsAuthor(tomas)],
    });
    expect(await mira.received.people.next()).toEqual({ status: "CONNECTED", data: [sharerAsAuthor(tomas)] });
    await tomas.rt.methods.setUserToken({ userToken: null });
    expect(await mira.received.people.next()).toEqual({
      status: "USERUPDATE",
      data: [{ ...sharerAsAuthor(tomas), userId: null }],
    });
    tomas.object.disconnect();
    expect(await mira.received.people.next()).toEqual({
      status: "DISCONNECTED",
      data: [{ ...sharerAsAuthor(tomas), userId: null }],
    });
  });

  test("delivers nothing after a client leaves, and each call once after it rejoins", async () => {
    const [mira, tomas] = [await connectSharedObject(people.mira), await connectSharedObject(people.tomas)];
    tomas.object.disconnect();
    await mira.received.people.next();
    await mira.object.set("x", 1);
    await mira.received.changes.next();
    tomas.object.connect();
    await mira.received.people.next();
    await mira.object.set("x", 2);
    expect(await tomas.received.changes.next()).toMatchObject({ data: 2 });
    await mira.object.invoke("draw", "once");
    await mira.object.send("done");
    await tomas.received.commands.next();
    expect(tomas.received.calls.all).toEqual([{ args: ["once"] }]);
  });

  test("invokes each client once, however often the connection has broken", async () => {
    const mira = await connectSharedObject(people.mira);
    const twice = (
      mira.app as unknown as { SharedObject: { connect: (name: string) => SharedObject } }
    ).SharedObject.connect("canvas");
    const other = new MessageQueue();
    await new Promise<void>((done) => twice.addConnectListener(done));
    twice.setInvocationTarget({ draw: (...args: unknown[]) => other.take({ args }) });
    for (let n = 0; n < 3; n++) {
      const back = new MessageQueue<number>();
      mira.object.addConnectListener(() => back.take(n));
      // The server ends all connections, and the client reconnects at once.
      sdkConnection.realtime.missed();
      await back.next();
    }
    await mira.object.invoke("draw", "once");
    await mira.object.send("done");
    await mira.received.commands.next();
    expect([mira.received.calls.all, other.all]).toEqual([[{ args: ["once"] }], [{ args: ["once"] }]]);
  });

  test("delivers nothing to removed listeners", async () => {
    const [mira, tomas] = [await connectSharedObject(people.mira), await connectSharedObject(people.tomas)];
    tomas.object.removeChangesListeners();
    tomas.object.removeClearListeners();
    await mira.object.set("x", 1);
    await mira.object.clear();
    await mira.object.send("done");
    await tomas.received.commands.next();
    expect([tomas.received.changes.all, tomas.received.cleared.all]).toEqual([[], []]);
  });

  test("remains after its clients leave, and is deleted a day after it has been cleared", async () => {
    await (await connectSharedObject(people.mira)).object.set("x", 1);
    const later = await connectSharedObject(GUEST, { at: sdkConnections[1]! });
    expect(await later.object.get()).toEqual({ x: 1 });
    database.clock.pass(86_400_001);
    await within(purgeSharedObjects);
    expect(await later.object.get("x")).toBe(1);
    await later.object.clear();
    await within(purgeSharedObjects);
    expect(await many(database.db, sql`select 1 from shared_objects`)).toHaveLength(1);
    database.clock.pass(86_400_001);
    await within(purgeSharedObjects);
    expect(await many(database.db, sql`select 1 from shared_objects`)).toHaveLength(0);
  });
});
