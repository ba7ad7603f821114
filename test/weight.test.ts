import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { LOCALES } from "../src/web/words/locales.ts";
import { aDiscussion, aGroup, type Cast, cast } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/**
 * What a browser loads of scripts before a page is awake, packed by gzip. Bounds, and no promises: they stand a little above what it
 * is today, so that it does not grow unseen. Who adds to every page looks first whether it can come when it is wanted.
 */
const KILOBYTES = { "a discussion": 114, "the first page": 98, "a group": 100 };
/** What another language may have more: it has a text for each English one. */
const MORE_KILOBYTES = 10.5;
const GUEST_KILOBYTES = 15;

const database = await testDatabase();
const { db } = database;
const { server, as } = await servedPages(database);
let people: Cast;
let pages: Record<keyof typeof KILOBYTES, string>;

beforeEach(async () => {
  database.clock.at = new Date();
  people = await cast(database);
  const group = await aGroup(database, people);
  const { id } = await aDiscussion(database, people.tomas, group.id);
  pages = { "a discussion": `/discussions/${id}`, "the first page": "/", "a group": `/groups/${group.slug}` };
});

const html = async (url: string, headers: Record<string, string> = {}) => (await server.inject({ url, headers })).body;
/** Scripts that a page names as ones to fetch: the router names all that those which it begins with import. */
const scriptsIn = (page: string) => [...new Set([...page.matchAll(/"(\/assets\/[\w.-]+\.js)"/g)].map((match) => match[1]!))];
const kilobytes = (scripts: string[]) =>
  scripts.reduce((sum, path) => sum + gzipSync(readFileSync(`build/client${path}`), { level: 9 }).length, 0) / 1_000;

describe("the scripts of a page", () => {
  test.each(Object.keys(LOCALES))("are few enough for a member who reads in %s", async (locale) => {
    await run(db, sql`update people set locale = ${locale} where id = ${people.mira.id}`);
    for (const [page, most] of Object.entries(KILOBYTES)) {
      const scripts = scriptsIn(await html(pages[page as keyof typeof pages], as(people.mira)));
      expect(
        scripts.filter((path) => path.includes(`words-${locale}-`)),
        page,
      ).toHaveLength(1);

      expect(kilobytes(scripts), page).toBeLessThan(most + (locale === "en" ? 0 : MORE_KILOBYTES));
      expect(kilobytes(scripts), "what is counted is most of it").toBeGreaterThan(80);
    }
  });

  // `sideEffects` in package.json lets the bundler leave out what nobody asks for, and a file that only does something is never asked for.
  test("come from files that are asked for something: only styles are loaded for what they do", () => {
    const files = globSync("src/{web,community/rules}/**/*.{ts,tsx}");
    const found = files.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^import "[^"]*(?<!\.css)";/gm)].map(([line]) => `${path}: ${line}`),
    );
    expect(found).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });

  // Two builds name the same file, and what only one of them calls so is fetched for nothing.
  test("stand beside fonts that are fetched early, which are those that the style sheets name", async () => {
    const early = [...(await html("/", as(people.mira))).matchAll(/<link rel="preload" as="font"[^>]* href="(\/assets\/[^"]+)"/g)];
    const styles = globSync("build/client/assets/*.css")
      .map((path) => readFileSync(path, "utf8"))
      .join("");
    expect(early.length).toBeGreaterThan(1);
    for (const [, font] of early) expect(styles).toContain(font);
  });

  test.each(Object.keys(LOCALES))("are next to none for a guest who reads in %s", async (locale) => {
    for (const [page, url] of Object.entries(pages)) {
      const sent = await html(url, { "accept-language": locale });
      const scripts = [...sent.matchAll(/<script [^>]*src="([^"]+)"/g)].map((match) => match[1]!);
      expect(scripts, page).toHaveLength(1);
      expect(sent).not.toContain("modulepreload");
      expect(kilobytes(scripts), page).toBeLessThan(GUEST_KILOBYTES);
    }
  });
});
