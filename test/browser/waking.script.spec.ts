import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const LIST = "select[name=locale]";

/** Sets the list as the app does that takes the page over: nobody hears of it. */
const takeOver = (page: Page) => page.locator(LIST).evaluate((list: HTMLSelectElement) => void (list.value = "de"));

/** What the list says once its form is on the way. */
const sentBy = (page: Page) =>
  page.locator(LIST).evaluate((list: HTMLSelectElement) => {
    list.form!.addEventListener("submit", (event) => event.preventDefault(), { once: true });
    list.form!.requestSubmit();
    return list.value;
  });

test("what is chosen while the app wakes, and sent off before it is awake, is sent as it was chosen", async ({ page }) => {
  await page.goto("/");
  await page.locator(LIST).selectOption("de");
  await page.locator(LIST).locator("xpath=ancestor::form").getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");

  // It wakes when its words have come, and they do not come.
  await page.route(/words-de-home/, () => {});
  await page.reload();
  await expect
    .poll(async () => {
      await page.locator(LIST).selectOption("ar");
      await takeOver(page);
      return sentBy(page);
    })
    .toBe("ar");
  await takeOver(page);
  await page.locator(LIST).locator("xpath=ancestor::form").getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
});
