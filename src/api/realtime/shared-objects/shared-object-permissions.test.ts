import { describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { updatePrivacy } from "#community/accounts";
import { GUEST, type SignedIn } from "#community/rules";
import { run, sql } from "#platform/database";
import {
  collectAnswers,
  waitForConnect,
  startRealtimeServer,
  SERVER_KEY,
} from "../../../../test/support/realtime/sdk-connection.ts";
import { KeyedQueue } from "#platform/queue";
import { queueObjectChange } from "./object-queue.ts";
import {
  sharerAsAuthor,
  type ObjectChange,
  database,
  sdkConnection,
  sdkConnections,
  people,
  connectSharedObject,
  within,
} from "../../../../test/support/realtime/shared-objects-setup.ts";

describe("shared objects", () => {
  const set = (changes: object) => within((tx) => sdkConnection.settings.set(tx, people.ada, changes));

  test("can be restricted by a setting to signed-in people and the server", async () => {
    const guest = await connectSharedObject(GUEST);
    await set({ whoShares: "members" });
    sdkConnections.forEach(({ settings }) => settings.forget());
    for (const work of [
      () => guest.object.get(),
      () => guest.object.set("x", 1),
      () => guest.object.clear(),
      () => guest.object.send("x"),
      () => guest.object.invoke("draw"),
    ])
      await expect(work()).rejects.toMatchObject({ code: "401" });
    const mira = await connectSharedObject(people.mira);
    const server = await connectSharedObject(GUEST, { key: SERVER_KEY });
    await mira.object.set("x", 1);
    await server.received.changes.next();
    expect(guest.received.changes.all).toEqual([]);
    const refused = await collectAnswers(await sdkConnection.socket(GUEST))
      .subscribe("RSO_CONNECT", { name: "canvas" })
      .next();
    expect(refused.error).toMatchObject({ code: 401 });
  });

  test("restricted to members end their connections at sign-out", async () => {
    await set({ whoShares: "members" });
    sdkConnections.forEach(({ settings }) => settings.forget());
    const socket = await sdkConnection.socket(people.mira);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    const mine = answer.subscribe("RSO_CONNECT", { name: "canvas" });
    expect((await mine.next()).event).toBe("SUB_READY");
    await answer.call("SET_USER_TOKEN", { userToken: null }).next();
    expect((await mine.next()).error).toMatchObject({ code: 401 });
  });

  /** Returns the person's id that each listener receives with the events of `who`. */
  async function known(
    who: Awaited<ReturnType<typeof connectSharedObject>>,
    clients: Awaited<ReturnType<typeof connectSharedObject>>[],
  ) {
    await who.object.set("x", 1);
    await who.object.clear();
    await who.object.send("done");
    const ids = [];
    for (const { received } of clients) {
      const events = [
        await received.changes.next(),
        await received.cleared.next(),
        await received.commands.next(),
      ];
      ids.push(new Set(events.map((it) => (it as ObjectChange).userId)));
    }
    return ids.map((it) => [...it]);
  }
  const blocking = (a: SignedIn, b: SignedIn) => within((tx) => blockPerson(tx, a, { personId: b.id }));

  test("hide the person of a connection from guests and blocked people", async () => {
    await blocking(people.mira, people.tomas);
    const mira = await connectSharedObject(people.mira);
    const all = [
      await connectSharedObject(people.tomas),
      await connectSharedObject(GUEST),
      await connectSharedObject(people.noor),
      await connectSharedObject(GUEST, { key: SERVER_KEY }),
      mira,
    ];
    expect(await known(mira, all)).toEqual([
      [null],
      [null],
      [people.mira.id],
      [people.mira.id],
      [people.mira.id],
    ]);
    const listed = all.map(
      ({ received }) =>
        received.people.all[0]!.data.find(({ connectionId }) => connectionId === mira.me.connectionId)
          ?.userId,
    );
    expect(listed).toEqual([null, null, people.mira.id, people.mira.id, people.mira.id]);
    const [tomas] = all;
    await tomas!.object.invokeOn("draw", [people.mira.id, people.noor.id], "by name");
    await tomas!.object.invokeOn("draw", [mira.me.connectionId], "by connection");
    expect(await all[2]!.received.calls.next()).toEqual({ args: ["by name"] });
    expect(await mira.received.calls.next()).toEqual({ args: ["by connection"] });
    await all[1]!.object.invokeOn("draw", [people.noor.id], "a guest by name");
    await all[1]!.object.send("done");
    await all[2]!.received.commands.next();
    expect(all[2]!.received.calls.all).toHaveLength(1);
  });

  test("hide the person of a connection if that person hides their presence", async () => {
    await within((tx) => updatePrivacy(tx, people.mira, people.mira.id, { showOnline: false }));
    const noor = await connectSharedObject(people.noor);
    const mira = await connectSharedObject(people.mira);
    expect(await noor.received.people.next()).toEqual({
      status: "CONNECTED",
      data: [{ ...sharerAsAuthor(mira), userId: null }],
    });
    expect(await known(mira, [noor, mira])).toEqual([[null], [people.mira.id]]);
  });

  test.each([
    ["RSO_SET", { name: "canvas", key: "", data: 1 }],
    ["RSO_SET", { name: "canvas", key: "k".repeat(251), data: 1 }],
    ["RSO_SET", { name: "canvas", key: "nul\0", data: 1 }],
    ["RSO_SET", { name: "canvas", key: "half \ud800", data: 1 }],
    ["RSO_SET", { name: "canvas", data: 1 }],
    ["RSO_SET", { name: "", key: "x", data: 1 }],
    ["RSO_SET", { name: "n".repeat(251), key: "x", data: 1 }],
    ["RSO_SET", { name: "canvas", key: "x", data: "y".repeat(10_000) }],
    [
      "RSO_SET",
      { name: "canvas", key: "x", data: JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown },
    ],
    ["RSO_GET", { name: 7 }],
    ["RSO_GET", { name: "canvas", key: {} }],
    ["RSO_CLEAR", {}],
    ["RSO_COMMAND", { name: "canvas", type: "x", data: "y".repeat(10_000) }],
    ["RSO_COMMAND", { name: "canvas", data: 1 }],
    ["RSO_INVOKE", { name: "canvas", method: "", args: [] }],
    ["RSO_INVOKE", { name: "canvas", method: "x", args: {} }],
    ["RSO_INVOKE", { name: "canvas", method: "x", args: Array.from({ length: 101 }, () => 1) }],
    ["RSO_INVOKE", { name: "canvas", method: "x", targets: "everybody", args: [] }],
    ["RSO_INVOKE", { name: "canvas", method: "x", targets: [7], args: [] }],
  ])("refuse invalid or oversized input: %s %.60j", async (name, options) => {
    const answer = collectAnswers(await sdkConnection.socket(people.mira));
    expect((await answer.call(name, options).next()).error).toMatchObject({
      code: expect.stringMatching(/^4(13|22)$/),
      message: /\w/,
    });
    expect(await answer.call("RSO_GET", { name: "canvas" }).next()).toMatchObject({ result: {} });
  });

  test("have limits for keys, key size and object count", async () => {
    const { object } = await connectSharedObject(people.mira);
    await run(
      database.db,
      sql`insert into shared_objects (name, keys, size, changed_at)
        values ('full', 1000, 10, now()), ('long', 1, 299000, now())`,
    );
    await run(
      database.db,
      sql`insert into shared_values (name, key, value, version) values ('full', 'known', '1', 1)`,
    );
    const answer = collectAnswers(await sdkConnection.socket(people.mira));
    const setKey = async (name: string, key: string, data: unknown) =>
      (await answer.call("RSO_SET", { name, key, data }).next()).error?.code;
    expect([await setKey("full", "new", 1), await setKey("full", "known", 2)]).toEqual(["413", undefined]);
    expect([
      await setKey("long", "x", "y".repeat(1_000)),
      await setKey("long", "x", "y".repeat(900)),
    ]).toEqual(["413", undefined]);
    await object.set("x", 1);
    await run(
      database.db,
      sql`insert into shared_objects (name, changed_at) select 'o' || n, now()
        from generate_series(1, 10000) n`,
    );
    sdkConnections.push(await startRealtimeServer(database));
    const after = collectAnswers(await sdkConnections.at(-1)!.socket(people.mira));
    const late = async (name: string) =>
      (await after.call("RSO_SET", { name, key: "y", data: 1 }).next()).error?.code;
    expect([await late("one more"), await late("canvas")]).toEqual(["413", undefined]);
  });

  test("refuse changes when the queue is full, but accept new connections", async () => {
    const queue = new KeyedQueue();
    const change = (name: string) => queueObjectChange(queue, name, async () => {});
    const { promise: open, resolve } = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 2_000 }, () => queue.run("canvas", () => open));
    await expect(change("canvas")).rejects.toThrow("Too many");
    await change("another");
    const late = queue.run("canvas", async () => "came all the same");
    resolve();
    expect([await late, (await Promise.all(waiting)).length]).toEqual(["came all the same", 2_000]);
    await change("canvas");
  });

  test("have a limit for calls per minute", async () => {
    const socket = await sdkConnection.socket(people.mira);
    await sdkConnection.app.limits.take(
      "shared-objects",
      { points: 3_000, seconds: 60 },
      socket.session!.sessionId,
      2_990,
    );
    const answer = collectAnswers(socket);
    const codes = [];
    for (let n = 0; n < 4; n++)
      codes.push((await answer.call("RSO_GET", { name: "canvas" }).next()).error?.code);
    expect(codes).toEqual([undefined, undefined, "429", "429"]);
  });
});
