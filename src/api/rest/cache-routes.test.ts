import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, startTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";
import { describeEachStore } from "../../../test/support/rest/both-stores.ts";
import { countCases, FUZZ_TIMEOUT } from "../../../test/support/fuzz-cases.ts";

await describeEachStore(({ database, open, ...store }) => {
  let testApi: TestRestApi;
  let cache: ReturnType<TestRestApi["sdk"]>["Cache"];
  beforeAll(async () => {
    testApi = await startTestApi(database, open());
    cache = testApi.sdk().Cache;
  });
  beforeEach(async () => {
    testApi.forget();
    await testApi.set({ apiCalls: 0 });
  });
  afterAll(() => testApi.close());

  const at = (key: string, rest = "") => `/${APP}/${CLIENT}/cache/${key}${rest}`;
  const keys = store.cacheKeys;

  describe("cached value", () => {
    test.each([
      ["text", "a text"],
      ["empty text", ""],
      ["text that looks like JSON", '{"a": 1}'],
      ["number", 1.5],
      ["zero", 0],
      ["large number", 9007199254740991],
      ["true", true],
      ["false", false],
      ["null", null],
      ["nothing", undefined],
      ["list", [1, [null, "b"], {}]],
      ["object", { b: { "": "ü😀\u2028" }, a: [] }],
    ])("remains unchanged: %s", async (_kind, value) => {
      await cache.put("it", value);
      expect(await cache.get("it")).toEqual(value ?? null);
      expect(await cache.contains("it")).toBe(true);
    });

    test("preserves the order of its entries", async () => {
      await cache.put("it", { b: 1, a: 2, c: { z: 1, y: 2 } });
      expect((await testApi.call("GET", at("it"))).text).toBe('{"b":1,"a":2,"c":{"z":1,"y":2}}');
    });

    test("restores an instance of a custom class", async () => {
      class Bean {
        declare name: string;
        constructor(input: object) {
          Object.assign(this, input);
        }
      }
      // This function is missing in the published types.
      (cache as unknown as { setObjectFactory: (name: string, of: typeof Bean) => void }).setObjectFactory(
        "Bean",
        Bean,
      );
      await cache.put("it", new Bean({ name: "Borlotti" }));
      const found = await cache.get("it");
      expect(found).toBeInstanceOf(Bean);
      expect(found).toMatchObject({ name: "Borlotti", ___class: "Bean" });
    });

    test("returns null when missing", async () => {
      expect([await cache.get("none"), await cache.contains("none")]).toEqual([null, false]);
      await cache.put("it", 1);
      await cache.remove("it");
      await cache.remove("it");
      expect([await cache.get("it"), await cache.contains("it")]).toEqual([null, false]);
    });

    test("replaces the previous value, even that of another caller", async () => {
      await Promise.all(Array.from({ length: 100 }, (_, n) => cache.put("busy", { n, same: n })));
      const { n, same } = (await cache.get("busy")) as unknown as { n: number; same: number };
      expect(n).toBe(same);
      expect(await keys()).toEqual(["busy"]);
    });

    test("may be as large as one megabyte", async () => {
      await cache.put("it", "x".repeat(999_998));
      expect(await cache.get("it")).toHaveLength(999_998);
      await expect(cache.put("more", "x".repeat(999_999))).rejects.toMatchObject({ code: 413 });
      await expect(cache.put("much", "x".repeat(1_200_000))).rejects.toMatchObject({ code: 413 });
      expect(await keys()).toEqual(["it"]);
    });
  });

  describe("cache expiry", () => {
    const START = Date.parse("2026-05-04T09:00:00Z");
    test.each<[string, (key: string) => Promise<unknown>, number]>([
      ["two hours by default", (key) => cache.put(key, 1), 7200],
      ["the given time", (key) => cache.put(key, 1, 10), 10],
      ["a shorter time set later", (key) => cache.put(key, 1, 10).then(() => cache.expireIn(key, 3)), 3],
      ["a longer time set later", (key) => cache.put(key, 1, 10).then(() => cache.expireIn(key, 60)), 60],
      ["until a given time", (key) => cache.put(key, 1).then(() => cache.expireAt(key, START + 5_000)), 5],
      [
        "until a given date",
        (key) => cache.put(key, 1).then(() => cache.expireAt(key, new Date(START + 90_000))),
        90,
      ],
      ["thirty days at most", (key) => cache.put(key, 1, 2_592_001), 2_592_000],
      [
        "thirty days at most when set later",
        (key) => cache.put(key, 1).then(() => cache.expireIn(key, 9_999_999_999)),
        2_592_000,
      ],
      [
        "thirty days at most with a given end",
        (key) => cache.put(key, 1).then(() => cache.expireAt(key, 999_999_999_999_999)),
        2_592_000,
      ],
      ["the time of the last write", (key) => cache.put(key, 2, 5).then(() => cache.put(key, 1, 30)), 30],
    ])("lasts %s, to the second", async (_life, work, seconds) => {
      await work("it");
      database.clock.pass(seconds * 1_000 - 1);
      expect([await cache.get("it"), await cache.contains("it")]).toEqual([1, true]);
      database.clock.pass(1);
      expect([await cache.get("it"), await cache.contains("it")]).toEqual([null, false]);
    });

    test("zero or past TTL expires at once", async () => {
      await testApi.call("PUT", at("none", "?timeout=0"), 1);
      await cache.put("past", 1);
      await cache.expireAt("past", START - 1);
      expect([await cache.contains("none"), await cache.contains("past")]).toEqual([false, false]);
    });

    test("cannot be extended after the value has expired", async () => {
      await cache.put("it", 1, 1);
      database.clock.pass(1_000);
      await cache.expireIn("it", 100);
      await cache.expireIn("never there", 100);
      expect([await cache.contains("it"), await cache.contains("never there")]).toEqual([false, false]);
    });

    test("leaves no rows behind", async () => {
      await cache.put("short", 1, 1);
      await cache.put("long", 1, 2);
      database.clock.pass(1_000);
      await store.clear("cache");
      expect(await keys()).toEqual(["long"]);
    });

    test.each([
      ["", "?timeout=-1"],
      ["", "?timeout=soon"],
      ["", "?timeout=1&timeout=2"],
      ["", "?timeout=1e9"],
      ["/expireIn", ""],
      ["/expireIn", "?timeout=null"],
      ["/expireAt", ""],
      ["/expireAt", "?timestamp=2026-05-04"],
    ])("refuses %s%s", async (path, query) => {
      await cache.put("it", 1, 10);
      expect((await testApi.call("PUT", at("it", path + query), {})).status).toBe(422);
      expect(await cache.get("it")).toBe(1);
    });
  });

  describe("cache keys", () => {
    test.each([
      "b c",
      "a,b",
      "a;b",
      "bücher",
      "😀",
      "x%25y",
      "a%2Fb",
      "*",
      "__proto__",
      "..%2Fetc",
      "check",
      "%27",
    ])("may have the form %s", async (key) => {
      await testApi.call("PUT", at(key), "kept");
      expect((await testApi.call("GET", at(key))).body).toBe("kept");
      expect(await keys()).toHaveLength(1);
    });

    test("may contain spaces and commas with the published client", async () => {
      for (const key of ["a, b", "a,b", "ä b"]) await cache.put(key, key);
      expect(await keys()).toEqual(["a, b", "a,b", "ä b"]);
      expect(await cache.get("a,b")).toBe("a,b");
    });

    test.each([
      ["a".repeat(251), 422],
      ["%00", 422],
      ["a".repeat(501), 404],
    ])("have a maximum length: %s", async (key, status) => {
      expect((await testApi.call("PUT", at(key), 1)).status).toBe(status);
    });

    test("have a limit of a hundred thousand; existing keys can still be written", async () => {
      await store.fillCache(100_000, 1_000);
      const full = await startTestApi(database, open());
      const { Cache } = full.sdk();
      await expect(Cache.put("one more", 1)).rejects.toMatchObject({ code: 413 });
      await Cache.put("k7", 2);
      expect(await Cache.get("k7")).toBe(2);
      await full.close();
      // The quota does not count expired values.
      database.clock.pass(1_000);
      const empty = await startTestApi(database, open());
      await empty.sdk().Cache.put("one more", 1);
      await empty.close();
    });
  });

  test(
    "cache API answers or refuses any request",
    async () => {
      const key = fc.oneof(
        fc.webSegment(),
        fc.string({ maxLength: 90 }).map(encodeURIComponent),
        fc.constantFrom("..", "%2e%2e%2f", "%", "%ff", "%00", "%2C", "check"),
      );
      const value = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom("0", "-1", "1e3"));
      const call = fc.record({
        method: fc.constantFrom("GET", "PUT", "DELETE"),
        key,
        rest: fc.constantFrom("", "/check", "/expireIn", "/expireAt", "/other"),
        query: fc.record({ timeout: value, timestamp: value }, { requiredKeys: [] }),
        body: fc.jsonValue(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 8, maxLength: 8 }), async (calls) => {
          const answers = calls.map(({ method, key: of, rest, query, body }) =>
            testApi.call(
              method,
              at(of, `${rest}?${new URLSearchParams(query)}`),
              method === "GET" ? undefined : body,
            ),
          );
          for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
        }),
        { numRuns: countCases(15, 40) },
      );
    },
    FUZZ_TIMEOUT,
  );
});
