import { describe, expect, test } from "vitest";
import { Limits } from "./index.ts";

const THREE = { points: 3, seconds: 60 };

describe("limits", () => {
  test("let through what is allowed, then refuse with the seconds to wait", async () => {
    const limits = new Limits();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    const refusal = await limits.take("tries", THREE, "a").catch((it: unknown) => it);
    expect(refusal).toMatchObject({ reason: "too-many" });
    expect((refusal as { retryAfter: number }).retryAfter).toBeGreaterThan(50);
  });

  test("count each caller and each limit for itself", async () => {
    const limits = new Limits();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    await limits.take("tries", THREE, "b");
    await limits.take("other", THREE, "a");
    expect(await limits.used("tries", THREE, "a")).toBe(3);
    expect(await limits.used("tries", THREE, "b")).toBe(1);
  });

  test("can be given back", async () => {
    const limits = new Limits();
    for (let n = 0; n < 3; n++) await limits.take("tries", THREE, "a");
    await limits.forget("tries", THREE, "a");
    await limits.take("tries", THREE, "a");
    expect(await limits.used("tries", THREE, "a")).toBe(1);
  });
});
