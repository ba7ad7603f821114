import { expect, test } from "vitest";
import { watchForRest } from "./at-rest.ts";

const [BUSY, QUIET, BETWEEN] = [0.5, 0.001, 0.05];
/** After which of these looks the process counts as having come to rest. */
const rests = (...looks: number[]) => {
  const atRest = watchForRest();
  return looks.flatMap((utilization, index) => (atRest(utilization) ? [index] : []));
};

test("a process is at rest once it was quiet for three looks in a row", () => {
  expect(rests(BUSY, QUIET, QUIET, QUIET)).toEqual([3]);
  expect(rests(BUSY, QUIET, QUIET, BETWEEN, QUIET, QUIET, BUSY, QUIET, QUIET)).toEqual([]);
});

test("it is so after its start, and then only once after each time that it was busy", () => {
  expect(rests(QUIET, QUIET, QUIET, QUIET, QUIET, QUIET, QUIET)).toEqual([2]);
  expect(rests(QUIET, QUIET, QUIET, BETWEEN, QUIET, QUIET, QUIET)).toEqual([2]);
  expect(rests(QUIET, QUIET, QUIET, BUSY, BETWEEN, QUIET, QUIET, QUIET, QUIET)).toEqual([2, 7]);
});
