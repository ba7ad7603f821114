import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const readme = readFileSync("README.md", "utf8");
const all = (text: string, form: RegExp) => [...new Set([...text.matchAll(form)].map((match) => match[1]!))];

describe("README", () => {
  test("mentions all commands, and only existing ones", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = all(readme, /`?npm (?:run )?(start|test|[a-z:-]+)`/g);
    expect(named.filter((name) => !scripts[name])).toEqual([]);
    expect(
      Object.keys(scripts).filter((name) => !named.includes(name) && !readme.includes(`npm ${name}`)),
    ).toEqual([]);
  });

  test("explains every environment variable, and no other", () => {
    const read = all(
      readFileSync("src/platform/environment/environment.ts", "utf8"),
      /^ {2}([A-Z][A-Z0-9_]+): /gm,
    );
    const rows = readme.split("\n").filter((line) => /^\| `[A-Z]/.test(line));
    const explained = rows.flatMap((line) => all(line.split("|")[1]!, /`([A-Z0-9_]+)`/g));
    expect(explained.filter((name) => !name.startsWith("OIDC_")).toSorted()).toEqual(read.toSorted());
  });

  test("links to existing files, as does every page of the documentation", () => {
    for (const page of ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md"]) {
      const folder = page.includes("/") ? "docs/" : "";
      const targets = all(readFileSync(page, "utf8"), /\]\((?!https?:|#)([^)#\s]+)/g);
      expect(
        targets.filter((target) => !existsSync(folder + target)),
        page,
      ).toEqual([]);
    }
  });

  test("mentions existing source files only, as does the architecture page", () => {
    const named = all(
      readFileSync("docs/architecture.md", "utf8"),
      /`((?:src|test|db|bench|deploy)\/[\w./-]+\.\w+)`/g,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
