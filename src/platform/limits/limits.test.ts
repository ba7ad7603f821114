import { describe, expect, inject, test } from "vitest";
import { testRedis } from "../../../test/support/setup/test-redis.ts";
import { Limits } from "./index.ts";

const THREE = { points: 3, seconds: 60 };

const shared = inject("redis") ? await testRedis() : null;

describe.each([
  ["in this process", false],
  ["in Redis", true],
] as const)("rate limits counted %s", (_where, inRedis) => {
  const skipped = inRedis && !shared;
  const open = () => new Limits(inRedis ? shared : null);
  test.skipIf(skipped)("allow calls up to the limit, then refuse them with the seconds to wait", async () => {
    const limits = open();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    const refusal = await limits.take("tries", THREE, "a").catch((it: unknown) => it);
    expect(refusal).toMatchObject({ reason: "too-many" });
    expect((refusal as { retryAfter: number }).retryAfter).toBeGreaterThan(50);
  });

  test.skipIf(skipped)("count each caller and each kind of limit separately", async () => {
    const limits = open();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    await limits.take("tries", THREE, "b");
    await limits.take("other", THREE, "a");
    expect(await limits.used("tries", THREE, "a")).toBe(3);
    expect(await limits.used("tries", THREE, "b")).toBe(1);
  });

  test.skipIf(skipped)("apply a changed limit to earlier attempts too", async () => {
    const limits = open();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    await expect(limits.take("tries", THREE, "a")).rejects.toMatchObject({ reason: "too-many" });
    await limits.take("tries", { ...THREE, points: 6 }, "a");
    await expect(limits.take("tries", { ...THREE, points: 2 }, "a")).rejects.toMatchObject({
      reason: "too-many",
    });
    await expect(limits.take("tries", { ...THREE, points: 2 }, "b", 3)).rejects.toMatchObject({
      reason: "too-many",
    });
  });

  test.skipIf(skipped)("can be cleared for all callers", async () => {
    const limits = open();
    for (const name of ["tries", "others"]) await limits.take(name, THREE, "a", 3);
    await limits.clear();
    for (const name of ["tries", "others"]) expect(await limits.used(name, THREE, "a")).toBe(0);
  });

  test.skipIf(skipped)("can be reset for one caller", async () => {
    const limits = open();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    await limits.forget("tries", THREE, "a");
    await limits.take("tries", THREE, "a");
    expect(await limits.used("tries", THREE, "a")).toBe(1);
  });
});

test.skipIf(!shared)("rate limits in Redis are shared by all processes", async () => {
  const [here, there] = [new Limits(shared), new Limits(shared)];
  await here.take("tries", THREE, "a");
  await there.take("tries", THREE, "a", 2);
  await expect(here.take("tries", THREE, "a")).rejects.toMatchObject({ reason: "too-many" });
  await there.take("tries", THREE, "a", -1);
  expect(await here.used("tries", THREE, "a")).toBe(3);
});
