import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

/** Bytes that each request for this data took over the network, first to last; none if it was cached. */
const readTransfers = (page: Page, path: string) =>
  page.evaluate(
    (wanted) =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => new URL(name).pathname === wanted)
        .map((entry) => (entry as PerformanceResourceTiming).transferSize),
    path,
  );

test("hovering a link prefetches the page's scripts and data, which a click uses", async ({
  page,
  signInAs,
}) => {
  const title = uniqueName("Beside the pond");
  await signInAs("mira");
  await startDiscussion(page, title);
  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  await page.goto("/discussions");
  const link = main(page).getByRole("link", { name: title }).first();
  const answered = page.waitForResponse((it) => it.url().includes(`/discussions/${id}.data`));
  const scripts = page.waitForRequest(/\/assets\/discussion-page-/);
  await link.hover();
  const response = await answered;
  await scripts;
  expect(await response.request().headerValue("kith-prefetch")).toBe("1");
  expect(response.headers()["cache-control"]).toBe("private, max-age=3");
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const transfers = await readTransfers(page, `/discussions/${id}.data`);
  expect(transfers.at(0)).toBeGreaterThan(0);
  expect(transfers.at(-1)).toBe(0);
});

test("data prefetched before a change is dropped", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("By the wall"));
  const path = `${new URL(page.url()).pathname}.data`;
  await page.goto("/discussions");
  const link = main(page)
    .locator(`a[href^="${path.replace(".data", "")}"]`)
    .first();
  const answered = page.waitForResponse((it) => it.url().includes(path));
  await link.hover();
  await answered;
  // Focus and a key in the search box stand for any change.
  await page.getByRole("searchbox").first().pressSequentially("w");
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(path.replace(".data", "")));
  expect((await readTransfers(page, path)).at(-1)).toBeGreaterThan(0);
});

test("hovering a conversation does not mark it as read", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/messages");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const scripts = page.waitForRequest(/\/assets\/conversation-page-/);
  await main(page).locator('a[href^="/conversations/"]').first().hover();
  await scripts;
  expect(requests.filter((url) => url.includes(".data"))).toEqual([]);
});
