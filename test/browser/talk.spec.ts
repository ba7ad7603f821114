import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

/** Names that no other run of the same house has used. */
const unique = (words: string) => `${words} ${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

async function startDiscussion(page: Page, title: string, body = "The first words.") {
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text").fill(body);
  await page.getByRole("button", { name: "Start the discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
}

test("a change made from an older text is refused with both texts, and can then be saved", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Two hands on one text"), "Sow in May.");
  await page.getByLabel("More for post 1").click();
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in May.");
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(page.url());
  await elsewhere.getByLabel("Your post").fill("Sow in June.");
  await elsewhere.getByRole("button", { name: "Save" }).click();
  await expect(elsewhere.locator("#post-1")).toContainText("Sow in June.");

  await page.getByLabel("Your post").fill("Sow in mid May.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This post has been changed elsewhere meanwhile.")).toBeVisible();
  await expect(page.getByLabel("What stands here now")).toHaveValue("Sow in June.");
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in mid May.");
  await accessible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#post-1 .prose")).toHaveText("Sow in mid May.");
});

test("a guest sees what a post said before", async ({ page, accessible }) => {
  await page.goto("/groups/long-beds");
  await page.getByRole("main").getByRole("link", { name: "What do we do about the water?" }).click();
  await page
    .getByRole("link", { name: /^edited/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: /^What post \d+ said before/ })).toBeVisible();
  await expect(page.getByText(/wrote this/)).toBeVisible();
  await accessible();
});
