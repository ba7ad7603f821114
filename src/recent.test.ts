import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("what was met lately is not new, and no more is remembered than was asked for", () => {
  const recent = new Recent(2);
  expect(["a", "a", "b", "a", "c", "b", "a"].map((name) => recent.isNew(name))).toEqual([true, false, true, false, true, false, true]);
});
