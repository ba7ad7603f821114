import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf } from "../support/layers.ts";

type Step = { path: string; name: string };

/** The requests that docs/architecture.md follows from handler to SQL, with the steps of each. */
function listRequests(): [title: string, steps: Step[]][] {
  const text = readFileSync("docs/architecture.md", "utf8");
  const section = text.split("\n## ").find((it) => it.startsWith("From a request to its first SQL")) ?? "";
  return section
    .split("\n- **")
    .slice(1)
    .map((request) => [
      request.slice(0, request.indexOf("**")),
      [...request.matchAll(/^ {2}\d\. `([^`]+)`: `([^`]+)`$/gm)].map(([, path, name]) => ({
        path: path!,
        name: name!,
      })),
    ]);
}

const read = ({ path }: Step) => readFileSync(path, "utf8");

/** Whether a file imports another itself or by the public API of its module. */
const reaches = (from: Step, to: Step) =>
  importsOf(read(from)).some((it) =>
    it.startsWith("#") ? to.path.startsWith(`src/${it.slice(1)}/`) : join(dirname(from.path), it) === to.path,
  );

const requests = listRequests();

describe("documented path from a request to its SQL", () => {
  test("contains eight requests", () => {
    expect(requests).toHaveLength(8);
  });

  test.each(requests)("has two or three files, each of which calls the next: %s", (_title, steps) => {
    expect([2, 3]).toContain(steps.length);
    for (const step of steps) {
      expect(existsSync(step.path), step.path).toBe(true);
      const isDefined = new RegExp(`(?:function|const|static async) ${step.name}\\b`).test(read(step));
      expect(isDefined, `${step.path} defines ${step.name}`).toBe(true);
    }
    for (const [i, next] of steps.slice(1).entries()) {
      const step = steps[i]!;
      expect(reaches(step, next), `${step.path} imports ${next.path}`).toBe(true);
      expect(new RegExp(`\\b${next.name}\\(`).test(read(step)), `${step.path} calls ${next.name}`).toBe(true);
    }
    expect(read(steps.at(-1)!)).toMatch(/\bsql(?:<[^`]*>)?`/);
  });
});
