import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CachedQuota } from "./cached-quota.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("a quota is queried at most once a second", async () => {
  let asked = 0;
  const room = new CachedQuota(async () => ++asked === 1);
  expect(await Promise.all([room.left(), room.left()])).toEqual([true, true]);
  vi.advanceTimersByTime(999);
  expect([await room.left(), asked]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([await room.left(), asked]).toEqual([false, 2]);
});

test("a failed quota query is retried", async () => {
  let asked = 0;
  const room = new CachedQuota(async () => {
    if (++asked === 1) throw new Error("away");
    return true;
  });
  await expect(room.left()).rejects.toThrow("away");
  expect(await room.left()).toBe(true);
});
