import { expect, test } from "../support/browser/fixtures.ts";
import { uniqueName } from "../support/browser/steps.ts";

test("text typed by a guest is restored after signing in without scripts", async ({ page }) => {
  await page.goto("/groups/repair-evening");
  await page.getByRole("main").locator('a[href^="/discussions/"]').first().click();
  const words = uniqueName("A guest without scripts wrote this.");
  await page.getByRole("textbox", { name: "Your reply" }).fill(words);
  await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
  const inline = page.getByRole("region", { name: "Sign in to send" });
  await inline.getByLabel("Email address or username").fill("mira");
  await inline.getByLabel("Password", { exact: true }).fill("lindenhof-garden-26");
  await inline.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/discussions\//);
  await expect(page.getByRole("textbox", { name: "Your reply" })).toHaveValue(words);
  await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
  await expect(page.getByRole("article").filter({ hasText: words })).toBeVisible();
});
