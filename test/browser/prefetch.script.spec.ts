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

test("hovering a link fetches the page's scripts and data, which opening it uses", async ({
  page,
  signInAs,
}) => {
  const title = uniqueName("Beside the pond");
  await signInAs("mira");
  await startDiscussion(page, title);
  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  await page.goto("/discussions", { waitUntil: "networkidle" });
  const link = main(page).getByRole("link", { name: title }).first();
  const answered = page.waitForResponse((it) => it.url().includes(`/discussions/${id}.data`));
  await link.hover();
  const response = await answered;
  expect(await response.request().headerValue("kith-prefetch")).toBe("1");
  expect(response.headers()["cache-control"]).toBe("private, max-age=3");
  await expect(page.locator('head link[rel="modulepreload"][href*="discussion-page"]')).toHaveCount(1);
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const transfers = await readTransfers(page, `/discussions/${id}.data`);
  expect(transfers.at(0)).toBeGreaterThan(0);
  expect(transfers.at(-1)).toBe(0);
});

test("hovering a conversation does not open it for the other person", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/messages", { waitUntil: "networkidle" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await main(page).locator('a[href^="/conversations/"]').first().hover();
  await expect(page.locator('head link[rel="modulepreload"][href*="conversation-page"]')).toHaveCount(1);
  expect(asked.filter((url) => url.includes(".data"))).toEqual([]);
});
