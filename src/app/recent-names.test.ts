import { expect, test } from "vitest";
import { RecentNames } from "./recent-names.ts";

test("name is new unless it is among the latest names", () => {
  const recent = new RecentNames(2);
  expect(["a", "a", "b", "a", "c", "b", "a"].map((name) => recent.isNew(name))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
});

test("exactly the given number of latest names is remembered", () => {
  const recent = new RecentNames(1_000);
  const names = Array.from({ length: 20_000 }, (_, n) => `name ${n}`);
  expect(names.every((name) => recent.isNew(name))).toBe(true);
  expect(names.slice(-1_000).some((name) => recent.isNew(name))).toBe(false);
  expect(recent.isNew(names.at(-1_001)!)).toBe(true);
});
