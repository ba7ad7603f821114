import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CachedQuota } from "./cached-quota.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("quota is queried at most once a second", async () => {
  let asked = 0;
  const quota = new CachedQuota(async () => ++asked === 1);
  expect(await Promise.all([quota.left(), quota.left()])).toEqual([true, true]);
  vi.advanceTimersByTime(999);
  expect([await quota.left(), asked]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([await quota.left(), asked]).toEqual([false, 2]);
});

test("failed quota query is retried", async () => {
  let asked = 0;
  const quota = new CachedQuota(async () => {
    if (++asked === 1) throw new Error("away");
    return true;
  });
  await expect(quota.left()).rejects.toThrow("away");
  expect(await quota.left()).toBe(true);
});
