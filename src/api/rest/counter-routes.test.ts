import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, startTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";
import { describeEachStore } from "../../../test/support/rest/both-stores.ts";
import { countCases, FUZZ_TIMEOUT } from "../../../test/support/fuzz-cases.ts";

await describeEachStore(({ database, open, ...store }) => {
  let testApi: TestRestApi;
  let counters: ReturnType<TestRestApi["sdk"]>["Counters"];
  beforeAll(async () => {
    testApi = await startTestApi(database, open());
    counters = testApi.sdk().Counters;
  });
  beforeEach(async () => {
    testApi.forget();
    await testApi.set({ apiCalls: 0 });
  });
  afterAll(() => testApi.close());

  const at = (name: string, rest = "") => `/${APP}/${CLIENT}/counters/${name}${rest}`;

  describe("counter", () => {
    test.each<[string, (name: string) => Promise<unknown>, unknown, number]>([
      ["get", (name) => counters.get(name), 0, 0],
      ["incrementAndGet", (name) => counters.incrementAndGet(name), 1, 1],
      ["getAndIncrement", (name) => counters.getAndIncrement(name), 0, 1],
      ["decrementAndGet", (name) => counters.decrementAndGet(name), -1, -1],
      ["getAndDecrement", (name) => counters.getAndDecrement(name), 0, -1],
      ["addAndGet", (name) => counters.addAndGet(name, 7), 7, 7],
      ["getAndAdd", (name) => counters.getAndAdd(name, -7), 0, -7],
      ["successful compareAndSet", (name) => counters.compareAndSet(name, 0, 5), true, 5],
      ["failed compareAndSet", (name) => counters.compareAndSet(name, 3, 5), false, 0],
    ])("counts as 0 when missing: %s", async (_call, work, answer, left) => {
      expect(await work("visits")).toBe(answer);
      expect(await counters.get("visits")).toBe(left);
    });

    test.each<[string, (name: string) => Promise<unknown>, unknown, number]>([
      ["incrementAndGet", (name) => counters.incrementAndGet(name), 41, 41],
      ["getAndIncrement", (name) => counters.getAndIncrement(name), 40, 41],
      ["decrementAndGet", (name) => counters.decrementAndGet(name), 39, 39],
      ["getAndDecrement", (name) => counters.getAndDecrement(name), 40, 39],
      ["addAndGet", (name) => counters.addAndGet(name, 2), 42, 42],
      ["getAndAdd", (name) => counters.getAndAdd(name, 2), 40, 42],
      ["successful compareAndSet", (name) => counters.compareAndSet(name, 40, -3), true, -3],
      ["failed compareAndSet", (name) => counters.compareAndSet(name, 0, 5), false, 40],
    ])("counts from an existing value: %s", async (_call, work, answer, left) => {
      await counters.addAndGet("visits", 40);
      expect(await work("visits")).toBe(answer);
      expect(await counters.of("visits").get()).toBe(left);
    });

    test("resets to 0", async () => {
      await counters.addAndGet("visits", 40);
      await counters.reset("visits");
      await counters.reset("new");
      expect([await counters.get("visits"), await counters.get("new"), await counters.list("*")]).toEqual([
        0,
        0,
        ["new", "visits"],
      ]);
    });

    test("exists after a failed compare-and-set, but not after a read", async () => {
      await counters.compareAndSet("compared", 1, 2);
      await counters.get("ready");
      expect(await counters.list("*")).toEqual(["compared"]);
    });

    test("counts each of a hundred concurrent increments", async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => counters.incrementAndGet("busy")));
      expect(answers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
      expect(await counters.get("busy")).toBe(100);
    });

    test("accepts only one of many concurrent compare-and-sets", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => counters.compareAndSet("owner", 0, n + 1)),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await counters.get("owner")).toBe(answers.indexOf(true as never) + 1);
    });
  });

  describe("64-bit counters", () => {
    const GREATEST = "9223372036854775807";
    test("preserve every digit", async () => {
      await testApi.call("PUT", at("big", `/incrementby/get?value=${GREATEST}`));
      expect((await testApi.call("GET", at("big"))).text).toBe(GREATEST);
      expect((await testApi.call("PUT", at("big", "/get/decrement"))).text).toBe(GREATEST);
      expect(
        (await testApi.call("PUT", at("small", `/incrementby/get?value=-9223372036854775808`))).text,
      ).toBe("-9223372036854775808");
    });

    test.each([
      ["big", "/increment/get"],
      ["big", "/get/incrementby?value=1"],
      ["small", "/decrement/get"],
      ["small", "/incrementby/get?value=-1"],
    ])("refuse overflow: %s %s", async (name, change) => {
      await testApi.call("PUT", at("big", `/incrementby/get?value=${GREATEST}`));
      await testApi.call("PUT", at("small", "/incrementby/get?value=-9223372036854775808"));
      const before = await testApi.call("GET", at(name));
      expect(await testApi.call("PUT", at(name, change))).toMatchObject({ status: 422, body: { code: 422 } });
      expect((await testApi.call("GET", at(name))).text).toBe(before.text);
    });

    test.each([
      "",
      "?value=",
      "?value=1.5",
      "?value=1e21",
      "?value=NaN",
      "?value=9223372036854775808",
      "?value=1&value=2",
      "?value=0x10",
    ])("refuse an invalid amount: %s", async (query) => {
      expect((await testApi.call("PUT", at("n", `/incrementby/get${query}`))).status).toBe(422);
      expect(await counters.list("*")).toEqual([]);
    });
  });

  describe("counter names", () => {
    test.each([
      ["*", ["a,b", "a_b", "axb", "b c", "bücher/ä", "x%y"]],
      ["a*", ["a,b", "a_b", "axb"]],
      ["*b", ["a,b", "a_b", "axb"]],
      ["a_b", ["a_b"]],
      ["*%*", ["x%y"]],
      ["*b*c*", ["b c", "bücher/ä"]],
      ["**", ["a,b", "a_b", "axb", "b c", "bücher/ä", "x%y"]],
      ["nothing*", []],
      ["\\", []],
    ])("can be listed by the pattern %s", async (pattern, found) => {
      for (const name of ["a_b", "axb", "x%25y", "b c", "a,b", "b%C3%BCcher%2F%C3%A4"])
        await counters.incrementAndGet(name);
      expect((await testApi.call("GET", at(encodeURIComponent(pattern), "/list"))).body).toEqual(found);
    });

    test.each([
      ["a".repeat(251), 422],
      ["%00", 422],
      ["a".repeat(501), 404],
    ])("have a maximum length: %s", async (name, status) => {
      expect((await testApi.call("PUT", at(name, "/increment/get"))).status).toBe(status);
    });

    test("allow any characters", async () => {
      const name = "😀".repeat(125);
      await store.setCounter(name, 3);
      expect(await counters.list("😀*")).toEqual([name]);
    });
  });

  test("counter API refuses more than a hundred thousand counters; existing ones still work", async () => {
    await store.fillCounters(100_000);
    const full = await startTestApi(database, open());
    const { Counters } = full.sdk();
    await expect(Counters.incrementAndGet("one more")).rejects.toMatchObject({ code: 413 });
    expect(await Counters.incrementAndGet("c7")).toBe(1);
    expect(await Counters.compareAndSet("c8", 3, 4)).toBe(false);
    expect(await Counters.list("*")).toHaveLength(10_000);
    await full.close();
  });

  test(
    "counter API answers or refuses any request",
    async () => {
      const value = fc.oneof(
        fc.string(),
        fc.double().map(String),
        fc.bigInt().map(String),
        fc.constantFrom("0", "-1"),
      );
      const call = fc.record({
        method: fc.constantFrom("GET", "PUT"),
        name: fc.oneof(
          fc.string({ maxLength: 90 }).map(encodeURIComponent),
          fc.constantFrom("..", "%2e%2e%2f", "%", "%ff", "%00", "%2C", "*"),
        ),
        rest: fc.constantFrom(
          "",
          "/list",
          "/increment/get",
          "/get/incrementby",
          "/get/compareandset",
          "/reset",
          "/other",
        ),
        query: fc.record({ value, expected: value, updatedvalue: value }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 8, maxLength: 8 }), async (calls) => {
          const answers = calls.map(({ method, name, rest, query }) =>
            testApi.call(method, at(name, `${rest}?${new URLSearchParams(query)}`)),
          );
          for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
        }),
        { numRuns: countCases(15, 40) },
      );
    },
    FUZZ_TIMEOUT,
  );
});
