import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { SHELL, textsBySection } from "../../src/web/i18n/section-texts.ts";
import { siteSection } from "../../src/web/i18n/site-section.ts";
import { CATALOGUES, readCatalogue } from "../support/catalogue-texts.ts";

const CLIENT = "build/client";
type Route = {
  id: string;
  path?: string;
  index?: boolean;
  parentId?: string;
  module: string;
  imports?: string[];
};
type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, Route> };

/** Route manifest of the build. */
function manifest(): Manifest {
  const file = readdirSync(`${CLIENT}/assets`).find((name) => /^manifest-\w+\.js$/.test(name))!;
  return JSON.parse(readFileSync(`${CLIENT}/assets/${file}`, "utf8").replace(/^[^{]*|;$/g, "")) as Manifest;
}

const texts = new Map<string, string>();
const textOf = (path: string) =>
  texts.get(path) ?? texts.set(path, readFileSync(CLIENT + path, "utf8")).get(path)!;

const isWords = (name: string) => /^(_virtual_words|en|de|fr|es|ar)-/.test(name);
/** Scripts of code that pages share: no page uses all their texts. */
const isShared = (name: string) => /^(frame|shared|admin)-/.test(name);

/** These scripts and everything they import or may load later, except translations and shared code. */
function reached(scripts: string[]): Set<string> {
  const seen = new Set(scripts);
  for (const path of seen)
    for (const [, name] of textOf(path).matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g))
      if (!isWords(name!) && !isShared(name!)) seen.add(`/assets/${name}`);
  return seen;
}

/** Messages of the catalogue that occur in a script. Single words may occur for other reasons. */
const sentences = Object.keys(readCatalogue("de")).filter(
  (text) => text.includes(" ") && !/["'`\\\n]/.test(text),
);
const found = new Map<string, string[]>();
function sentencesIn(path: string): string[] {
  if (!found.has(path)) {
    const literals = new Set(textOf(path).split(/[`"]/));
    found.set(
      path,
      sentences.filter((sentence) => literals.has(sentence)),
    );
  }
  return found.get(path)!;
}

/** Scripts of a page, including its layouts. */
function scriptsOf({ entry, routes }: Manifest, page: Route): Set<string> {
  const way = [page];
  while (way[0]!.parentId) way.unshift(routes[way[0]!.parentId]!);
  return reached([entry.module, ...way.map((route) => route.module)]);
}

const names = JSON.parse(readFileSync("build/words.json", "utf8")) as Record<string, Record<string, string>>;
const wordsIn = async (path: string) =>
  Object.keys(
    ((await import(pathToFileURL(join(CLIENT, path)).href)) as { default: Record<string, unknown> }).default,
  );

describe("translations sent to the browser", () => {
  test.each(CATALOGUES)(
    "in %s include all texts of a page, also those of closed dialogs and menus",
    async (locale) => {
      const built = manifest();
      const parts = names[locale]!;
      const shell = await wordsIn(parts[SHELL]!);
      const same = new Set(
        Object.entries(readCatalogue(locale)).flatMap(([text, translation]) =>
          text === translation ? [text] : [],
        ),
      );
      const pages = Object.values(built.routes).filter(
        ({ path, index }) => (path !== undefined && path !== "*") || index,
      );
      expect(pages.length).toBeGreaterThan(80);
      let seen = 0;
      for (const page of pages) {
        const own = parts[siteSection(`/${page.path ?? ""}`)];
        const had = new Set([...shell, ...(own ? await wordsIn(own) : []), ...same]);
        const ownSentences = [...scriptsOf(built, page)].flatMap(sentencesIn);
        expect(
          ownSentences.filter((sentence) => !had.has(sentence)),
          page.id,
        ).toEqual([]);
        seen += ownSentences.length;
      }
      expect(seen).toBeGreaterThan(3_000);
      const all = new Set([...(await Promise.all(Object.values(parts).map(wordsIn))).flat(), ...same]);
      const scripts = readdirSync(`${CLIENT}/assets`).filter(
        (name) => name.endsWith(".js") && !isWords(name),
      );
      expect(
        scripts.flatMap((name) => sentencesIn(`/assets/${name}`)).filter((sentence) => !all.has(sentence)),
      ).toEqual([]);
    },
  );

  test("contain one section of the site, not all", async () => {
    const whole = Object.keys(readCatalogue("de")).length;
    for (const path of Object.values(names["de"]!))
      expect((await wordsIn(path)).length).toBeLessThan(whole / 3);
    const discussions = await wordsIn(names["de"]!["discussions"]!);
    expect(discussions).not.toContain("Visibility for guests");
    expect(await wordsIn(names["de"]!["admin"]!)).toContain("Visibility for guests");
  });
});

describe("site section", () => {
  test("separates managing groups and discussions from reading them", () => {
    expect(
      ["/groups/long-beds/manage/log", "/Discussions/1/Manage", "/groups/manage"].map(siteSection),
    ).toEqual(["groups-manage", "discussions-manage", "groups"]);
  });

  test("is the first segment of a path, in any letter case", () => {
    expect(["/", "/groups", "/Groups/long-beds", "/admin/settings", ""].map(siteSection)).toEqual([
      "home",
      "groups",
      "groups",
      "admin",
      "home",
    ]);
  });

  test("contains the texts of its own pages, without those that every page has", () => {
    const brings: Record<string, string[]> = {
      "src/web/layouts/default.tsx": ["src/web/layouts/navigation-progress.tsx"],
      "src/web/home/rules-page.tsx": [
        "src/web/people/hover-cards.tsx",
        "src/web/layouts/navigation-progress.tsx",
      ],
      "src/web/people/hover-cards.tsx": [
        "src/web/discussions/posts/author-avatar.tsx",
        "src/web/people/hover-cards.tsx",
      ],
    };
    const routes = [
      {
        file: "layouts/default.tsx",
        children: [
          { file: "home/rules-page.tsx", path: "rules" },
          { file: "groups/new-group.tsx", path: "groups/new" },
        ],
      },
      { file: "discussions/reading/live-discussion-data.ts", path: "discussions/:id/now" },
    ];
    const words = textsBySection(routes, "src/web", (file) => brings[file] ?? []);
    expect([...words.keys()]).toEqual([SHELL, "rules", "groups"]);
    expect(words.get(SHELL)).toContain("Loading");
    expect(words.get("groups")).not.toContain("Loading");
    expect([...words.get("groups")!].length).toBeGreaterThan(0);
  });
});
