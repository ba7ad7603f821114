import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, openDoor, type RestDoor } from "../rest.fixture.ts";
import { inEachStore } from "../stores.fixture.ts";

await inEachStore(({ database, open, ...store }) => {
  let door: RestDoor;
  let hive: ReturnType<ReturnType<RestDoor["sdk"]>["Hive"]>;
  beforeAll(async () => {
    door = await openDoor(database, open());
    hive = door.sdk().Hive("garden");
  });
  beforeEach(async () => {
    door.forget();
    await door.set({ apiCalls: 0 });
    await hive.create();
  });
  afterAll(() => door.close());

  const at = (rest: string) => `/${APP}/${CLIENT}/hive/garden${rest}`;

  describe("a list", () => {
    const list = (key = "l") => hive.ListStore(key);
    const filled = (...values: string[]) => list().addLastValues(values);

    test("grows at both ends", async () => {
      expect(await list().addLastValue("c")).toBe(1);
      expect(await list().addFirstValues(["a", "b"])).toBe(3);
      expect(await list().addLastValues(["d", { e: [true] }])).toBe(5);
      expect(await list().addFirstValue(1.5)).toBe(6);
      expect(await list().get()).toEqual([1.5, "a", "b", "c", "d", { e: [true] }]);
      expect([await list().length(), await list("none").length(), await list("none").get()]).toEqual([6, 0, []]);
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
    ])("is read from %i to %i", async (from, to, wanted) => {
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
    ])("is read at %i", async (index, wanted) => {
      await filled("a", "b", "c");
      expect(await list().get(index)).toBe(wanted);
      expect(await list("none").get(index)).toBeNull();
    });

    test("takes a value in beside the first of another", async () => {
      await filled("b", "d", "b");
      expect(await list().insertBefore("a", "b")).toBe(4);
      expect(await list().insertAfter("c", "b")).toBe(5);
      expect(await list().insertAfter({ e: 1, f: 2 }, "d")).toBe(6);
      expect(await list().insertBefore("x", { f: 2, e: 1 })).toBe(7);
      expect(await list().get()).toEqual(["a", "b", "c", "d", "x", { e: 1, f: 2 }, "b"]);
      expect(await list().insertAfter("y", "none")).toBe(-1);
      expect([await list("none").insertBefore("y", "a"), await list("none").exist()]).toEqual([-1, false]);
    });

    test("finds room at one spot as often as it takes", async () => {
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
    ])("lets go of a value: %s of them", async (count, gone, left) => {
      await filled("a", "b", "a", "c", "a");
      expect(await list().deleteValue("a", count)).toBe(gone);
      expect([await list().get(), await list().length(), await list().deleteValue("none")]).toEqual([left, left.length, 0]);
    });

    test("gives away what is at an end, and is none without anything in it", async () => {
      await filled("a", "b", "c", "d", "e");
      expect([await list().deleteFirst(), await list().deleteLast(), await list().deleteLast(2)]).toEqual([["a"], ["e"], ["d", "c"]]);
      expect([await list().deleteFirst(9), await list().exist(), await list().deleteFirst()]).toEqual([["b"], false, []]);
    });

    test("loses nothing when fifty write at once, and keeps the order of each", async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          n % 2 ? list().addLastValues([`${n}a`, `${n}b`]) : list().addFirstValues([`${n}a`, `${n}b`]),
        ),
      );
      const all = (await list().get()) as string[];
      expect([all.length, new Set(all).size, await list().length()]).toEqual([100, 100, 100]);
      for (let n = 0; n < 50; n++) expect(all.indexOf(`${n}b`)).toBe(all.indexOf(`${n}a`) + 1);
      expect(all.slice(0, 50).every((it) => parseInt(it) % 2 === 0)).toBe(true);
      const taken = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? list().deleteFirst(2) : list().deleteLast(2))));
      expect(new Set(taken.flat()).size).toBe(100);
      expect(await list().exist()).toBe(false);
    });

    test("knows how much it holds, and when that is enough", async () => {
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

    test("goes with its key", async () => {
      await filled("a");
      await list("m").addLastValue("b");
      await list().rename("m", true);
      expect(await list("m").get()).toEqual(["a"]);
      await list("m").expireAfter(1);
      database.clock.pass(1_000);
      expect([await list("m").get(), await list("m").get(0), await list("m").addLastValue("c")]).toEqual([[], null, 1]);
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
    ])("is not asked so: %s %s", async (method, rest, body) => {
      await filled("a");
      expect((await door.call(method, at(`/list/l${rest}`), body)).status).toBe(422);
      expect(await list().get()).toEqual(["a"]);
    });
  });

  describe("a sorted set", () => {
    const set = (key = "s") => hive.SortedSetStore(key);
    const all = (key = "s") => set(key).getRangeByRank(0, -1, { withScores: true });
    const fruit = () =>
      set().add([
        [2, "b"],
        [1, "a"],
        [3, "d"],
        [3, "c"],
      ]);

    test("holds each value once, in the order of scores and then of values", async () => {
      expect(await fruit()).toBe(4);
      expect(
        await set().add([
          [0.5, { x: 1, y: 2 }],
          [-1, { y: 2, x: 1 }],
          [9, "a"],
        ]),
      ).toBe(1);
      expect(await all()).toEqual(
        [
          [-1, { x: 1, y: 2 }],
          [2, "b"],
          [3, "c"],
          [3, "d"],
          [9, "a"],
        ].map(([score, value]) => [score, typeof value === "object" ? expect.objectContaining({ x: 1, y: 2 }) : value]),
      );
      expect([await set().length(), await set("none").length()]).toEqual([5, 0]);
    });

    test.each<[object | undefined, number, number, number | null]>([
      [undefined, 1, 9, 7],
      [{ resultType: "TotalChanged" }, 2, 9, 7],
      [{ duplicateBehaviour: "OnlyUpdate" }, 0, 9, null],
      [{ duplicateBehaviour: "OnlyUpdate", resultType: "TotalChanged" }, 1, 9, null],
      [{ duplicateBehaviour: "AlwaysAdd", resultType: "TotalChanged" }, 1, 2, 7],
      [{ scoreUpdateMode: "Greater", resultType: "TotalChanged" }, 2, 9, 7],
      [{ scoreUpdateMode: "Less", resultType: "TotalChanged" }, 1, 2, 7],
      [{ scoreUpdateMode: "Less", duplicateBehaviour: "OnlyUpdate", resultType: "TotalChanged" }, 0, 2, null],
    ])("adds with %j", async (options, answer, b, fresh) => {
      await fruit();
      // The same score once more is no change.
      expect(
        await set().add(
          [
            [9, "b"],
            [7, "new"],
            [1, "a"],
          ],
          options,
        ),
      ).toBe(answer);
      expect([await set().getScore("b"), await set().getScore("new"), await set().getScore("a")]).toEqual([b, fresh, 1]);
    });

    test("counts in its scores, however many count at once", async () => {
      await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 5 ? set().incrementScore("a", 1) : set().decrementScore("a", 2))));
      expect([await set().getScore("a"), await set().length()]).toEqual([20, 1]);
      expect([await set().incrementScore("a", 0.5), await set().getScore("none"), await set("none").getScore("a")]).toEqual([
        20.5,
        null,
        null,
      ]);
      await set().add([[1e308, "large"]]);
      await expect(set().incrementScore("large", 1e308)).rejects.toMatchObject({ code: 422 });
    });

    test("knows the rank of a value from either end", async () => {
      await fruit();
      expect(await Promise.all(["a", "b", "c", "d", "none"].map((it) => set().getRank(it)))).toEqual([0, 1, 2, 3, null]);
      expect(await Promise.all(["a", "b", "c", "d"].map((it) => set().getRank(it, true)))).toEqual([3, 2, 1, 0]);
      expect(await set("none").getRank("a")).toBeNull();
    });

    test.each<[number, number, boolean, string[]]>([
      [0, 1, false, ["a", "b"]],
      [-2, -1, false, ["c", "d"]],
      [0, 1, true, ["d", "c"]],
      [-9, 9, true, ["d", "c", "b", "a"]],
      [3, 1, false, []],
      [4, 9, false, []],
    ])("is read from rank %i to %i, in reverse: %s", async (from, to, reverse, wanted) => {
      await fruit();
      expect(await set().getRangeByRank(from, to, { reverse })).toEqual(wanted);
      expect(await set("none").getRangeByRank(from, to)).toEqual([]);
    });

    test.each<[NonNullable<Parameters<ReturnType<typeof set>["countBetweenScores"]>[0]>, string[]]>([
      [{}, ["a", "b", "c", "d"]],
      [{ minScore: 2 }, ["b", "c", "d"]],
      [{ minScore: 1, maxScore: 2 }, ["a", "b"]],
      [{ minScore: 1, minBound: "Exclude", maxScore: 3, maxBound: "Exclude" }, ["b"]],
      [{ minScore: 1, minBound: "Include", maxScore: 3, maxBound: "Include" }, ["a", "b", "c", "d"]],
      [{ minScore: 9, minBound: "Infinity", maxScore: 1, maxBound: "Include" }, ["a"]],
      [{ minBound: "Infinity", maxBound: "Infinity" }, ["a", "b", "c", "d"]],
      [{ minScore: 3, maxScore: 1 }, []],
    ])("is read, counted and cut by scores: %j", async (scores, wanted) => {
      await fruit();
      expect(await set().getRangeByScore(scores)).toEqual(wanted);
      expect(await set().getRangeByScore({ ...scores, reverse: true })).toEqual(wanted.toReversed());
      expect(await set().getRangeByScore({ ...scores, offset: 1, pageSize: 2 })).toEqual(wanted.slice(1, 3));
      expect([await set().countBetweenScores(scores), await set("none").countBetweenScores(scores)]).toEqual([wanted.length, 0]);
      expect(await set().deleteValuesByScore(scores)).toBe(wanted.length);
      expect(await set().length()).toBe(4 - wanted.length);
    });

    test("gives scores with values where they are asked for", async () => {
      await fruit();
      expect(await set().getRangeByScore({ minScore: 3, withScores: true })).toEqual([
        [3, "c"],
        [3, "d"],
      ]);
      expect(await set().getRandom({ count: 9, withScores: true })).toHaveLength(4);
      expect(await set().getRandom({ count: 9 })).toEqual(expect.arrayContaining(["a", "b", "c", "d"]));
      expect([await set().getRandom(), await set("none").getRandom()]).toEqual([[expect.any(String)], []]);
    });

    test("lets go of values by what they are, by rank and from its ends", async () => {
      await fruit();
      expect([await set().deleteValue("b"), await set().deleteValues(["b", "none"])]).toEqual([1, 0]);
      expect([await set().deleteValuesByRank(-1, -1), await all()]).toEqual([
        1,
        [
          [1, "a"],
          [3, "c"],
        ],
      ]);
      await set().add([[2, "b"]]);
      expect([await set().getAndDeleteMaxScore(2), await set().getAndDeleteMinScore(), await set().exist()]).toEqual([
        [
          [3, "c"],
          [2, "b"],
        ],
        [[1, "a"]],
        false,
      ]);
      expect(await set().getAndDeleteMinScore(3)).toEqual([]);
    });

    test("gives each value away once", async () => {
      await set().add(Array.from({ length: 20 }, (_, n) => [n, n]));
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 ? set().getAndDeleteMaxScore(2) : set().getAndDeleteMinScore(2))),
      );
      expect(new Set(taken.flat().map((it) => (it as number[])[1])).size).toBe(20);
    });

    test.each<["difference" | "intersection" | "union", string[], unknown[]]>([
      ["difference", ["s", "t"], ["a", "d"]],
      ["difference", ["none", "t"], []],
      ["intersection", ["s", "t"], ["c", "b"]],
      ["intersection", ["s", "none"], []],
      ["union", ["s", "t"], ["a", "d", "e", "c", "b"]],
      ["union", [], []],
    ])("and others: %s of %j", async (how, keys, wanted) => {
      await fruit();
      await set("t").add([
        [5, "b"],
        [1, "c"],
        [3.5, "e"],
      ]);
      await hive.SetStore("t").addValue("a");
      expect(await hive.SortedSetStore[how](keys)).toEqual(wanted);
    });

    test("and others may have the largest scores there are", async () => {
      for (const key of ["s", "t"])
        await set(key).add([
          [Number.MAX_VALUE, "high"],
          [-Number.MAX_VALUE, "low"],
          [Number.MIN_VALUE, "little"],
        ]);
      expect(await hive.SortedSetStore.union(["s", "t"])).toEqual(["low", "little", "high"]);
      expect(await set().getScore("little")).toBe(Number.MIN_VALUE);
    });

    test("knows how much it holds, and when that is enough", async () => {
      await set().add([
        [1, "abc"],
        [2, "🐝"],
      ]);
      await set().add([[3, "🐝"]]);
      await set().deleteValue("abc");
      expect(await store.measure()).toEqual({ entries: 1, size: 3 });
      await store.setMeasure({ entries: 100_000 });
      await expect(set().incrementScore("new", 1)).rejects.toMatchObject({ code: 413 });
      expect(await set().incrementScore("🐝", 1)).toBe(4);
    });

    test.each<["GET" | "PUT" | "POST" | "DELETE", string, unknown?]>([
      ["PUT", "/add", []],
      ["PUT", "/add", { items: [["1", "a"]] }],
      ["PUT", "/add", { items: [[1]] }],
      ["PUT", "/add", { items: [[1, null]] }],
      ["PUT", "/add", { items: [], scoreUpdateMode: "Equal" }],
      ["PUT", "/increment", { value: "a", scoreValue: "1" }],
      ["PUT", "/get-with-max-score-and-delete?count=x", {}],
      ["POST", "/get-score", {}],
      ["POST", "/get-rank", { value: "a", reverse: 1 }],
      ["GET", "/get-range-by-rank?startRank=0"],
      ["GET", "/get-range-by-rank?startRank=0&stopRank=1.5"],
      ["GET", "/get-range-by-score?minBound=Include"],
      ["GET", "/get-range-by-score?maxScore=1&maxBound=Perhaps"],
      ["GET", "/get-range-by-score?offset=-1"],
      ["GET", "/count?maxBound=Exclude"],
      ["DELETE", "/delete-by-score?minScore=a"],
      ["DELETE", "/delete-by-rank?startRank=0"],
      ["DELETE", "/values", "a"],
    ])("is not asked so: %s %s %j", async (method, rest, body) => {
      await set().add([[1, "a"]]);
      expect((await door.call(method, at(`/sorted-set/s${rest}`), body)).status).toBe(422);
      expect(await all()).toEqual([[1, "a"]]);
    });
  });
});
