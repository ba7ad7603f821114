import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { APP, CLIENT, startTestApi } from "../../../../test/support/rest/rest-server.ts";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import { describeEachHive } from "../../../../test/support/rest/hives.ts";

await describeEachHive(({ database, open, hive, names, call, at, ...store }) => {
  const START = Date.parse("2026-05-04T09:00:00Z");
  describe("hives", () => {
    test("can be created, listed, renamed and deleted", async () => {
      await hive("b").create();
      await hive("b").KeyValueStore("k").set(1);
      await hive("b").rename("a");
      expect(await names()).toEqual(["a", "garden"]);
      expect(await hive("a").KeyValueStore("k").get()).toBe(1);
      await hive("a").delete();
      expect(await names()).toEqual(["garden"]);
    });

    test.each<[string, () => Promise<unknown>, number]>([
      ["a second hive with the same name", () => hive().create(), 409],
      [
        "a rename to a name that is taken",
        () =>
          hive("other")
            .create()
            .then(() => hive("other").rename("garden")),
        409,
      ],
      ["an invalid name", () => hive("a".repeat(251)).create(), 422],
      ["to rename a missing hive", () => hive("none").rename("new"), 404],
      ["to delete a missing hive", () => hive("none").delete(), 404],
      ["to read from a missing hive", () => hive("none").KeyValueStore("k").get(), 404],
      ["to write to a missing hive", () => hive("none").MapStore("m").set("a", 1), 404],
      ["to list the keys of a missing hive", () => hive("none").SetStore.keys(), 404],
    ])("refuse %s", async (_what, work, code) => {
      await expect(work()).rejects.toMatchObject({ code });
    });

    test("have a limit of a thousand", async () => {
      await store.fillHives(999);
      await expect(hive("one more").create()).rejects.toMatchObject({ code: 413 });
    });

    test.each(["b c", "a,b", "bücher", "x%25y", "a%2Fb", "__proto__", "..%2Fetc", "*"])(
      "may have names and keys such as %s",
      async (name) => {
        const place = `/${APP}/${CLIENT}/hive/${name}`;
        await call("POST", place);
        await call("PUT", `${place}/key-value/${name}`, { value: "kept" });
        expect((await call("GET", `${place}/key-value/${name}`)).body).toBe("kept");
        await call("PUT", `${place}/map/${name}/set/${name}`, { value: "kept" });
        expect((await call("GET", `${place}/map/${name}/get/${name}`)).body).toBe("kept");
      },
    );
  });

  describe("hive keys of every store", () => {
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

    describe.each(STORES)("hive keys of %s", (_kind, openStore, write) => {
      test("can be listed by page and by pattern", async () => {
        for (const key of ["bean 1", "bean 2", "pea", "bean 3"]) await write(key);
        const first = await openStore().keys({ filterPattern: "bean*", pageSize: 2 });
        expect(first.keys).toEqual(["bean 1", "bean 2"]);
        expect(
          await openStore().keys({ filterPattern: "bean*", pageSize: 2, cursor: Number(first.cursorId) }),
        ).toEqual({
          keys: ["bean 3"],
          cursorId: "0",
        });
        expect((await openStore().keys()).keys).toEqual(["bean 1", "bean 2", "pea", "bean 3"]);
      });

      test("can be checked for existence and deleted", async () => {
        await write("a");
        await write("b");
        expect(await openStore().exist(["a", "b", "c"])).toBe(2);
        expect(await openStore()("a").exist()).toBe(true);
        expect(await openStore()("a").delete()).toBe(1);
        expect(await openStore().delete(["a", "b", "c"])).toBe(1);
        expect(await openStore()("b").exist()).toBe(false);
      });

      test("can be renamed, to an existing key only on request", async () => {
        await write("a");
        await write("b");
        expect(await openStore()("a").rename("b")).toBe(false);
        expect(await openStore()("a").rename("b", true)).toBe(true);
        expect(await openStore()("b").rename("c")).toBe(true);
        expect((await openStore().keys()).keys).toEqual(["c"]);
        await expect(openStore()("a").rename("d")).rejects.toMatchObject({ code: 404 });
      });

      test.each<[string, (key: string) => Promise<unknown>, number]>([
        ["after seconds", (key) => openStore()(key).expireAfter(5), 5],
        ["at a time in seconds", (key) => openStore()(key).expireAt(START / 1_000 + 7), 7],
        ["at a time in milliseconds", (key) => openStore()(key).expireAt(START + 9_000), 9],
      ])("can expire: %s", async (_when, end, seconds) => {
        await write("a");
        expect(await openStore()("a").getExpiration()).toBe(-1);
        await end("a");
        expect(await openStore()("a").getExpiration()).toBe(seconds);
        database.clock.pass(seconds * 1_000 - 1);
        expect(await openStore()("a").exist()).toBe(true);
        database.clock.pass(1);
        expect(await openStore()("a").exist()).toBe(false);
        expect((await openStore().keys()).keys).toEqual([]);
        expect(await openStore().delete(["a"])).toBe(0);
        await expect(openStore()("a").getExpiration()).rejects.toMatchObject({ code: 404 });
      });

      test("have no expiry when they are set again after expiring", async () => {
        await write("a");
        await openStore()("a").expireAfter(1);
        database.clock.pass(1_000);
        await write("a");
        expect(await openStore()("a").getExpiration()).toBe(-1);
        await openStore()("a").expireAfter(1);
        await openStore()("a").clearExpiration();
        database.clock.pass(60_000);
        await store.clear("hives");
        expect(await openStore()("a").exist()).toBe(true);
      });

      test("have the time of their last change", async () => {
        await write("a");
        database.clock.pass(61_500);
        expect(await openStore()("a").secondsSinceLastOperation()).toBe(61);
        await openStore()("a").touch();
        expect(await openStore()("a").secondsSinceLastOperation()).toBe(0);
      });
    });

    test("leave no rows after expiry", async () => {
      await hive().MapStore("m").set("f", 1);
      await hive().MapStore("m").expireAfter(1);
      database.clock.pass(1_000);
      await store.clear("hives");
      expect(await store.left()).toEqual({ keys: 0, entries: 0 });
    });

    test("disappear completely with their hive", async () => {
      await hive("b").create();
      for (let n = 0; n < 3; n++) await hive("b").MapStore(`m${n}`).set({ f: 1, g: 2 });
      await hive("b").ListStore("l").addLastValues([1, 2]);
      await hive("b").KeyValueStore("k").set(1, { ttl: 60 });
      await hive().SetStore("stays").addValue(1);
      await hive("b").delete();
      expect(await store.left()).toEqual({ keys: 1, entries: 1 });
    });

    test("have a limit of a hundred thousand, but existing keys can still be set", async () => {
      await store.fillKeys(100_000);
      const full = await startTestApi(database, open());
      const { KeyValueStore, SetStore } = full.sdk().Hive("garden");
      await expect(KeyValueStore("one more").set(1)).rejects.toMatchObject({ code: 413 });
      await expect(SetStore("one more").addValue(1)).rejects.toMatchObject({ code: 413 });
      expect(await KeyValueStore("k7").increment(1)).toBe(2);
      await full.close();
    });
  });

  test(
    "hive API answers or refuses any request",
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
      const value = fc.oneof(
        fc.string(),
        fc.double().map(String),
        fc.constantFrom("0", "-1", "1e999", "true"),
      );
      const anything = fc.record({
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
        fc.asyncProperty(fc.array(anything, { minLength: 8, maxLength: 8 }), async (calls) => {
          const answers = calls.map(({ method, parts, query, body }) =>
            call(
              method,
              `${at(`/${parts.join("/")}`)}?${new URLSearchParams(query)}`,
              method === "GET" ? undefined : body,
            ),
          );
          for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
        }),
        { numRuns: countCases(25, 20) },
      );
    },
    FUZZ_TIMEOUT,
  );
});
