import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { purgeSharedObjects } from "#backend/shared-objects";
import { block } from "#community/friends";
import { updatePrivacy } from "#community/people";
import { GUEST, type SignedIn, type Viewer } from "#community/rules";
import { many, one, run, sql } from "#platform/database";
import { cast, type Cast } from "../../../../test/cast.ts";
import { testDatabase } from "../../../../test/setup/database.ts";
import { answers, connected, Heard, type Line, openLine, SERVER_KEY } from "../line.fixture.ts";
import { type Deed, Order, Turns } from "./index.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let lines: Line[];
let line: Line;
let people: Cast;

/** Processes on one database that tell each other what is done, as the bus would. */
async function processes(n: number): Promise<Line[]> {
  const all: Line[] = [];
  for (let i = 0; i < n; i++)
    all.push(
      await openLine(database, {
        shareWithOthers: (deed) =>
          all.forEach((other, j) => j !== i && setImmediate(() => other.realtime.share(JSON.parse(JSON.stringify(deed)) as Deed))),
      }),
    );
  return all;
}
beforeEach(async () => {
  lines = await processes(2);
  line = lines[0]!;
  people = await cast(database);
});
afterEach(async () => {
  for (const it of lines) await it.close();
});

type Change = { key: string; data: unknown; connectionId: string; userId: string | null };
type Status = { status: string; data: { connectionId: string; userId: string | null }[] };
/** The client's shared object; its types are not among those that the client brings. */
type SharedObject = {
  get: (key?: string) => Promise<unknown>;
  set: (key: string, data: unknown) => Promise<unknown>;
  clear: () => Promise<unknown>;
  send: (type: string, data?: unknown) => Promise<unknown>;
  invoke: (method: string, ...args: unknown[]) => Promise<unknown>;
  invokeOn: (method: string, targets: unknown, ...args: unknown[]) => Promise<unknown>;
  setInvocationTarget: (target: object) => void;
  addConnectListener: (told: () => void, failed?: (error: unknown) => void) => SharedObject;
  addChangesListener: (told: (it: Change) => void, failed?: (error: unknown) => void) => void;
  removeChangesListeners: (told?: (it: Change) => void) => void;
  addClearListener: (told: (it: object) => void) => void;
  removeClearListeners: (told?: (it: object) => void) => void;
  addCommandListener: (told: (it: object) => void) => SharedObject;
  removeCommandListener: (told: (it: object) => void) => SharedObject;
  addUserStatusListener: (told: (it: Status) => void) => SharedObject;
  removeAllListeners: () => SharedObject;
  connect: () => void;
  disconnect: () => void;
  isConnected: () => boolean;
};
type Rt = { getConnectionId: () => Promise<string>; disconnect: () => void; methods: { setUserToken: (it: object) => Promise<unknown> } };

/** Somebody with a shared object, in one of the processes, and everything that they hear of it. */
async function sharer(viewer: Viewer, { at = line, name = "canvas", key }: { at?: Line; name?: string; key?: string } = {}) {
  const app = await at.sdk(viewer, key);
  const object = (app as unknown as { SharedObject: { connect: (name: string) => SharedObject } }).SharedObject.connect(name);
  const heard = {
    changes: new Heard<Change>(),
    cleared: new Heard(),
    commands: new Heard(),
    people: new Heard<Status>(),
    calls: new Heard(),
  };
  await new Promise<void>((done, failed) => object.addConnectListener(done, failed));
  object.addChangesListener(heard.changes.take);
  object.addClearListener(heard.cleared.take as (it: object) => void);
  object.addCommandListener(heard.commands.take as (it: object) => void);
  object.setInvocationTarget({ draw: (...args: unknown[]) => heard.calls.take({ args }) });
  object.addUserStatusListener(heard.people.take);
  await heard.people.next();
  const rt = app.RT as unknown as Rt;
  return { app, object, heard, rt, me: { connectionId: await rt.getConnectionId(), userId: viewer.id } };
}
const by = ({ me }: { me: { connectionId: string; userId: string | null } }) => me;

