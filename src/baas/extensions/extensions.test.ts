import { describe, expect, test } from "vitest";
import { createServiceSource } from "../../../test/support/extension-source.ts";
import { loadExtensions, catchFault } from "../../../test/support/extension-setup.ts";

describe("extension host", () => {
  test("gives an extension the validated input and the caller", async () => {
    const { call, extensions } = await loadExtensions({
      "greetings.ts": `import { service, z } from "#extensions";
        import { greeting } from "./words/greeting.ts";
        export const hello = service("Test", "hello", {
          about: "Greets somebody.",
          input: z.object({ name: z.string().min(1, "Say who.").max(20) }),
          run: ({ caller }, { name }) => ({ said: greeting(name), caller }),
        });`,
      "words/greeting.ts": "export const greeting = (name: string): string => `Hello ${name}!`;",
    });
    const caller = { id: "mira", roles: ["AuthenticatedUser"], server: false };
    expect(await call("hello", { name: "Ines", more: 1 })).toEqual({ said: "Hello Ines!", caller });
    expect(await catchFault(call("hello", { name: "" }))).toMatchObject({
      message: "name: Say who.",
      fields: { name: "Say who." },
    });
    expect(extensions.parts).toMatchObject([
      { key: "service:Test/hello", file: "greetings.ts", schema: { type: "object" } },
    ]);
  });

  test("gives an extension access to its functions, but not to the process", async () => {
    const { call } = await loadExtensions({
      "a.ts": createServiceSource(
        "reach",
        `return [await kith.counters.get("a"), await kith.asServer.counters.get("a"), ` +
          `Object.keys(process.env), process.argv.length]`,
      ),
      "b.ts": createServiceSource(
        "much",
        `return (await Promise.all(Array.from({ length: 300 }, () => kith.counters.get("a")))).length`,
      ),
      "c.ts": createServiceSource("other", `return kith.cache.get("unknown hand")`),
      "d.ts": createServiceSource("endless", `for (;;) await kith.counters.get("a")`),
    });
    expect(await call("reach")).toEqual(["a of mira", "a of server", [], 2]);
    expect(await call("much")).toBe(300);
    expect(await catchFault(call("other"))).toMatchObject({
      message: "There is no host function 'cache.get'.",
    });
    expect(await catchFault(call("endless"))).toMatchObject({
      code: 15001,
      message: expect.stringMatching(/at most 5000 times|longer than/) as string,
    });
  });

  test.each([
    ["an error", `throw new Error("The kettle is empty.")`, 15000, "The kettle is empty."],
    ["an error with a code", `throw Object.assign(new Error("No tea."), { code: 4711 })`, 4711, "No tea."],
    [
      "a refusal",
      `throw new Refused("Not before four.", { code: 1600, data: { opens: 4 } })`,
      1600,
      "Not before four.",
    ],
    ["a thrown text", `throw "just words"`, 15000, "just words"],
    ["a thrown undefined value", `throw undefined`, 15000, "The thrown value is not an error."],
    [
      "a circular result",
      `const it = {}; it.it = it; return it`,
      15003,
      expect.stringMatching(/^The answer cannot be written as JSON/),
    ],
    [
      "a result that JSON does not support",
      `return 10n`,
      15003,
      expect.stringMatching(/^The answer cannot be written as JSON/),
    ],
    [
      "a huge result",
      `return "x".repeat(2_000_000)`,
      15003,
      "The answer has more than 1000000 characters as JSON.",
    ],
    ["an exit of the process", `process.exit(3)`, 15000, "The extension ended its own thread."],
  ])("fails the call with a reason after %s", async (_what, body, code, message) => {
    const { call } = await loadExtensions({
      "a.ts": createServiceSource("fail", body) + createServiceSource("work", "return 1").split("\n")[1],
    });
    expect(await catchFault(call("fail"))).toMatchObject({ code, message });
    expect(await call("work")).toBe(1);
  });

  test("stops an endless loop while other calls continue", async () => {
    const { call } = await loadExtensions(
      {
        "a.ts": createServiceSource("loop", "for (;;) {}"),
        "b.ts": createServiceSource("work", "return input"),
      },
      { seconds: 6 },
    );
    // Starts both threads, because the loop ends one of them.
    await Promise.all([call("work"), call("work")]);
    const order: unknown[] = [];
    const looping = catchFault(call("loop")).then((it) => (order.push("stopped"), it));
    let beats = 0;
    const beat = setInterval(() => beats++, 20);
    for (let at = 0; at < 10; at++) order.push(await call("work", at));
    expect(await looping).toMatchObject({
      code: 15001,
      message: "This took longer than 6 seconds and was stopped.",
    });
    clearInterval(beat);
    expect(order).toEqual([...Array.from({ length: 10 }).keys(), "stopped"]);
    // If the process had been blocked, the timer would not have fired.
    expect(beats).toBeGreaterThan(5);
    expect(await call("work", "after")).toBe("after");
  });

  test.each([
    [
      "on its heap",
      `const all: unknown[] = []; for (;;) all.push({ text: "x".repeat(100), at: all.length })`,
    ],
    [
      "buffers",
      `const all: unknown[] = []; for (;;) { all.push(Buffer.alloc(4_000_000).fill(1)); await new ` +
        `Promise((r) => setTimeout(r, 5)) }`,
    ],
  ])("stops an extension that allocates %s without end, and frees its memory", async (_where, body) => {
    const { call } = await loadExtensions(
      { "a.ts": createServiceSource("hoard", body), "b.ts": createServiceSource("work", "return 1") },
      { seconds: 30 },
    );
    const before = process.memoryUsage().rss;
    expect(await catchFault(call("hoard"))).toMatchObject({ code: 15002 });
    expect(await call("work")).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
  });

  test("suspends an extension that had to be stopped repeatedly", async () => {
    const { call } = await loadExtensions(
      { "a.ts": createServiceSource("loop", "for (;;) {}") },
      { threads: 3, seconds: 2 },
    );
    await Promise.all([1, 2, 3].map(() => catchFault(call("loop"))));
    expect(await catchFault(call("loop"))).toMatchObject({ code: 15004, message: /again in half a minute/ });
  });

  test("refuses endless recursion, but allows nested calls on one thread", async () => {
    const { call } = await loadExtensions(
      {
        "a.ts": createServiceSource("again", `return kith.services.call("Test", "again")`),
        "b.ts": createServiceSource(
          "twice",
          `return [await kith.services.call("Test", "once", 1), await kith.services.call("Test", "once", 2)]`,
        ),
        "c.ts": createServiceSource("once", `return input`),
      },
      { threads: 1 },
    );
    expect(await catchFault(call("again"))).toMatchObject({ code: 15005 });
    expect(await Promise.all([call("twice"), call("twice"), call("twice")])).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  test("revokes the rights of a call when the call ends", async () => {
    const { call } = await loadExtensions(
      {
        "a.ts": createServiceSource("keep", `globalThis.kept = kith; return 1`),
        "b.ts": createServiceSource("use", `return globalThis.kept.counters.get("a")`),
      },
      { threads: 1 },
    );
    await call("keep");
    expect(await catchFault(call("use"))).toMatchObject({ message: "This call has ended." });
  });
});

test("unexpected errors of extensions are listed for a while, but refusals are not", async () => {
  const { call, extensions } = await loadExtensions({
    "a.ts": createServiceSource("refuse", `throw new Refused("No.")`),
    "b.ts": createServiceSource("fail", `throw new Error("Oh.")`),
    "c.ts": createServiceSource("many", `return "x".repeat(2_000_000)`),
  });
  for (const method of ["refuse", "fail", "many"]) await catchFault(call(method));
  expect(extensions.status.mishaps.map(({ part, sentence }) => [part, sentence])).toEqual([
    ["service:Test/many", expect.stringMatching(/more than/)],
    ["service:Test/fail", "Oh."],
  ]);
});
