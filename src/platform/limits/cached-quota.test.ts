import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CachedQuota } from "./cached-quota.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("quota is queried at most once a second", async () => {
  let queries = 0;
  const quota = new CachedQuota(async () => ++queries === 1);
  expect(await Promise.all([quota.left(), quota.left()])).toEqual([true, true]);
  vi.advanceTimersByTime(999);
  expect([await quota.left(), queries]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([await quota.left(), queries]).toEqual([false, 2]);
});

test("failed quota query is retried", async () => {
  let queries = 0;
  const quota = new CachedQuota(async () => {
    if (++queries === 1) throw new Error("away");
    return true;
  });
  await expect(quota.left()).rejects.toThrow("away");
  expect(await quota.left()).toBe(true);
});