describe("a shared object", () => {
  test("is read and changed by all who are connected, and each change is heard, one's own too", async () => {
    const [mira, tomas] = [await sharer(people.mira), await sharer(people.tomas)];
    expect(await mira.object.get()).toEqual({});
    expect(await mira.object.get("x")).toBeNull();
    await mira.object.set("x", { at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" });
    await tomas.object.set("__proto__", "kept");
    await tomas.object.set("x y/z", undefined);
    for (const it of [mira, tomas]) {
      expect(await it.heard.changes.next()).toEqual({ key: "x", data: { at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" }, ...by(mira) });
      expect(await it.heard.changes.next()).toEqual({ key: "__proto__", data: "kept", ...by(tomas) });
      expect(await it.heard.changes.next()).toEqual({ key: "x y/z", data: null, ...by(tomas) });
      expect(await it.object.get("x")).toEqual({ at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" });
      expect(Object.entries((await it.object.get()) as object)).toEqual([
        ["__proto__", "kept"],
        ["x", { at: [1, 2], label: "Ärger \u0000 \ud83c\udf31" }],
        ["x y/z", null],
      ]);
    }
  });

  test("is emptied for all at once, and is one of many", async () => {
    const [mira, tomas, other] = [await sharer(people.mira), await sharer(people.tomas), await sharer(people.tomas, { name: "other" })];
    await other.object.set("x", 1);
    await mira.object.set("x", 1);
    await tomas.object.clear();
    expect(await mira.heard.cleared.next()).toEqual(by(tomas));
    expect(await tomas.heard.cleared.next()).toEqual(by(tomas));
    expect([await mira.object.get(), await other.object.get()]).toEqual([{}, { x: 1 }]);
    expect(other.heard.cleared.all).toEqual([]);
    await (await sharer(people.noor, { name: "never set" })).object.clear();
  });

  test("carries commands to all who listen", async () => {
    const [mira, guest] = [await sharer(people.mira), await sharer(GUEST)];
    await guest.object.send("undo", { steps: 2 });
    const said = { type: "undo", data: { steps: 2 }, ...by(guest) };
    for (const it of [mira, guest]) expect(await it.heard.commands.next()).toMatchObject(said);
    await guest.object.send("bare");
    expect(await mira.heard.commands.next()).toMatchObject({ type: "bare", data: null, userInfo: by(guest) });
  });

  test("calls methods of all who are connected, or of those that are named", async () => {
    const [mira, tomas, guest] = [await sharer(people.mira), await sharer(people.tomas), await sharer(GUEST)];
    await mira.object.invoke("draw", 1, { two: 2 });
    for (const it of [mira, tomas, guest]) expect(await it.heard.calls.next()).toEqual({ args: [1, { two: 2 }] });
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
      for (const call of calls) expect(await it.heard.calls.next()).toEqual({ args: [call] });
    await expect(mira.object.invoke("erase")).rejects.toThrow("is not function");
  });

  test("tells who is there, who comes, goes, and is somebody else now", async () => {
    const mira = await sharer(people.mira);
    expect(mira.heard.people.all[0]).toEqual({ status: "LISTING", data: [by(mira)] });
    const tomas = await sharer(people.tomas);
    expect(tomas.heard.people.all[0]).toEqual({ status: "LISTING", data: [by(mira), by(tomas)] });
    expect(await mira.heard.people.next()).toEqual({ status: "CONNECTED", data: [by(tomas)] });
    await tomas.rt.methods.setUserToken({ userToken: null });
    expect(await mira.heard.people.next()).toEqual({ status: "USERUPDATE", data: [{ ...by(tomas), userId: null }] });
    tomas.object.disconnect();
    expect(await mira.heard.people.next()).toEqual({ status: "DISCONNECTED", data: [{ ...by(tomas), userId: null }] });
  });

  test("is quiet for who has left it, and calls them once when they are back", async () => {
    const [mira, tomas] = [await sharer(people.mira), await sharer(people.tomas)];
    tomas.object.disconnect();
    await mira.heard.people.next();
    await mira.object.set("x", 1);
    await mira.heard.changes.next();
    tomas.object.connect();
    await mira.heard.people.next();
    await mira.object.set("x", 2);
    expect(await tomas.heard.changes.next()).toMatchObject({ data: 2 });
    await mira.object.invoke("draw", "once");
    await mira.object.send("done");
    await tomas.heard.commands.next();
    expect(tomas.heard.calls.all).toEqual([{ args: ["once"] }]);
  });

  test("calls each of somebody's objects once, however often their line broke", async () => {
    const mira = await sharer(people.mira);
    const twice = (mira.app as unknown as { SharedObject: { connect: (name: string) => SharedObject } }).SharedObject.connect("canvas");
    const other = new Heard();
    await new Promise<void>((done) => twice.addConnectListener(done));
    twice.setInvocationTarget({ draw: (...args: unknown[]) => other.take({ args }) });
    for (let n = 0; n < 3; n++) {
      const back = new Heard<number>();
      mira.object.addConnectListener(() => back.take(n));
      // The server ends all lines, and the client is back at once.
      line.realtime.missed();
      await back.next();
    }
    await mira.object.invoke("draw", "once");
    await mira.object.send("done");
    await mira.heard.commands.next();
    expect([mira.heard.calls.all, other.all]).toEqual([[{ args: ["once"] }], [{ args: ["once"] }]]);
  });

  test("tells nothing to listeners that were taken away", async () => {
    const [mira, tomas] = [await sharer(people.mira), await sharer(people.tomas)];
    tomas.object.removeChangesListeners();
    tomas.object.removeClearListeners();
    await mira.object.set("x", 1);
    await mira.object.clear();
    await mira.object.send("done");
    await tomas.heard.commands.next();
    expect([tomas.heard.changes.all, tomas.heard.cleared.all]).toEqual([[], []]);
  });

  test("outlives everybody, and a cleared one is gone after a day", async () => {
    await (await sharer(people.mira)).object.set("x", 1);
    const later = await sharer(GUEST, { at: lines[1]! });
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

describe("a shared object in two processes", () => {
  const both = async () => [await sharer(people.mira), await sharer(people.tomas, { at: lines[1]! })] as const;

  test("is one: changes, commands, calls and people reach those in the other", async () => {
    const [mira, tomas] = await both();
    expect(await tomas.heard.people.next()).toEqual({ status: "CONNECTED", data: [by(mira)] });
    expect(await mira.heard.people.next()).toEqual({ status: "CONNECTED", data: [by(tomas)] });
    await mira.object.set("x", 1);
    expect(await tomas.heard.changes.next()).toEqual({ key: "x", data: 1, ...by(mira) });
    await tomas.object.clear();
    expect(await mira.heard.cleared.next()).toEqual(by(tomas));
    await tomas.object.send("hello", { a: 1 });
    expect(await mira.heard.commands.next()).toMatchObject({ type: "hello", data: { a: 1 }, ...by(tomas) });
    await mira.object.invokeOn("draw", [people.tomas.id], "there");
    expect(await tomas.heard.calls.next()).toEqual({ args: ["there"] });
    expect(mira.heard.calls.all).toEqual([]);
    mira.rt.disconnect();
    expect(await tomas.heard.people.next()).toEqual({ status: "DISCONNECTED", data: [by(mira)] });
  });

  test("ends the same for everybody, however many change it at once", async () => {
    const [mira, tomas] = await both();
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => [mira.object.set(`k${n % 3}`, `mira ${n}`), tomas.object.set(`k${n % 3}`, `tomas ${n}`)]).flat(),
    );
    await Promise.all([mira, tomas].map(({ object }) => object.send("done")));
    for (const it of [mira, tomas]) for (let n = 0; n < 2; n++) await it.heard.commands.next();
    const kept = await mira.object.get();
    for (const { heard } of [mira, tomas]) expect(Object.fromEntries(heard.changes.all.map(({ key, data }) => [key, data]))).toEqual(kept);
    const { keys, size } = await one(database.db, sql<{ keys: number; size: number }>`select keys, size::int as size from shared_objects`);
    const whole = Object.entries(kept as object).reduce((sum, [key, value]) => sum + key.length + JSON.stringify(value).length, 0);
    expect({ keys, size }).toEqual({ keys: 3, size: whole });
  });

  test("is told in the order in which it was changed, where words cross on their way", async () => {
    const mira = await sharer(people.mira);
    const author = { connectionId: "there", userId: null };
    const deed = (it: object) => line.realtime.share({ name: "canvas", by: author, ...it } as Deed);
    await mira.object.set("a", "early");
    await mira.object.set("b", "late");
    const [a, b] = (await many(database.db, sql<{ version: string }>`select version from shared_values order by key`)).map((row) =>
      Number(row.version),
    );
    deed({ what: "set", key: "b", data: "overtaken", version: a });
    await run(database.db, sql`delete from shared_values where key = 'a'`);
    deed({ what: "clear", version: a });
    await mira.heard.cleared.next();
    await mira.object.send("done");
    await mira.heard.commands.next();
    expect(mira.heard.changes.all.map(({ key, data }) => [key, data])).toEqual([
      ["a", "early"],
      ["b", "late"],
      ["b", "late"],
    ]);
    expect(b).toBeGreaterThan(a!);
  });

  test("is remembered in order while somebody listens, and no longer", () => {
    const order = new Order();
    const me = { connectionId: "c", userId: null };
    expect([order.set("o", "k", 2, me), order.set("o", "k", 1, me), order.set("o", "j", 1, me)]).toEqual([true, false, true]);
    expect([...order.clear("o", 1)!.keys()]).toEqual(["k"]);
    expect([order.clear("o", 1), order.set("o", "j", 1, me)]).toEqual([null, false]);
    order.forget("o");
    expect(order.set("o", "j", 1, me)).toBe(true);
  });
});

describe("with shared objects", () => {
  const set = (changes: object) => within((tx) => line.settings.set(tx, people.ada, changes));

  test("only those who are signed in have to do where the settings say so, and the server", async () => {
    const guest = await sharer(GUEST);
    await set({ whoShares: "members" });
    lines.forEach(({ settings }) => settings.forget());
    for (const work of [
      guest.object.get(),
      guest.object.set("x", 1),
      guest.object.clear(),
      guest.object.send("x"),
      guest.object.invoke("draw"),
    ])
      await expect(work).rejects.toMatchObject({ code: "401" });
    const mira = await sharer(people.mira);
    const server = await sharer(GUEST, { key: SERVER_KEY });
    await mira.object.set("x", 1);
    await server.heard.changes.next();
    expect(guest.heard.changes.all).toEqual([]);
    const refused = await answers(await line.socket(GUEST))
      .subscribe("RSO_CONNECT", { name: "canvas" })
      .next();
    expect(refused.error).toMatchObject({ code: 401 });
  });

  test("who is signed in no more is out, where only members may", async () => {
    await set({ whoShares: "members" });
    lines.forEach(({ settings }) => settings.forget());
    const socket = await line.socket(people.mira);
    await connected(socket);
    const answer = answers(socket);
    const mine = answer.subscribe("RSO_CONNECT", { name: "canvas" });
    expect((await mine.next()).event).toBe("SUB_READY");
    await answer.call("SET_USER_TOKEN", { userToken: null }).next();
    expect((await mine.next()).error).toMatchObject({ code: 401 });
  });

  /** Under which id everybody hears of what `who` does. */
  async function known(who: Awaited<ReturnType<typeof sharer>>, hearers: Awaited<ReturnType<typeof sharer>>[]) {
    await who.object.set("x", 1);
    await who.object.clear();
    await who.object.send("done");
    const ids = [];
    for (const { heard } of hearers) {
      const told = [await heard.changes.next(), await heard.cleared.next(), await heard.commands.next()];
      ids.push(new Set(told.map((it) => (it as Change).userId)));
    }
    return ids.map((it) => [...it]);
  }
  const blocking = (a: SignedIn, b: SignedIn) => within((tx) => block(tx, a, { personId: b.id }));

  test("guests, and those whom a block parts, learn of a connection and not of a person", async () => {
    await blocking(people.mira, people.tomas);
    const mira = await sharer(people.mira);
    const all = [
      await sharer(people.tomas),
      await sharer(GUEST),
      await sharer(people.noor),
      await sharer(GUEST, { key: SERVER_KEY }),
      mira,
    ];
    expect(await known(mira, all)).toEqual([[null], [null], [people.mira.id], [people.mira.id], [people.mira.id]]);
    const listed = all.map(
      ({ heard }) => heard.people.all[0]!.data.find(({ connectionId }) => connectionId === mira.me.connectionId)?.userId,
    );
    expect(listed).toEqual([null, null, people.mira.id, people.mira.id, people.mira.id]);
    const [tomas] = all;
    await tomas!.object.invokeOn("draw", [people.mira.id, people.noor.id], "by name");
    await tomas!.object.invokeOn("draw", [mira.me.connectionId], "by connection");
    expect(await all[2]!.heard.calls.next()).toEqual({ args: ["by name"] });
    expect(await mira.heard.calls.next()).toEqual({ args: ["by connection"] });
    await all[1]!.object.invokeOn("draw", [people.noor.id], "a guest by name");
    await all[1]!.object.send("done");
    await all[2]!.heard.commands.next();
    expect(all[2]!.heard.calls.all).toHaveLength(1);
  });

  test("nobody learns of who keeps to themselves that they are there", async () => {
    await within((tx) => updatePrivacy(tx, people.mira, people.mira.id, { showOnline: false }));
    const noor = await sharer(people.noor);
    const mira = await sharer(people.mira);
    expect(await noor.heard.people.next()).toEqual({ status: "CONNECTED", data: [{ ...by(mira), userId: null }] });
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
    ["RSO_SET", { name: "canvas", key: "x", data: JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown }],
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
  ])("what is none, or too much, is refused: %s %.60j", async (name, options) => {
    const answer = answers(await line.socket(people.mira));
    expect((await answer.call(name, options).next()).error).toMatchObject({ code: expect.stringMatching(/^4(13|22)$/), message: /\w/ });
    expect(await answer.call("RSO_GET", { name: "canvas" }).next()).toMatchObject({ result: {} });
  });

  test("there is room for so many keys, so much in one, and so many objects", async () => {
    const { object } = await sharer(people.mira);
    await run(
      database.db,
      sql`insert into shared_objects (name, keys, size, changed_at) values ('full', 1000, 10, now()), ('long', 1, 299000, now())`,
    );
    await run(database.db, sql`insert into shared_values (name, key, value, version) values ('full', 'known', '1', 1)`);
    const answer = answers(await line.socket(people.mira));
    const put = async (name: string, key: string, data: unknown) => (await answer.call("RSO_SET", { name, key, data }).next()).error?.code;
    expect([await put("full", "new", 1), await put("full", "known", 2)]).toEqual(["413", undefined]);
    expect([await put("long", "x", "y".repeat(1_000)), await put("long", "x", "y".repeat(900))]).toEqual(["413", undefined]);
    await object.set("x", 1);
    await run(database.db, sql`insert into shared_objects (name, changed_at) select 'o' || n, now() from generate_series(1, 10000) n`);
    lines = [...lines, await openLine(database)];
    const after = answers(await lines.at(-1)!.socket(people.mira));
    const late = async (name: string) => (await after.call("RSO_SET", { name, key: "y", data: 1 }).next()).error?.code;
    expect([await late("one more"), await late("canvas")]).toEqual(["413", undefined]);
  });

  test("nobody who comes is turned away for the many who wait, but who would change something is", async () => {
    const turns = new Turns();
    const { promise: open, resolve } = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 2_000 }, () => turns.run("canvas", () => open));
    expect(() => turns.assertFree("canvas")).toThrow("Too many");
    turns.assertFree("another");
    const late = turns.run("canvas", async () => "came all the same");
    resolve();
    expect([await late, (await Promise.all(waiting)).length]).toEqual(["came all the same", 2_000]);
    turns.assertFree("canvas");
  });

  test("there are so many calls in a minute", async () => {
    const socket = await line.socket(people.mira);
    await line.house.limits.take("shared-objects", { points: 3_000, seconds: 60 }, socket.session!.sessionId, 2_990);
    const answer = answers(socket);
    const codes = [];
    for (let n = 0; n < 4; n++) codes.push((await answer.call("RSO_GET", { name: "canvas" }).next()).error?.code);
    expect(codes).toEqual([undefined, undefined, "429", "429"]);
  });
});
