import { describe, expect, test } from "vitest";
import { describeEachHive } from "../../../../test/support/rest/hives.ts";

await describeEachHive(({ database, hive, call, at, ...store }) => {
  describe("hive list", () => {
    const list = (key = "l") => hive().ListStore(key);
    const filled = (...values: string[]) => list().addLastValues(values);

    test("can be extended at both ends", async () => {
      expect(await list().addLastValue("c")).toBe(1);
      expect(await list().addFirstValues(["a", "b"])).toBe(3);
      expect(await list().addLastValues(["d", { e: [true] }])).toBe(5);
      expect(await list().addFirstValue(1.5)).toBe(6);
      expect(await list().get()).toEqual([1.5, "a", "b", "c", "d", { e: [true] }]);
      expect([await list().length(), await list("none").length(), await list("none").get()]).toEqual([
        6,
        0,
        [],
      ]);
    });

    test.each<[number, number, string[]]>([
      [0, 1, ["a", "b"]],
      [1, 2, ["b", "c"]],
      [-2, -1, ["c", "d"]],
      [0, -1, ["a", "b", "c", "d"]],
      [-100, 100, ["a", "b", "c", "d"]],
      [-3, 1, ["b"]],
      [2, 1, []],
      [4, 9, []],
      [0, -5, []],
    ])("returns the range from %i to %i", async (from, to, wanted) => {
      await filled("a", "b", "c", "d");
      expect(await list().get(from, to)).toEqual(wanted);
    });

    test.each<[number, string | null]>([
      [0, "a"],
      [2, "c"],
      [3, null],
      [-1, "c"],
      [-3, "a"],
      [-4, null],
    ])("returns the value at %i", async (index, wanted) => {
      await filled("a", "b", "c");
      expect(await list().get(index)).toBe(wanted);
      expect(await list("none").get(index)).toBeNull();
    });

    test("inserts a value before or after the first occurrence of another value", async () => {
      await filled("b", "d", "b");
      expect(await list().insertBefore("a", "b")).toBe(4);
      expect(await list().insertAfter("c", "b")).toBe(5);
      expect(await list().insertAfter({ e: 1, f: 2 }, "d")).toBe(6);
      expect(await list().insertBefore("x", { f: 2, e: 1 })).toBe(7);
      expect(await list().get()).toEqual(["a", "b", "c", "d", "x", { e: 1, f: 2 }, "b"]);
      expect(await list().insertAfter("y", "none")).toBe(-1);
      expect([await list("none").insertBefore("y", "a"), await list("none").exist()]).toEqual([-1, false]);
    });

    test("accepts many inserts at the same position", async () => {
      await filled("first", "last");
      for (let n = 0; n < 45; n++) await list().insertAfter(n, "first");
      expect(await list().get()).toEqual(["first", ...Array.from({ length: 45 }, (_, n) => 44 - n), "last"]);
      for (let n = 45; n < 90; n++) await list().insertBefore(n, "last");
      expect(await list().get()).toEqual([
        "first",
        ...Array.from({ length: 45 }, (_, n) => 44 - n),
        ...Array.from({ length: 45 }, (_, n) => 45 + n),
        "last",
      ]);
      expect([await list().addFirstValue("x"), await list().addLastValue("y")]).toEqual([93, 94]);
    });

    test.each<[number | undefined, number, string[]]>([
      [undefined, 3, ["b", "c"]],
      [0, 3, ["b", "c"]],
      [2, 2, ["b", "c", "a"]],
      [-2, 2, ["a", "b", "c"]],
      [9, 3, ["b", "c"]],
    ])("deletes occurrences of a value: %s", async (count, gone, left) => {
      await filled("a", "b", "a", "c", "a");
      expect(await list().deleteValue("a", count)).toBe(gone);
      expect([await list().get(), await list().length(), await list().deleteValue("none")]).toEqual([
        left,
        left.length,
        0,
      ]);
    });

    test("removes and returns values from both ends, and is deleted when empty", async () => {
      await filled("a", "b", "c", "d", "e");
      expect([await list().deleteFirst(), await list().deleteLast(), await list().deleteLast(2)]).toEqual([
        ["a"],
        ["e"],
        ["d", "c"],
      ]);
      expect([await list().deleteFirst(9), await list().exist(), await list().deleteFirst()]).toEqual([
        ["b"],
        false,
        [],
      ]);
    });

    test("preserves every value and each writer's order under fifty concurrent writes", async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          n % 2 ? list().addLastValues([`${n}a`, `${n}b`]) : list().addFirstValues([`${n}a`, `${n}b`]),
        ),
      );
      const all = (await list().get()) as string[];
      expect([all.length, new Set(all).size, await list().length()]).toEqual([100, 100, 100]);
      for (let n = 0; n < 50; n++) expect(all.indexOf(`${n}b`)).toBe(all.indexOf(`${n}a`) + 1);
      expect(all.slice(0, 50).every((it) => parseInt(it) % 2 === 0)).toBe(true);
      const removed = await Promise.all(
        Array.from({ length: 50 }, (_, n) => (n % 2 ? list().deleteFirst(2) : list().deleteLast(2))),
      );
      expect(new Set(removed.flat()).size).toBe(100);
      expect(await list().exist()).toBe(false);
    });

    test("returns its length and refuses to exceed the maximum", async () => {
      await filled("abc", "✿🐝");
      expect(await store.measure()).toEqual({ entries: 2, size: 10 });
      await store.setMeasure({ entries: 100_000 });
      await expect(list().addFirstValue(1)).rejects.toMatchObject({ code: 413 });
      await expect(list().insertAfter(1, "abc")).rejects.toMatchObject({ code: 413 });
      await store.setMeasure({ entries: 2, size: 20_000_000 });
      await expect(list().addLastValue("x")).rejects.toMatchObject({ code: 413 });
      await store.setMeasure({ size: 10 });
      expect([await list().deleteFirst(), await list().deleteValue("✿🐝")]).toEqual([["abc"], 1]);
      expect(await store.left()).toEqual({ keys: 0, entries: 0 });
    });

    test("gets renamed, expires and is deleted with its key", async () => {
      await filled("a");
      await list("m").addLastValue("b");
      await list().rename("m", true);
      expect(await list("m").get()).toEqual(["a"]);
      await list("m").expireAfter(1);
      database.clock.pass(1_000);
      expect([await list("m").get(), await list("m").get(0), await list("m").addLastValue("c")]).toEqual([
        [],
        null,
        1,
      ]);
      await list("m").delete();
      expect(await store.left()).toEqual({ keys: 0, entries: 0 });
    });

    test.each<["GET" | "PUT", string, unknown?]>([
      ["GET", "/one"],
      ["GET", "/1.5"],
      ["GET", "/1e99"],
      ["GET", "?from=a&to=1"],
      ["GET", "?from=0&to=0.5"],
      ["GET", "?from=0&from=1"],
      ["PUT", "/add-last", "x"],
      ["PUT", "/add-last", [null]],
      ["PUT", "/add-first", Array.from({ length: 10_001 }, () => 1)],
      ["PUT", "/insert-before", { valueToInsert: 1 }],
      ["PUT", "/insert-after", { valueToInsert: null, anchorValue: 1 }],
      ["PUT", "/delete-value", { value: 1, count: 1.5 }],
      ["PUT", "/delete-value", {}],
      ["PUT", "/get-first-and-delete?count=-1", {}],
      ["PUT", "/get-last-and-delete?count=10001", {}],
    ])("refuses %s %s", async (method, rest, body) => {
      await filled("a");
      expect((await call(method, at(`/list/l${rest}`), body)).status).toBe(422);
      expect(await list().get()).toEqual(["a"]);
    });
  });
});
