import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FailureDigest } from "./index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const opened = () => {
  const error = vi.fn<(facts: object, sentence: string) => void>();
  return { digest: new FailureDigest({ error }, "a packet failed"), error };
};

test("first failure is logged at once, and further ones are logged after a minute with their count", () => {
  const { digest, error } = opened();
  const first = new Error("first");
  digest.report(first);
  for (let n = 0; n < 10_000; n++) digest.report(new Error(`failure ${n}`));
  expect(error.mock.calls).toEqual([[{ err: first }, "a packet failed"]]);
  vi.advanceTimersByTime(60_000);
  expect(error.mock.calls.slice(1)).toEqual([[{ count: 10_000, last: "failure 9999" }, "a packet failed"]]);
  digest.report("text");
  vi.advanceTimersByTime(60_000);
  expect(error.mock.calls.slice(2)).toEqual([[{ count: 1, last: "text" }, "a packet failed"]]);
});

test("failure after a minute without failures is logged with its stack", () => {
  const { digest, error } = opened();
  digest.report(new Error("first"));
  vi.advanceTimersByTime(60_000);
  const later = new Error("later");
  digest.report(later);
  expect(error).toHaveBeenLastCalledWith({ err: later }, "a packet failed");
});

test("closing logs failures that have been counted but not yet logged", () => {
  const { digest, error } = opened();
  digest.report(new Error("first"));
  digest.report(new Error("second"));
  digest.close();
  expect(error).toHaveBeenLastCalledWith({ count: 1, last: "second" }, "a packet failed");
  expect(vi.getTimerCount()).toBe(0);
});
