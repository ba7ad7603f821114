import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

/** Characters of each line that a text was broken after, in paragraphs of what people wrote. */
const linesOf = (page: Page) =>
  page.locator(".prose p").evaluateAll((paragraphs) =>
    paragraphs.flatMap((paragraph) => {
      const lines: number[] = [];
      const range = document.createRange();
      const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      for (let top = 0, count = 0; texts.nextNode();) {
        const text = texts.currentNode as Text;
        for (let at = 0; at < text.data.length; at++, count++) {
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          const box = range.getBoundingClientRect();
          if (box.height === 0 || box.top < top + 14) continue;
          if (top) lines.push(count);
          [top, count] = [box.top, 0];
        }
      }
      return lines;
    }),
  );

test("lines of what people wrote have 62 to 72 characters, in a discussion, a document and about the place", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [from, kind] of [
    ["/about", null],
    ["/groups/long-beds", /^\/discussions\/[0-9a-f-]{36}$/],
    ["/resources", /^\/resources\/[0-9a-f-]{36}$/],
  ] as const) {
    await page.goto(from);
    if (kind) {
      const ways = await page.locator("main a[href]").evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href).pathname));
      await page.goto(ways.find((way) => kind.test(way))!);
    }
    const lines = (await linesOf(page)).sort((a, b) => a - b);
    expect(lines.length, page.url()).toBeGreaterThan(4);
    expect(lines[lines.length >> 1], page.url()).toBeGreaterThanOrEqual(62);
    expect(lines[lines.length >> 1], page.url()).toBeLessThanOrEqual(72);
  }
});

test("beside the picture of who wrote a post, all of it begins and ends in line with its words", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs("mira");
  await page.goto("/groups/long-beds");
  await page.locator("main [data-item] h2 a, main [data-item] h3 a").first().click();
  const post = page.getByRole("article").first();
  const edges = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((it) => [it.getBoundingClientRect().left, it.getBoundingClientRect().right].map(Math.round));
  await expect(post).toBeVisible();
  const [left, right] = await edges(".post > .prose");
  expect(await edges(".post-foot")).toEqual([left, right]);
  expect(await edges("#reply form")).toEqual([left, right]);
  expect((await edges(".post-by"))[0]).toBe(left);
});
