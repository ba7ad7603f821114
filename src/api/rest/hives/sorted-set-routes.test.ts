import { describe, expect, test } from "vitest";
import { describeEachHive } from "../../../../test/support/rest/hives.ts";

await describeEachHive(({ hive, call, at, ...store }) => {
  describe("hive sorted set", () => {
    const set = (key = "s") => hive().SortedSetStore(key);
    const all = (key = "s") => set(key).getRangeByRank(0, -1, { withScores: true });
    const fruit = () =>
      set().add([
        [2, "b"],
        [1, "a"],
        [3, "d"],
        [3, "c"],
      ]);

    test("contains each value once, ordered by score and then by value", async () => {
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
        ].map(([score, value]) => [
          score,
          typeof value === "object" ? expect.objectContaining({ x: 1, y: 2 }) : value,
        ]),
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
    ])("adds values with %j", async (options, answer, b, fresh) => {
      await fruit();
      // An equal score is no change.
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
      expect([await set().getScore("b"), await set().getScore("new"), await set().getScore("a")]).toEqual([
        b,
        fresh,
        1,
      ]);
    });

    test("increments scores without loss under concurrency", async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          n % 5 ? set().incrementScore("a", 1) : set().decrementScore("a", 2),
        ),
      );
      expect([await set().getScore("a"), await set().length()]).toEqual([20, 1]);
      expect([
        await set().incrementScore("a", 0.5),
        await set().getScore("none"),
        await set("none").getScore("a"),
      ]).toEqual([20.5, null, null]);
      await set().add([[1e308, "large"]]);
      await expect(set().incrementScore("large", 1e308)).rejects.toMatchObject({ code: 422 });
    });

    test("returns the rank of a value from either end", async () => {
      await fruit();
      expect(await Promise.all(["a", "b", "c", "d", "none"].map((it) => set().getRank(it)))).toEqual([
        0,
        1,
        2,
        3,
        null,
      ]);
      expect(await Promise.all(["a", "b", "c", "d"].map((it) => set().getRank(it, true)))).toEqual([
        3, 2, 1, 0,
      ]);
      expect(await set("none").getRank("a")).toBeNull();
    });

    test.each<[number, number, boolean, string[]]>([
      [0, 1, false, ["a", "b"]],
      [-2, -1, false, ["c", "d"]],
      [0, 1, true, ["d", "c"]],
      [-9, 9, true, ["d", "c", "b", "a"]],
      [3, 1, false, []],
      [4, 9, false, []],
    ])("returns ranks %i to %i, in reverse: %s", async (from, to, reverse, wanted) => {
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
    ])("reads, counts and deletes by score: %j", async (scores, wanted) => {
      await fruit();
      expect(await set().getRangeByScore(scores)).toEqual(wanted);
      expect(await set().getRangeByScore({ ...scores, reverse: true })).toEqual(wanted.toReversed());
      expect(await set().getRangeByScore({ ...scores, offset: 1, pageSize: 2 })).toEqual(wanted.slice(1, 3));
      expect([await set().countBetweenScores(scores), await set("none").countBetweenScores(scores)]).toEqual([
        wanted.length,
        0,
      ]);
      expect(await set().deleteValuesByScore(scores)).toBe(wanted.length);
      expect(await set().length()).toBe(4 - wanted.length);
    });

    test("returns scores with the values on request", async () => {
      await fruit();
      expect(await set().getRangeByScore({ minScore: 3, withScores: true })).toEqual([
        [3, "c"],
        [3, "d"],
      ]);
      expect(await set().getRandom({ count: 9, withScores: true })).toHaveLength(4);
      expect(await set().getRandom({ count: 9 })).toEqual(expect.arrayContaining(["a", "b", "c", "d"]));
      expect([await set().getRandom(), await set("none").getRandom()]).toEqual([[expect.any(String)], []]);
    });

    test("deletes values by value, by rank and from both ends", async () => {
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
      expect([
        await set().getAndDeleteMaxScore(2),
        await set().getAndDeleteMinScore(),
        await set().exist(),
      ]).toEqual([
        [
          [3, "c"],
          [2, "b"],
        ],
        [[1, "a"]],
        false,
      ]);
      expect(await set().getAndDeleteMinScore(3)).toEqual([]);
    });

    test("returns each value to only one of several concurrent removals", async () => {
      await set().add(Array.from({ length: 20 }, (_, n) => [n, n]));
      const removed = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          n % 2 ? set().getAndDeleteMaxScore(2) : set().getAndDeleteMinScore(2),
        ),
      );
      expect(new Set(removed.flat().map((it) => (it as number[])[1])).size).toBe(20);
    });

    test.each<["difference" | "intersection" | "union", string[], unknown[]]>([
      ["difference", ["s", "t"], ["a", "d"]],
      ["difference", ["none", "t"], []],
      ["intersection", ["s", "t"], ["c", "b"]],
      ["intersection", ["s", "none"], []],
      ["union", ["s", "t"], ["a", "d", "e", "c", "b"]],
      ["union", [], []],
    ])("can be combined with other sets: %s of %j", async (how, keys, wanted) => {
      await fruit();
      await set("t").add([
        [5, "b"],
        [1, "c"],
        [3.5, "e"],
      ]);
      await hive().SetStore("t").addValue("a");
      expect(await hive().SortedSetStore[how](keys)).toEqual(wanted);
    });

    test("keeps the largest and smallest scores exact in a union", async () => {
      for (const key of ["s", "t"])
        await set(key).add([
          [Number.MAX_VALUE, "high"],
          [-Number.MAX_VALUE, "low"],
          [Number.MIN_VALUE, "little"],
        ]);
      expect(await hive().SortedSetStore.union(["s", "t"])).toEqual(["low", "little", "high"]);
      expect(await set().getScore("little")).toBe(Number.MIN_VALUE);
    });

    test("returns its size and refuses to exceed the maximum", async () => {
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
    ])("refuses %s %s %j", async (method, rest, body) => {
      await set().add([[1, "a"]]);
      expect((await call(method, at(`/sorted-set/s${rest}`), body)).status).toBe(422);
      expect(await all()).toEqual([[1, "a"]]);
    });
  });
});
