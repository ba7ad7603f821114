import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, openDoor, type RestDoor } from "../rest.fixture.ts";
import { inEachStore } from "../stores.fixture.ts";
import { cases, PATIENCE } from "../../../../test/fuzz.ts";

await inEachStore(({ database, open, ...store }) => {
  let door: RestDoor;
  let sdk: ReturnType<RestDoor["sdk"]>;
  beforeAll(async () => {
    door = await openDoor(database, open());
    sdk = door.sdk();
  });
  beforeEach(async () => {
    door.forget();
    await door.set({ apiCalls: 0 });
    await hive().create();
  });
  afterAll(() => door.close());

  const START = Date.parse("2026-05-04T09:00:00Z");
  const hive = (name = "garden") => sdk.Hive(name);
  const at = (rest: string) => `/${APP}/${CLIENT}/hive/garden${rest}`;
  const names = async () => sdk.Hive.getNames();
  const sorted = (values: unknown) => (values as unknown[]).toSorted();

  describe("hives", () => {
    test("are made, listed, renamed and taken away", async () => {
      await hive("b").create();
      await hive("b").KeyValueStore("k").set(1);
      await hive("b").rename("a");
      expect(await names()).toEqual(["a", "garden"]);
      expect(await hive("a").KeyValueStore("k").get()).toBe(1);
      await hive("a").delete();
      expect(await names()).toEqual(["garden"]);
    });

    test.each<[string, () => Promise<unknown>, number]>([
      ["a second of one name", () => hive().create(), 409],
      [
        "another's name",
        () =>
          hive("other")
            .create()
            .then(() => hive("other").rename("garden")),
        409,
      ],
      ["a name that is none", () => hive("a".repeat(251)).create(), 422],
      ["one that is not there, to rename", () => hive("none").rename("new"), 404],
      ["one that is not there, to take away", () => hive("none").delete(), 404],
      ["one that is not there, to read", () => hive("none").KeyValueStore("k").get(), 404],
      ["one that is not there, to write", () => hive("none").MapStore("m").set("a", 1), 404],
      ["one that is not there, to list", () => hive("none").SetStore.keys(), 404],
    ])("are refused: %s", async (_what, work, code) => {
      await expect(work()).rejects.toMatchObject({ code });
    });

    test("are a thousand at the most", async () => {
      await store.fillHives(999);
      await expect(hive("one more").create()).rejects.toMatchObject({ code: 413 });
    });

    test.each(["b c", "a,b", "bücher", "x%25y", "a%2Fb", "__proto__", "..%2Fetc", "*"])("and keys may be called %s", async (name) => {
      const place = `/${APP}/${CLIENT}/hive/${name}`;
      await door.call("POST", place);
      await door.call("PUT", `${place}/key-value/${name}`, { value: "kept" });
      expect((await door.call("GET", `${place}/key-value/${name}`)).body).toBe("kept");
      await door.call("PUT", `${place}/map/${name}/set/${name}`, { value: "kept" });
      expect((await door.call("GET", `${place}/map/${name}/get/${name}`)).body).toBe("kept");
    });
  });

  describe("keys", () => {
    const STORES = [
      ["key-value", () => hive().KeyValueStore, (key: string) => hive().KeyValueStore(key).set(1)],
      ["list", () => hive().ListStore, (key: string) => hive().ListStore(key).addLastValue(1)],
      ["map", () => hive().MapStore, (key: string) => hive().MapStore(key).set("f", 1)],
      ["set", () => hive().SetStore, (key: string) => hive().SetStore(key).addValue(1)],
      [
        "sorted-set",
        () => hive().SortedSetStore,
        (key: string) =>
          hive()
            .SortedSetStore(key)
            .add([[1, "a"]]),
      ],
    ] as const;

    describe.each(STORES)("of %s", (_kind, shelf, write) => {
      test("are listed by the page and by pattern", async () => {
        for (const key of ["bean 1", "bean 2", "pea", "bean 3"]) await write(key);
        const first = await shelf().keys({ filterPattern: "bean*", pageSize: 2 });
        expect(first.keys).toEqual(["bean 1", "bean 2"]);
        expect(await shelf().keys({ filterPattern: "bean*", pageSize: 2, cursor: Number(first.cursorId) })).toEqual({
          keys: ["bean 3"],
          cursorId: "0",
        });
        expect((await shelf().keys()).keys).toEqual(["bean 1", "bean 2", "pea", "bean 3"]);
      });

      test("are there, and taken away", async () => {
        await write("a");
        await write("b");
        expect(await shelf().exist(["a", "b", "c"])).toBe(2);
        expect(await shelf()("a").exist()).toBe(true);
        expect(await shelf()("a").delete()).toBe(1);
        expect(await shelf().delete(["a", "b", "c"])).toBe(1);
        expect(await shelf()("b").exist()).toBe(false);
      });

      test("are renamed, and written over only when that is said", async () => {
        await write("a");
        await write("b");
        expect(await shelf()("a").rename("b")).toBe(false);
        expect(await shelf()("a").rename("b", true)).toBe(true);
        expect(await shelf()("b").rename("c")).toBe(true);
        expect((await shelf().keys()).keys).toEqual(["c"]);
        await expect(shelf()("a").rename("d")).rejects.toMatchObject({ code: 404 });
      });

      test.each<[string, (key: string) => Promise<unknown>, number]>([
        ["after seconds", (key) => shelf()(key).expireAfter(5), 5],
        ["at a moment in seconds", (key) => shelf()(key).expireAt(START / 1_000 + 7), 7],
        ["at a moment in milliseconds", (key) => shelf()(key).expireAt(START + 9_000), 9],
      ])("end %s", async (_when, end, seconds) => {
        await write("a");
        expect(await shelf()("a").getExpiration()).toBe(-1);
        await end("a");
        expect(await shelf()("a").getExpiration()).toBe(seconds);
        database.clock.pass(seconds * 1_000 - 1);
        expect(await shelf()("a").exist()).toBe(true);
        database.clock.pass(1);
        expect(await shelf()("a").exist()).toBe(false);
        expect((await shelf().keys()).keys).toEqual([]);
        expect(await shelf().delete(["a"])).toBe(0);
        await expect(shelf()("a").getExpiration()).rejects.toMatchObject({ code: 404 });
      });

      test("begin anew once they have ended", async () => {
        await write("a");
        await shelf()("a").expireAfter(1);
        database.clock.pass(1_000);
        await write("a");
        expect(await shelf()("a").getExpiration()).toBe(-1);
        await shelf()("a").expireAfter(1);
        await shelf()("a").clearExpiration();
        database.clock.pass(60_000);
        await store.clear("hives");
        expect(await shelf()("a").exist()).toBe(true);
      });

      test("know when they were changed last", async () => {
        await write("a");
        database.clock.pass(61_500);
        expect(await shelf()("a").secondsSinceLastOperation()).toBe(61);
        await shelf()("a").touch();
        expect(await shelf()("a").secondsSinceLastOperation()).toBe(0);
      });
    });

    test("that have ended leave nothing behind", async () => {
      await hive().MapStore("m").set("f", 1);
      await hive().MapStore("m").expireAfter(1);
      database.clock.pass(1_000);
      await store.clear("hives");
      expect(await store.left()).toEqual({ keys: 0, entries: 0 });
    });

    test("go with their hive, and leave nothing behind", async () => {
      await hive("b").create();
      for (let n = 0; n < 3; n++) await hive("b").MapStore(`m${n}`).set({ f: 1, g: 2 });
      await hive("b").ListStore("l").addLastValues([1, 2]);
      await hive("b").KeyValueStore("k").set(1, { ttl: 60 });
      await hive().SetStore("stays").addValue(1);
      await hive("b").delete();
      expect(await store.left()).toEqual({ keys: 1, entries: 1 });
    });

    test("are a hundred thousand at the most; those there are can be written", async () => {
      await store.fillKeys(100_000);
      const full = await openDoor(database, open());
      const { KeyValueStore, SetStore } = full.sdk().Hive("garden");
      await expect(KeyValueStore("one more").set(1)).rejects.toMatchObject({ code: 413 });
      await expect(SetStore("one more").addValue(1)).rejects.toMatchObject({ code: 413 });
      expect(await KeyValueStore("k7").increment(1)).toBe(2);
      await full.close();
    });
  });

  describe("a key with a value", () => {
    const value = (key = "k") => hive().KeyValueStore(key);
    test.each([["a text"], [""], [0], [1.5], [true], [false], [[1, [null]]], [{ b: 1, a: { c: null } }]])(
      "gives it back: %j",
      async (given) => {
        // The published types know of no null within a value.
        expect(await value().set(given as string)).toBe(true);
        expect(await value().get()).toEqual(given);
      },
    );

    test("is one of many", async () => {
      await hive().KeyValueStore.set({ a: 1, b: [2], "c d": "3" });
      expect(await hive().KeyValueStore.get(["a", "c d", "none"])).toEqual({ a: 1, "c d": "3" });
      expect(await value("none").get()).toBeNull();
    });

    test("is set on a condition, for a while", async () => {
      expect(await value().set(1, { condition: "IfExists" })).toBe(false);
      expect(await value().set(2, { condition: "IfNotExists", ttl: 5 })).toBe(true);
      expect(await value().set(3, { condition: "IfNotExists" })).toBe(false);
      expect(await value().get()).toBe(2);
      expect(await value().set(4, { condition: "IfExists", expireAt: START / 1_000 + 3 })).toBe(true);
      database.clock.pass(3_000);
      expect(await value().get()).toBeNull();
      expect(await value().set(5, { condition: "IfExists" })).toBe(false);
      expect(await value().set(6, { condition: "IfNotExists" })).toBe(true);
      expect(await value().getExpiration()).toBe(-1);
    });

    test("counts, however many count at once", async () => {
      await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 4 === 0 ? value().decrement(1) : value().increment(1))));
      expect(await value().get()).toBe(50);
      expect(await value().increment(0.5)).toBe(50.5);
      expect(await value().decrement(1e21)).toBe(-1e21);
    });

    test("that is no number does not count", async () => {
      await value().set("1");
      await expect(value().increment(1)).rejects.toMatchObject({ code: 422 });
      await value("large").set(1e308);
      await expect(value("large").increment(1e308)).rejects.toMatchObject({ code: 422 });
    });

    test("is set once by many who set it if there is none", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => value().set(n, { condition: "IfNotExists" })));
      expect(answers.filter(Boolean)).toHaveLength(1);
    });

    test.each([
      [{}],
      [{ value: null }],
      ["x"],
      [[]],
      [{ value: 1, ttl: "1" }],
      [{ value: 1, ttl: -1e15 }],
      [{ value: 1, condition: "Perhaps" }],
    ])("is not %j", async (body) => {
      expect((await door.call("PUT", at("/key-value/k"), body)).status).toBe(422);
    });
  });

  describe("a map", () => {
    const map = (key = "m") => hive().MapStore(key);
    test("holds values by their names", async () => {
      expect(await map().set({ b: 1, a: { c: [2] } })).toBe(2);
      expect(await map().set({ b: 2, d: "x" })).toBe(1);
      expect(await map().get()).toEqual({ a: { c: [2] }, b: 2, d: "x" });
      expect(await map().get(["b", "none"])).toEqual({ b: 2 });
      expect([await map().getValue("d"), await map().getValue("none")]).toEqual(["x", null]);
      expect([await map().keyExists("d"), await map().keyExists("none")]).toEqual([true, false]);
      expect([await map().length(), await map().keys(), await map().values()]).toEqual([3, ["a", "b", "d"], [{ c: [2] }, 2, "x"]]);
    });

    test("is written field by field", async () => {
      expect([await map().set("a", 1), await map().set("a", 2)]).toEqual([true, false]);
      expect([await map().setWithOverwrite("a", 3, false), await map().getValue("a")]).toEqual([false, 2]);
      expect([await map().setWithOverwrite("a", 4, true), await map().getValue("a")]).toEqual([true, 4]);
      expect(await map().setWithOverwrite("b", 1, false)).toBe(true);
      expect(await map().deleteKeys(["a", "none"])).toBe(1);
      expect(await map().deleteKeys("b")).toBe(1);
      expect([await map().exist(), await map().length(), await map().get()]).toEqual([false, 0, {}]);
    });

    test("counts, however many count at once", async () => {
      await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? map().decrement("n", 2) : map().increment("n"))));
      expect(await map().getValue("n")).toBe(0);
      await map().set("text", "1");
      await expect(map().increment("text")).rejects.toMatchObject({ code: 422 });
      expect([await map().length(), await map().deleteKeys("none")]).toEqual([2, 0]);
    });

    test("knows how much it holds, and when that is enough", async () => {
      await map().set({ a: "x".repeat(900_000) });
      const { size } = await store.measure();
      await store.setMeasure({ size: size + 18_500_000 });
      await expect(map().set("b", "x".repeat(700_000))).rejects.toMatchObject({ code: 413 });
      await map().set("a", "x".repeat(10));
      expect(await store.measure()).toEqual({ entries: 1, size: 18_500_012 });
      for (const bee of ["🐝", "🐝🐝", "🐝"]) await map().set("a", bee);
      expect(await store.measure()).toEqual({ entries: 1, size: 18_500_003 });
      await store.setMeasure({ entries: 100_000, size: 0 });
      await expect(map().set("b", 1)).rejects.toMatchObject({ code: 413 });
      expect(await map().get()).toEqual({ a: "🐝" });
    });
  });

  describe("a set", () => {
    const set = (key = "s") => hive().SetStore(key);
    test("holds each value once", async () => {
      expect(await set().addValues([1, "1", { a: 1, b: 2 }, [1], true])).toBe(5);
      expect(await set().addValues([{ b: 2, a: 1 }, 1, 2])).toBe(1);
      expect(await set().length()).toBe(6);
      expect(await set().isValuesMembers([{ b: 2, a: 1 }, "2", 2])).toEqual([true, false, true]);
      expect(await set().isValueMember("none")).toEqual([false]);
      expect([await set().deleteValue("1"), await set().deleteValues([1, 2, 3])]).toEqual([1, 2]);
      expect(((await set().get()) as unknown[]).length).toBe(3);
    });

    test("is there as long as it holds something", async () => {
      await set().addValue("a");
      await set().deleteValue("a");
      expect([await set().exist(), await set().get(), await set().length()]).toEqual([false, [], 0]);
    });

    test("gives some by chance, and each away once", async () => {
      await set().addValues([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await set().getRandom()).toHaveLength(1);
      expect(new Set((await set().getRandom(4)) as unknown[]).size).toBe(4);
      const taken = await Promise.all(Array.from({ length: 6 }, () => set().getRandomAndDelete(2)));
      expect(taken.flat().toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect([await set().exist(), await set().getRandom(3)]).toEqual([false, []]);
    });

    test.each<["difference" | "intersection" | "union", string[], unknown[]]>([
      ["difference", ["a", "b"], ["1", "2"]],
      ["difference", ["a", "b", "c"], ["1"]],
      ["difference", ["b", "a"], ["4"]],
      ["difference", ["none", "a"], []],
      ["intersection", ["a", "b"], ["3"]],
      ["intersection", ["a", "a"], ["1", "2", "3"]],
      ["intersection", ["a", "none"], []],
      ["union", ["a", "c"], ["1", "2", "3"]],
      ["union", ["b", "none"], ["3", "4"]],
      ["union", [], []],
    ])("and others: %s of %j", async (how, keys, wanted) => {
      await set("a").addValues(["1", "2", "3"]);
      await set("b").addValues(["3", "4"]);
      await set("c").addValues(["2"]);
      expect(sorted(await hive().SetStore[how](keys))).toEqual(wanted);
    });
  });

  test(
    "whatever is asked for is answered or refused",
    async () => {
      const part = fc.oneof(
        fc.constantFrom(
          "key-value",
          "list",
          "map",
          "set",
          "sorted-set",
          "get-rank",
          "get-range-by-score",
          "get-range-by-rank",
          "delete-by-score",
          "k",
          "-1",
          "add-first",
          "insert-after",
          "delete-value",
          "get-last-and-delete",
          "keys",
          "action",
          "exist",
          "rename",
          "increment",
          "get",
          "add",
          "values",
          "random",
          "expire",
        ),
        fc.string({ maxLength: 20 }).map(encodeURIComponent),
        fc.constantFrom("..", "%2e%2e%2f", "%", "%ff", "%00"),
      );
      const value = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom("0", "-1", "1e999", "true"));
      const call = fc.record({
        method: fc.constantFrom("GET", "PUT", "POST", "DELETE"),
        parts: fc.array(part, { maxLength: 4 }),
        query: fc.record(
          {
            count: value,
            value,
            ttl: value,
            unixTime: value,
            cursor: value,
            pageSize: value,
            newKey: value,
            from: value,
            to: value,
            minScore: value,
            maxScore: value,
            startRank: value,
            stopRank: value,
            offset: value,
          },
          { requiredKeys: [] },
        ),
        body: fc.oneof(
          fc.jsonValue(),
          fc.array(fc.string(), { maxLength: 3 }),
          fc.record({ value: fc.jsonValue(), valueToInsert: fc.jsonValue(), anchorValue: fc.jsonValue() }),
        ),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 8, maxLength: 8 }), async (calls) => {
          const answers = calls.map(({ method, parts, query, body }) =>
            door.call(method, `${at(`/${parts.join("/")}`)}?${new URLSearchParams(query)}`, method === "GET" ? undefined : body),
          );
          for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
        }),
        { numRuns: cases(25, 20) },
      );
    },
    PATIENCE,
  );
});
