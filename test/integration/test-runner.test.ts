import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { selectTests } from "../support/runner/changed-tests.ts";
import { formatSlowest, readDurations } from "../support/runner/slowest-tests.ts";

describe("slowest tests", () => {
  test("are collected from all reports, longest first", () => {
    const folder = mkdtempSync(join(tmpdir(), "kith-report-"));
    const write = (name: string, report: unknown) =>
      writeFileSync(join(folder, name), JSON.stringify(report));
    write("vitest.json", {
      testResults: [
        {
          name: join(process.cwd(), "src/a.test.ts"),
          assertionResults: [
            { fullName: "a holds", duration: 1_500 },
            { fullName: "a is quick", duration: 999 },
            { fullName: "a is skipped" },
          ],
        },
      ],
    });
    const tests = [{ projectName: "scripts", results: [{ duration: 20_040 }] }];
    write("browser.json", { suites: [{ suites: [{ specs: [{ file: "b.spec.ts", title: "b", tests }] }] }] });
    expect(formatSlowest(readDurations(folder))).toBe(
      ["Slowest tests:", "   20.0 s  [scripts] b.spec.ts › b", "    1.5 s  src/a.test.ts › a holds"].join(
        "\n",
      ),
    );
  });

  test("list at most twenty", () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ name: `test ${n}`, ms: 1_000 + n }));
    expect(formatSlowest(many).split("\n")).toHaveLength(21);
  });
});

describe("tests for a change", () => {
  const tests = [
    "src/app/secrets.test.ts",
    "src/community/groups/roles/owner.test.ts",
    "src/community/groups/rename.test.ts",
    "src/community/friends/friends.test.ts",
    "src/web/groups/tabs.test.ts",
    "test/integration/renames.test.ts",
  ];
  const specs = ["test/browser/group-lists.spec.ts", "test/browser/polls.spec.ts"];
  const select = (...changed: string[]) =>
    selectTests(changed, tests, specs, (path) =>
      path.endsWith("friends.test.ts") ? 'from "../../../test/support/friends/pair.ts"' : "",
    );

  test("include those of the changed module", () => {
    expect(select("src/community/groups/lists/all.ts")).toEqual({ unit: tests.slice(1, 3), browser: [] });
    expect(select("src/app/secrets.ts")).toEqual({ unit: ["src/app/secrets.test.ts"], browser: [] });
  });

  test("include browser tests if a page changed", () => {
    expect(select("src/web/groups/page.tsx")).toEqual({
      unit: ["src/web/groups/tabs.test.ts"],
      browser: ["test/browser/group-lists.spec.ts"],
    });
  });

  test("include changed tests and tests that import a changed helper", () => {
    expect(select("test/integration/renames.test.ts", "test/browser/polls.spec.ts")).toEqual({
      unit: ["test/integration/renames.test.ts"],
      browser: ["test/browser/polls.spec.ts"],
    });
    expect(select("test/support/friends/pair.ts").unit).toEqual(["src/community/friends/friends.test.ts"]);
  });

  test("include none for a change of docs", () => {
    expect(select("docs/api.md")).toEqual({ unit: [], browser: [] });
  });
});
