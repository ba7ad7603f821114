import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { main, startDiscussion, unique } from "./steps.ts";

test("code is written from left to right in a text that is not", async ({ page, signInAs }) => {
  await signInAs("mira");
  const body = "أهلًا بكم جميعًا.\n\n```js\nconst leeks = sow();\n```\n\nهكذا نكتب `sow()` هنا.";
  await startDiscussion(page, unique("أهلًا"), body);
  const text = main(page).locator(".prose").first();
  await expect(text.locator("p").first()).toHaveCSS("direction", "rtl");
  for (const code of ["pre", "p code"]) await expect(text.locator(code)).toHaveCSS("direction", "ltr");
});

async function inArabic(page: Page): Promise<void> {
  await page.getByRole("contentinfo").locator("select[name=locale]").selectOption("ar");
  await page.getByRole("contentinfo").getByRole("button").click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  // Without its styles a page has other measures.
  await page.waitForLoadState();
}

test("what was found says who and when in the page's own direction, whatever names stand in it", async ({ page }) => {
  await page.goto("/search?q=water");
  await inArabic(page);
  const about = main(page)
    .locator("[data-item] p", { has: page.locator("time") })
    .first();
  await expect(about).toHaveCSS("direction", "rtl");
  await expect(about.locator("bdi").first()).toHaveCSS("unicode-bidi", "isolate");
});

test("an address is written from left to right", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/resources/new");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await expect(page.locator("input[name=url]")).toHaveCSS("direction", "ltr");
  await expect(page.locator("input[name=url]")).toHaveCSS("text-align", "right");
});

test("a name in another script begins where the page's own names begin", async ({ page }) => {
  await page.goto("/groups/long-beds");
  await inArabic(page);
  const name = main(page).getByRole("heading", { level: 1 });
  await expect(name).toHaveText("The Long Beds");
  await expect(name).toHaveCSS("text-align", "right");
});

/** From where to where the first words like `pattern` within an element reach, on the page. */
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

test("a day stands after the name of who wrote then, and is not drawn into it", async ({ page }) => {
  await page.goto("/groups/long-beds");
  await inArabic(page);
  const line = main(page)
    .locator("[data-item] p", { has: page.locator("time", { hasText: /^\d+ \D+$/ }) })
    .first();
  const name = await reach(line, /[A-Z]\S+ [A-Z]\S+/);
  const day = await reach(line.locator("time"), /^\d+/);
  expect(day.right).toBeLessThanOrEqual(name.left);
});

test("the numbers of rules in another script stand on the page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/groups/long-beds?tab=about");
  await inArabic(page);
  await expect(main(page).locator("ol").first()).toHaveCSS("direction", "ltr");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test("a name that is too long for its line loses its end, not its beginning", async ({ page, signInAs }) => {
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
