import { describe, expect, test } from "vitest";
import { describeEachHive } from "../../../../test/support/rest/hives.ts";

await describeEachHive(({ database, hive, call, at, ...store }) => {
  const START = Date.parse("2026-05-04T09:00:00Z");
  const sorted = (values: unknown) => (values as unknown[]).toSorted();

  describe("hive key-value store", () => {
    const value = (key = "k") => hive().KeyValueStore(key);
    test.each([["a text"], [""], [0], [1.5], [true], [false], [[1, [null]]], [{ b: 1, a: { c: null } }]])(
      "returns the value unchanged: %j",
      async (input) => {
        // The published types exclude null inside a value.
        expect(await value().set(input as string)).toBe(true);
        expect(await value().get()).toEqual(input);
      },
    );

    test("reads and writes many keys at once", async () => {
      await hive().KeyValueStore.set({ a: 1, b: [2], "c d": "3" });
      expect(await hive().KeyValueStore.get(["a", "c d", "none"])).toEqual({ a: 1, "c d": "3" });
      expect(await value("none").get()).toBeNull();
    });

    test("reads as many keys as an answer can hold", async () => {
      const keys = Array.from({ length: 21 }, (_, n) => `k${n}`);
      for (const key of keys) await value(key).set("x".repeat(980_000));
      expect(Object.keys(await hive().KeyValueStore.get(keys.slice(0, 20)))).toHaveLength(20);
      await expect(hive().KeyValueStore.get(keys)).rejects.toMatchObject({ code: 413 });
    });

    test("sets a value under a condition, with an expiry", async () => {
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

    test("increments without loss under concurrency", async () => {
      await Promise.all(
        Array.from({ length: 100 }, (_, n) => (n % 4 === 0 ? value().decrement(1) : value().increment(1))),
      );
      expect(await value().get()).toBe(50);
      expect(await value().increment(0.5)).toBe(50.5);
      expect(await value().decrement(1e21)).toBe(-1e21);
    });

    test("cannot be incremented when it is not a number", async () => {
      await value().set("1");
      await expect(value().increment(1)).rejects.toMatchObject({ code: 422 });
      await value("large").set(1e308);
      await expect(value("large").increment(1e308)).rejects.toMatchObject({ code: 422 });
    });

    test("accepts only one of many concurrent set-if-absent calls", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => value().set(n, { condition: "IfNotExists" })),
      );
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
    ])("refuses %j", async (body) => {
      expect((await call("PUT", at("/key-value/k"), body)).status).toBe(422);
    });
  });

  describe("hive map", () => {
    const map = (key = "m") => hive().MapStore(key);
    test("contains values by name", async () => {
      expect(await map().set({ b: 1, a: { c: [2] } })).toBe(2);
      expect(await map().set({ b: 2, d: "x" })).toBe(1);
      expect(await map().get()).toEqual({ a: { c: [2] }, b: 2, d: "x" });
      expect(await map().get(["b", "none"])).toEqual({ b: 2 });
      expect([await map().getValue("d"), await map().getValue("none")]).toEqual(["x", null]);
      expect([await map().keyExists("d"), await map().keyExists("none")]).toEqual([true, false]);
      expect([await map().length(), await map().keys(), await map().values()]).toEqual([
        3,
        ["a", "b", "d"],
        [{ c: [2] }, 2, "x"],
      ]);
    });

    test("sets and deletes single fields", async () => {
      expect([await map().set("a", 1), await map().set("a", 2)]).toEqual([true, false]);
      expect([await map().setWithOverwrite("a", 3, false), await map().getValue("a")]).toEqual([false, 2]);
      expect([await map().setWithOverwrite("a", 4, true), await map().getValue("a")]).toEqual([true, 4]);
      expect(await map().setWithOverwrite("b", 1, false)).toBe(true);
      expect(await map().deleteKeys(["a", "none"])).toBe(1);
      expect(await map().deleteKeys("b")).toBe(1);
      expect([await map().exist(), await map().length(), await map().get()]).toEqual([false, 0, {}]);
    });

    test("increments without loss under concurrency", async () => {
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? map().decrement("n", 2) : map().increment("n"))),
      );
      expect(await map().getValue("n")).toBe(0);
      await map().set("text", "1");
      await expect(map().increment("text")).rejects.toMatchObject({ code: 422 });
      expect([await map().length(), await map().deleteKeys("none")]).toEqual([2, 0]);
    });

    test("returns its size and refuses to exceed the maximum", async () => {
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

  describe("hive set", () => {
    const set = (key = "s") => hive().SetStore(key);
    test("contains each value once", async () => {
      expect(await set().addValues([1, "1", { a: 1, b: 2 }, [1], true])).toBe(5);
      expect(await set().addValues([{ b: 2, a: 1 }, 1, 2])).toBe(1);
      expect(await set().length()).toBe(6);
      expect(await set().isValuesMembers([{ b: 2, a: 1 }, "2", 2])).toEqual([true, false, true]);
      expect(await set().isValueMember("none")).toEqual([false]);
      expect([await set().deleteValue("1"), await set().deleteValues([1, 2, 3])]).toEqual([1, 2]);
      expect(((await set().get()) as unknown[]).length).toBe(3);
    });

    test("exists as long as it contains a value", async () => {
      await set().addValue("a");
      await set().deleteValue("a");
      expect([await set().exist(), await set().get(), await set().length()]).toEqual([false, [], 0]);
    });

    test("returns random values, and can remove them atomically", async () => {
      await set().addValues([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(await set().getRandom()).toHaveLength(1);
      expect(new Set((await set().getRandom(4)) as unknown[]).size).toBe(4);
      const removed = await Promise.all(Array.from({ length: 6 }, () => set().getRandomAndDelete(2)));
      expect(removed.flat().toSorted((a, b) => Number(a) - Number(b))).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ]);
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
    ])("can be combined with other sets: %s of %j", async (how, keys, wanted) => {
      await set("a").addValues(["1", "2", "3"]);
      await set("b").addValues(["3", "4"]);
      await set("c").addValues(["2"]);
      expect(sorted(await hive().SetStore[how](keys))).toEqual(wanted);
    });
  });
});
