import { expect, test } from "vitest";
import { detectIdle } from "./idle-gc.ts";

const [BUSY, QUIET, BETWEEN] = [0.5, 0.001, 0.05];
/** The checks after which the process becomes idle. */
const rests = (...looks: number[]) => {
  const atRest = detectIdle();
  return looks.flatMap((utilization, index) => (atRest(utilization) ? [index] : []));
};

test("process counts as idle after three quiet checks in a row", () => {
  expect(rests(BUSY, QUIET, QUIET, QUIET)).toEqual([3]);
  expect(rests(BUSY, QUIET, QUIET, BETWEEN, QUIET, QUIET, BUSY, QUIET, QUIET)).toEqual([]);
});

test("process becomes idle after its start, then once after each busy period", () => {
  expect(rests(QUIET, QUIET, QUIET, QUIET, QUIET, QUIET, QUIET)).toEqual([2]);
  expect(rests(QUIET, QUIET, QUIET, BETWEEN, QUIET, QUIET, QUIET)).toEqual([2]);
  expect(rests(QUIET, QUIET, QUIET, BUSY, BETWEEN, QUIET, QUIET, QUIET, QUIET)).toEqual([2, 7]);
});
