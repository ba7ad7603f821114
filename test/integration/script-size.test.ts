import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { LOCALES } from "../../src/web/i18n/locales.ts";
import {
  createTestDiscussion,
  createTestGroup,
  type TestUsers,
  createTestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/**
 * Kilobytes of gzipped scripts before a page is interactive. Limits slightly above today's size, so that
 * growth does not go unnoticed. They include small parts that a member's page would load right after. Before
 * adding to every page, check whether it can be loaded on demand.
 */
const KILOBYTES = { "a discussion": 177.5, "the first page": 158, "a group": 162.5 };
/** Allowance for another language, which has a text for each English one. */
const MORE_KILOBYTES = 10.5;
const GUEST_KILOBYTES = 15;
/** The formatted editor, which is loaded for those who chose it, when they begin to write. */
const EDITOR_KILOBYTES = 85;

const database = await testDatabase();
const { db } = database;
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;
let pages: Record<keyof typeof KILOBYTES, string>;

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, people.tomas, group.id);
  pages = { "a discussion": `/discussions/${id}`, "the first page": "/", "a group": `/groups/${group.slug}` };
});

const html = async (url: string, headers: Record<string, string> = {}) =>
  (await server.inject({ url, headers })).body;
/** Scripts that a page preloads: the router names all imports of its entry files. */
const scriptsIn = (page: string) => [
  ...new Set([...page.matchAll(/"(\/assets\/[\w.-]+\.js)"/g)].map((match) => match[1]!)),
];
const kilobytes = (scripts: string[]) =>
  scripts.reduce((sum, path) => sum + gzipSync(readFileSync(`build/client${path}`), { level: 9 }).length, 0) /
  1_000;

describe("scripts of a page", () => {
  test.each(Object.keys(LOCALES))("stay within their limit for a member who reads in %s", async (locale) => {
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

  test("do not contain the formatted editor, which stays within its own limit", async () => {
    const [editor, ...others] = globSync("build/client/assets/formatted-editor-*.js");
    expect(others).toEqual([]);
    const name = editor!.replace("build/client", "");
    for (const url of Object.values(pages))
      expect(scriptsIn(await html(url, as(people.mira))), url).not.toContain(name);
    const needed = [...readFileSync(editor!, "utf8").matchAll(/from"\.\/([\w.-]+\.js)"/g)].map(
      ([, it]) => `/assets/${it}`,
    );
    const loaded = scriptsIn(await html(pages["a discussion"], as(people.mira)));
    expect(kilobytes([name, ...needed.filter((it) => !loaded.includes(it))])).toBeLessThan(EDITOR_KILOBYTES);
  });

  // `sideEffects` in package.json lets the bundler drop unused modules; a file with side effects only would
  // be dropped too.
  test("have no imports for side effects, except of styles", () => {
    const files = globSync("src/{web,community/rules}/**/*.{ts,tsx}");
    const found = files.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^import "[^"]*(?<!\.css)";/gm)].map(
        ([line]) => `${path}: ${line}`,
      ),
    );
    expect(found).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });

  // Client and server build name the same file; a differing name would be preloaded for nothing.
  test("come with preloads of fonts that the style sheets use", async () => {
    const early = [
      ...(await html("/", as(people.mira))).matchAll(
        /<link rel="preload" as="font"[^>]* href="(\/assets\/[^"]+)"/g,
      ),
    ];
    const styles = globSync("build/client/assets/*.css")
      .map((path) => readFileSync(path, "utf8"))
      .join("");
    expect(early.length).toBeGreaterThan(1);
    for (const [, font] of early) expect(styles).toContain(font);
  });

  test.each(Object.keys(LOCALES))("stay minimal for a guest who reads in %s", async (locale) => {
    for (const [page, url] of Object.entries(pages)) {
      const sent = await html(url, { "accept-language": locale });
      const scripts = [...sent.matchAll(/<script [^>]*src="([^"]+)"/g)].map((match) => match[1]!);
      expect(scripts, page).toHaveLength(1);
      expect(sent).not.toContain("modulepreload");
      expect(kilobytes(scripts), page).toBeLessThan(GUEST_KILOBYTES);
    }
  });
});
