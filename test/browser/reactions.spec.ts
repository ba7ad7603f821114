import { expect, test } from "./fixtures.ts";

test("a reaction is given and taken back, and one stays at the post", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(`Frost tonight ${Date.now().toString(36)}${Math.floor(Math.random() * 1e6)}`);
  await page.getByLabel("Text").fill("Cover the courgettes.");
  await page.getByRole("button", { name: "Start the discussion" }).click();
  const post = page.locator("#post-1");
  const thanks = post.getByRole("button", { name: "Thank you: 1 person" });
  await post.getByLabel("React to post 1").click();
  await post.getByRole("button", { name: "Thank you", exact: true }).click();
  await expect(thanks).toHaveAttribute("aria-pressed", "true");
  await accessible();
  await page.reload();
  await expect(thanks).toHaveAttribute("title", "Mira Castellano");
  await thanks.click();
  await expect(thanks).toHaveCount(0);
  await expect(page).toHaveURL(/\/discussions\/[0-9a-f-]{36}/);
});
