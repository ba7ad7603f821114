import { describe, expect, test } from "vitest";
import { createServiceSource } from "../../../test/support/extension-source.ts";
import { mira, loadExtensions, catchFault } from "../../../test/support/extension-setup.ts";

describe("extension folder", () => {
  test("may be missing", async () => {
    const { extensions } = await loadExtensions({});
    expect(extensions.status).toMatchObject({ files: [], parts: [], faults: [] });
    expect(await catchFault(extensions.dispatch("tea", {}, mira))).toMatchObject({
      code: 15006,
      message: "Custom event handler with name 'tea' does not exists",
    });
  });

  test("loads its valid files and reports the errors of broken ones", async () => {
    const { call, extensions } = await loadExtensions(
      {
        "broken.ts": "export const it = ;",
        "empty.ts": "export const it = 1;",
        "groups.ts": createServiceSource("join", "return 1").replace('"Test"', '"Groups"'),
        "looping.ts": "for (;;) {}",
        "missing.ts": `import "./nowhere.ts";`,
        "odd.ts":
          `import { every } from "#extensions"; export const it = every("odd", { at: "61 * * * *", run: ` +
          `() => 1 });`,
        "throwing.ts": `throw new Error("I will not.");`,
        "work.ts": createServiceSource("work", "return 1"),
        "work2.ts": createServiceSource("work", "return 2"),
      },
      { threads: 1 },
    );
    expect(await call("work")).toBe(1);
    const faults = Object.fromEntries(extensions.status.faults.map(({ file, sentence }) => [file, sentence]));
    expect(Object.keys(faults).sort()).toEqual([
      "broken.ts",
      "empty.ts",
      "groups.ts",
      "looping.ts",
      "missing.ts",
      "odd.ts",
      "throwing.ts",
      "work2.ts",
    ]);
    expect(faults).toMatchObject({
      "looping.ts": "Loading took too long.",
      "throwing.ts": "I will not.",
      "groups.ts": "Kith itself has a method Groups/join.",
      "odd.ts": "odd: '61' is not a valid minute.",
      "work2.ts": "service Test/work is defined twice.",
    });
  }, 120_000);

  test("reloads changed files, and keeps the previous version of a broken file", async () => {
    const { call, extensions, write } = await loadExtensions({
      "a.ts": createServiceSource("work", "return 1"),
    });
    const changed = () => new Promise<void>((done) => extensions.onChange(done));
    const stop = extensions.watch();
    const once = changed();
    write({ "a.ts": createServiceSource("work", "return 2") });
    await once;
    expect(await call("work")).toBe(2);
    write({ "a.ts": "export const" });
    await expect.poll(() => extensions.status.faults.length).toBe(1);
    expect(await call("work")).toBe(2);
    const twice = changed();
    write({ "a.ts": createServiceSource("work", "return 3") });
    await twice;
    expect(await call("work")).toBe(3);
    expect(extensions.status.faults).toEqual([]);
    stop();
  });
});
