import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importCycles, importsOf, layeringErrors, sourceFiles } from "../support/layers.ts";

const errors = (path: string, ...imports: string[]) => layeringErrors([{ path, imports }]);

describe("layer rules", () => {
  test("hold for every file", () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(100);
    expect(layeringErrors(files)).toEqual([]);
  });

  test("forbid import cycles", () => {
    expect(importCycles(sourceFiles())).toEqual([]);
  });

  test("allow pages and APIs to import the layers below", () => {
    expect(
      errors("src/web/home/home.tsx", "#community/groups", "#platform/refusal", "../urls.ts", "react"),
    ).toEqual([]);
    expect(errors("src/api/rest/index.ts", "#baas/logging", "#community/accounts")).toEqual([]);
    expect(
      errors("src/community/groups/groups.ts", "#community/accounts", "#platform/database", "./visible.ts"),
    ).toEqual([]);
  });

  test.each([
    ["an upward import", "src/community/groups/index.ts", "#web/server"],
    ["community importing baas", "src/community/groups/index.ts", "#baas/logging"],
    ["baas importing community", "src/baas/logging/index.ts", "#community/accounts"],
    ["platform importing community", "src/platform/mail/index.ts", "#community/accounts"],
    ["api importing web", "src/api/rest/index.ts", "#web/server"],
    ["a module importing one above it", "src/community/accounts/index.ts", "#community/groups"],
    [
      "modules of one row importing each other",
      "src/community/discussions/index.ts",
      "#community/conversations",
    ],
    ["rules importing a community module", "src/community/rules/groups.ts", "#community/accounts"],
    ["rules importing platform", "src/community/rules/groups.ts", "#platform/refusal"],
    ["an import of a module's internal file", "src/web/home/home.tsx", "#community/groups/memberships.ts"],
    ["a relative import that leaves the module", "src/community/groups/groups.ts", "../accounts/index.ts"],
    ["a relative import that leaves the layer", "src/web/home/home.tsx", "../../community/groups/index.ts"],
  ])("refuse %s", (_what, path, target) => {
    expect(errors(path, target)).toHaveLength(1);
  });
});

describe("importCycles", () => {
  test("names the files of a cycle", () => {
    const files = [
      { path: "src/web/a.ts", imports: ["./b.ts"] },
      { path: "src/web/b.ts", imports: ["./c.ts"] },
      { path: "src/web/c.ts", imports: ["./a.ts", "./d.ts"] },
      { path: "src/web/d.ts", imports: ["./c.ts"], types: ["./c.ts"] },
    ];
    expect(importCycles(files)).toEqual([["src/web/a.ts", "src/web/b.ts", "src/web/c.ts"]]);
  });
});

describe("importsOf", () => {
  test("finds every form of import statement", () => {
    const text =
      `import a from "./a.ts";\nimport {\n  b,\n} from "#platform/b";\nexport * from "./c.ts"; import ` +
      `"./d.css";\nconst e = await import("./e.ts");`;
    expect(importsOf(text)).toEqual(["./a.ts", "#platform/b", "./c.ts", "./d.css", "./e.ts"]);
  });
});

test.each(["db/migrations", "docs/decisions"])("numbers in %s are unique", (folder) => {
  const numbers = readdirSync(folder).map((name) => name.slice(0, 4));
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
