import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "../support/browser/fixtures.ts";

const { resolve } = createRequire(import.meta.url);
/** Published versions of DocSearch, on a page of another site. */
const VERSIONS = [
  ["3", resolve("docsearch-v3")],
  ["4", resolve("@docsearch/js")],
] as const;
const scriptOf = (main: string) =>
  readFileSync(join(main.slice(0, main.lastIndexOf("dist")), "dist/umd/index.js"), "utf8");
const SITE = "http://docs.example.test";

for (const [version, main] of VERSIONS)
  test(`DocSearch ${version} shows sections, pages and their content, with links to the community`, async ({
    page,
    baseURL,
  }) => {
    const { key } = (await (await page.request.get("/search/key")).json()) as { key: string };
    const html =
      `<!doctype html><meta charset="utf-8"><title>Docs</title><div id="search"></div><script ` +
      `src="/docsearch.js"></script>`;
    await page.route(`${SITE}/`, (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.route(`${SITE}/docsearch.js`, (route) =>
      route.fulfill({ contentType: "text/javascript; charset=utf-8", body: scriptOf(main) }),
    );
    // The published script has no host option: its requests are redirected here, unchanged.
    await page.route(/algolia/, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      return route.fulfill({ response: await route.fetch({ url: `${baseURL}${pathname}${search}` }) });
    });
    await page.goto(`${SITE}/`);
    await page.evaluate((apiKey) => {
      const { docsearch } = globalThis as unknown as { docsearch: (options: object) => void };
      docsearch({ container: "#search", appId: "kith-browser-tests", apiKey, indexName: "docsearch" });
    }, key);
    await page.locator(".DocSearch-Button").click();
    await page.locator(".DocSearch-Input").fill("bean");
    const hits = page.locator(".DocSearch-Hit a");
    await expect(hits.first()).toBeVisible();
    await expect(page.locator(".DocSearch-Hit-source").first()).not.toBeEmpty();
    await expect(page.locator(".DocSearch-Hit mark").first()).toHaveText(/^beans?$/i);
    expect(await hits.first().getAttribute("href")).toMatch(
      /^https?:\/\/.+\/(discussions|posts|resources|groups)\//,
    );
  });
