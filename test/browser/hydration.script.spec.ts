import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, waitForHydration } from "../support/browser/steps.ts";

const LIST = "select[name=locale]";

/** Sets the select as hydration does, without an event. */
const takeOver = (page: Page) =>
  page.locator(LIST).evaluate((list: HTMLSelectElement) => void (list.value = "de"));

/** Value of the select once its form is sent. */
const sentBy = (page: Page) =>
  page.locator(LIST).evaluate((list: HTMLSelectElement) => {
    list.form!.addEventListener("submit", (event) => event.preventDefault(), { once: true });
    list.form!.requestSubmit();
    return list.value;
  });

test("an option selected and submitted during hydration is sent", async ({ page }) => {
  await page.goto("/");
  await page.locator(LIST).selectOption("de");
  await page.locator(LIST).locator("xpath=ancestor::form").getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");

  // Hydration waits for its translations, which never arrive.
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

/** Links and meta tags of the server-rendered head, without those that only help hydration. */
const headIn = (html: string) =>
  [...html.slice(html.indexOf("<head>"), html.indexOf("</head>")).matchAll(/<(?:link|meta|title)\b[^>]*>/g)]
    .map(([tag]) => /(?:href|name|charSet|property)="[^"]*"/.exec(tag)?.[0] ?? tag)
    .filter((it) => !/\.js"/.test(it))
    .toSorted();

test("hydration leaves the server-rendered head unchanged", async ({ page, signInAs }) => {
  await signInAs("mira");
  const serverHtml = (await (await page.goto("/"))!.text()).replaceAll("/>", ">");
  const now = await page.evaluate(
    () => `<head>${document.head.innerHTML.replaceAll("charset=", "charSet=")}</head>`,
  );
  expect(headIn(now)).toEqual(headIn(serverHtml));
  const styles = await page.evaluate(() => [...document.styleSheets].map((sheet) => sheet.href));
  expect(styles.length).toBeGreaterThan(0);

  const link = page.getByRole("main").locator("a[href*='/discussions/']").first();
  await link.click();
  await expect(page).toHaveURL(/\/discussions\//);
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  await expect.poll(() => page.title()).toContain(`${title!.trim()} · `);
  expect(await page.evaluate(() => [...document.styleSheets].map((sheet) => sheet.href))).toEqual(
    expect.arrayContaining(styles),
  );
  await page.goBack();
  await expect(page).toHaveTitle(/^(\(\d+\) )?Lindenhof Commons$/);
});

test("an error page has its own title, even after a client navigation", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/groups/nowhere-at-all");
  await expect(page).toHaveTitle(/^(\(\d+\) )?404 · Page Not Found$/);
  await waitForHydration(page);
  await expect(page).toHaveTitle(/^(\(\d+\) )?404 · Page Not Found$/);
  await followLink(page.getByRole("link", { name: "Go to the home page" }));
  await expect(page).toHaveTitle(/^(\(\d+\) )?Lindenhof Commons$/);
  await page.goBack();
  await expect(page).toHaveTitle(/^(\(\d+\) )?404 · Page Not Found$/);
});
