import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("a page counts as read once delivered, without scripts", async ({ page, signInAs }) => {
  await signInAs("ines");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(page.getByRole("main").getByRole("link", { name: "What do we do about the water?" }));
  const address = page.url().split(/[?#]/)[0]!;
  await page.goto(`${address}?page=1`);
  await page.getByLabel("Go to post").fill("25");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await expect(page.locator("#post-25")).toBeVisible();
  await page.goto(address);
  await expect(page.locator("#post-1")).toHaveCount(0);
});
