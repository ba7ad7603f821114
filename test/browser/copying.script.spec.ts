import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { main } from "../support/browser/steps.ts";

async function openProfileMenu(page: Page) {
  await page.goto("/users/tomas");
  await main(page).locator("summary[aria-label^='Actions for']").click();
  return main(page).getByRole("link", { name: /copy link|link copied/i });
}

test("the link of a profile is copied, and the menu item says so", async ({ page, context, signInAs }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAs("mira");
  const link = await openProfileMenu(page);
  await link.click();
  await expect(link).toHaveText("Link copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/users\/[\w-]+$/);
});

test("without a clipboard, as on a plain http address, the item is a link to the profile", async ({
  page,
  signInAs,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await signInAs("mira");
  const link = await openProfileMenu(page);
  await expect(link).toHaveText("Copy link");
  await link.click();
  await expect(main(page).locator("details[open]")).toHaveCount(0);
  await expect(page).toHaveURL(/\/users\/[\w-]+$/);
});
