import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";

export type TestDuration = { name: string; ms: number };

type Report = { testResults?: VitestFile[]; suites?: PlaywrightSuite[] };
type VitestFile = { name: string; assertionResults: { fullName: string; duration?: number | null }[] };
type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };
type PlaywrightSpec = {
  file: string;
  title: string;
  tests: { projectName: string; results: { duration: number }[] }[];
};

/** Reads the durations of the tests in all reports of a folder. */
export const readDurations = (folder: string): TestDuration[] =>
  globSync(`${folder}/*.json`).flatMap((path) => {
    const { testResults = [], suites = [] } = JSON.parse(readFileSync(path, "utf8")) as Report;
    return [...testResults.flatMap(vitestDurations), ...suites.flatMap(playwrightDurations)];
  });

const vitestDurations = ({ name, assertionResults }: VitestFile): TestDuration[] =>
  assertionResults.map(({ fullName, duration }) => ({
    name: `${relative("", name)} › ${fullName}`,
    ms: duration ?? 0,
  }));

const playwrightDurations = ({ suites = [], specs = [] }: PlaywrightSuite): TestDuration[] => [
  ...suites.flatMap(playwrightDurations),
  ...specs.flatMap(({ file, title, tests }) =>
    tests.map(({ projectName, results }) => ({
      name: `[${projectName}] ${file} › ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  ),
];

const LISTED = 20;

/** Formats the slowest tests that took at least a second; empty when there are none. */
export function formatSlowest(durations: readonly TestDuration[]): string {
  const slowest = durations
    .filter(({ ms }) => ms >= 1_000)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, LISTED);
  if (slowest.length === 0) return "";
  const lines = slowest.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
  return `Slowest tests:\n${lines.join("\n")}`;
}
