import { expect, type Page } from "@playwright/test";

/** A post or comment by its number on the page. */
export const post = (page: Page, number: number) => page.locator(`#post-${number}`);

export const thumbsUp = (page: Page, number: number) =>
  post(page, number).locator(".pill").filter({ hasText: "👍" });

/** Moves the focus out of fields and posts. */
export const blurFields = (page: Page) => page.locator("h1").click();

/** Waits until shortcuts are active: their help sheet opens. */
export async function waitForShortcuts(page: Page) {
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
}

/** Waits until pressed keys have had their effect, or none. */
export const waitForKeys = (page: Page) => page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
