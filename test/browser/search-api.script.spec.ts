import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { build, type Rolldown } from "vite";
import { expect, test } from "../support/browser/fixtures.ts";

/** A page on another origin with the published InstantSearch, which uses our search API from the browser. */
const port = Number(process.env["KITH_TEST_PORT"]);
let elsewhere: Server;
test.beforeAll(async () => {
  const built = (await build({
    configFile: false,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: "test/support/browser/instantsearch-page.ts" },
    },
  })) as Rolldown.RolldownOutput;
  const script = built.output[0].code;
  elsewhere = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(
      isScript
        ? script
        : '<!doctype html><title>Elsewhere</title><div id="page"></div><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((done) => elsewhere.listen(0, "127.0.0.1", done));
});
test.afterAll(() => void elsewhere.close());

async function open(page: Page, place: { key: string; indexName: string }) {
  await page.addInitScript((it) => Object.assign(globalThis, { place: it }), {
    appId: "kith-browser-tests",
    port,
    ...place,
  });
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
}

test("InstantSearch on another site finds public content, and a member's content with their key", async ({
  page,
  signInAs,
}) => {
  const keyHere = async () => ((await (await page.request.get("/search/key")).json()) as { key: string }).key;
  const guests = await keyHere();
  await open(page, { key: guests, indexName: "posts" });
  await page.getByRole("searchbox").first().fill("bean");
  await expect(page.locator("mark").first()).toHaveText(/^beans?$/i);
  await expect(page.locator(".ais-Stats")).toContainText(/^[1-9]\d* results? found/);
  const before = await page.locator(".ais-Hits-item").count();
  await page.getByRole("checkbox").first().check();
  await expect(page.locator(".ais-Hits-item")).not.toHaveCount(before);
  await expect(page.locator(".ais-Hits-item").first()).toBeVisible();
  await page.getByRole("searchbox").last().fill("st");
  await expect(page.locator(".ais-RefinementList mark").first()).toHaveText(/^st$/i);

  await open(page, { key: guests, indexName: "people" });
  await expect(page.locator(".ais-Stats")).toContainText("No results");
  await signInAs("mira");
  await open(page, { key: await keyHere(), indexName: "people" });
  await page.getByRole("searchbox").first().fill("tomas");
  await expect(page.locator(".ais-Hits-item").first()).toContainText("Tomas");
});
