import { describe, expect, test } from "vitest";
import { findViolations, parseImports, readSourceFiles } from "./house.ts";

const faults = (path: string, ...imports: string[]) => findViolations([{ path, imports }]);

describe("layers", () => {
  test("every file respects them", () => {
    const files = readSourceFiles();
    expect(files.length).toBeGreaterThan(100);
    expect(findViolations(files)).toEqual([]);
  });

  test("web and API may import the layers below", () => {
    expect(faults("src/web/home/home.tsx", "#community/groups", "#platform/refusal", "../urls.ts", "react")).toEqual([]);
    expect(faults("src/wire/rest/index.ts", "#backend/logs", "#community/people")).toEqual([]);
    expect(faults("src/community/groups/groups.ts", "#community/people", "#platform/database", "./visible.ts")).toEqual([]);
  });

  test.each([
    ["an arrow the wrong way", "src/community/groups/index.ts", "#web/server"],
    ["the community knowing of the backend", "src/community/groups/index.ts", "#backend/logs"],
    ["the backend knowing of the community", "src/backend/logs/index.ts", "#community/people"],
    ["the plumbing knowing of anything", "src/platform/mail/index.ts", "#community/people"],
    ["two doors knowing of each other", "src/wire/rest/index.ts", "#web/server"],
    ["a part knowing of what is built on it", "src/community/people/index.ts", "#community/groups"],
    ["neighbours knowing of each other", "src/community/discussions/index.ts", "#community/conversations"],
    ["rules that import something of the community", "src/community/rules/groups.ts", "#community/people"],
    ["rules that import plumbing", "src/community/rules/groups.ts", "#platform/refusal"],
    ["an import past a door", "src/web/home/home.tsx", "#community/groups/memberships.ts"],
    ["a way out of a part", "src/community/groups/groups.ts", "../people/index.ts"],
    ["a way out of a room", "src/web/home/home.tsx", "../../community/groups/index.ts"],
  ])("rejects %s", (_what, path, wanted) => {
    expect(faults(path, wanted)).toHaveLength(1);
  });

  test("finds imports of every form", () => {
    const text = `import a from "./a.ts";\nimport {\n  b,\n} from "#platform/b";\nexport * from "./c.ts"; import "./d.css";\nconst e = await import("./e.ts");`;
    expect(parseImports(text)).toEqual(["./a.ts", "#platform/b", "./c.ts", "./d.css", "./e.ts"]);
  });
});
