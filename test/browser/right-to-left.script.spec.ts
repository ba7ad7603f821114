import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("code is left-to-right in a right-to-left text", async ({ page, signInAs }) => {
  await signInAs("mira");
  const body = "أهلًا بكم جميعًا.\n\n```js\nconst leeks = sow();\n```\n\nهكذا نكتب `sow()` هنا.";
  await startDiscussion(page, uniqueName("أهلًا"), body);
  const text = main(page).locator(".prose").first();
  await expect(text.locator("p").first()).toHaveCSS("direction", "rtl");
  for (const code of ["pre", "p code"]) await expect(text.locator(code)).toHaveCSS("direction", "ltr");
});

async function inArabic(page: Page): Promise<void> {
  await page.getByRole("contentinfo").locator("select[name=locale]").selectOption("ar");
  await page.getByRole("contentinfo").getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  // Waits for the style sheets, because a page without them has another layout.
  await page.waitForLoadState();
}

test("search results follow the page's direction, whatever names they contain", async ({ page }) => {
  await page.goto("/search?q=water");
  await inArabic(page);
  const about = main(page)
    .locator("[data-item] p", { has: page.locator("time") })
    .first();
  await expect(about).toHaveCSS("direction", "rtl");
  await expect(about.locator("bdi").first()).toHaveCSS("unicode-bidi", "isolate");
});

test("an address is left-to-right", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/resources/new");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await expect(page.locator("input[name=url]")).toHaveCSS("direction", "ltr");
  await expect(page.locator("input[name=url]")).toHaveCSS("text-align", "right");
});

test("a name in another script is aligned with the page's own direction", async ({ page }) => {
  await page.goto("/groups/long-beds");
  await inArabic(page);
  const name = main(page).getByRole("heading", { level: 1 });
  await expect(name).toHaveText("The Long Beds");
  await expect(name).toHaveCSS("text-align", "right");
});

test("a title in another language is aligned with the page's own direction", async ({ page }) => {
  await page.goto("/groups/long-beds?sort=top");
  await inArabic(page);
  await main(page).getByRole("link", { name: "What do we do about the water?" }).click();
  const title = main(page).getByRole("heading", { level: 1 });
  await expect(title).toHaveText("What do we do about the water?");
  await expect(title).toHaveAttribute("lang", "en");
  await expect(title).toHaveCSS("text-align", "right");
  await expect(page.locator(".shell-aside .rail-name").first()).toHaveCSS("text-align", "right");
});

/** Horizontal range on the page of the first text like `pattern` within an element. */
const reach = (within: ReturnType<Page["locator"]>, pattern: RegExp) =>
  within.evaluate((element, source) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const found = new RegExp(source, "u").exec(node.textContent ?? "");
      if (!found) continue;
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    }
    throw new Error(`nothing like ${source}`);
  }, pattern.source);

test("a date follows the author's name and does not merge with it", async ({ page }) => {
  await page.goto("/groups/long-beds");
  await inArabic(page);
  const line = main(page)
    .locator("[data-item] p", { has: page.locator("time", { hasText: /^\d+ \D+$/ }) })
    .first();
  const name = await reach(line, /[A-Z]\S+ [A-Z]\S+/);
  const day = await reach(line.locator("time"), /^\d+/);
  expect(day.right).toBeLessThanOrEqual(name.left);
});

test("numbers of group rules in another script stay within the page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/groups/long-beds?tab=about");
  await inArabic(page);
  await expect(main(page).locator("ol").first()).toHaveCSS("direction", "ltr");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test("a name too long for its line is truncated at the end of the name", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await signInAs("tomas");
  await page.goto("/groups/long-beds/manage/members");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  const row = main(page).getByRole("listitem").filter({ hasText: "Marguerite Lacombe" });
  const line = await row
    .locator("p")
    .first()
    .evaluate((it) => it.getBoundingClientRect().left);
  const handle = await reach(row, /^marg/);
  expect(handle.left).toBeGreaterThanOrEqual(line);
});
