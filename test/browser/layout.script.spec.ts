import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { waitForHydration } from "../support/browser/steps.ts";

/** Characters of each wrapped line, in paragraphs of people's text. */
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

test("lines of text have 62 to 72 characters in a discussion, a document and the about page", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [from, kind] of [
    ["/about", null],
    ["/groups/long-beds", /^\/discussions\/[0-9a-f-]{36}$/],
    ["/resources", /^\/resources\/[0-9a-f-]{36}$/],
  ] as const) {
    await page.goto(from);
    if (kind) {
      const paths = await page
        .locator("main a[href]")
        .evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href).pathname));
      await page.goto(paths.find((way) => kind.test(way))!);
    }
    const lines = (await linesOf(page)).sort((a, b) => a - b);
    expect(lines.length, page.url()).toBeGreaterThan(4);
    expect(lines[lines.length >> 1], page.url()).toBeGreaterThanOrEqual(62);
    expect(lines[lines.length >> 1], page.url()).toBeLessThanOrEqual(72);
  }
});

test("a post's author, footer and reply form align with its text", async ({ page, signInAs }) => {
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

/** Touch targets that are too small, including the area around them, without links within text. */
const tooSmall = (page: Page) =>
  page.locator("a[href], button, summary, select, textarea, input:not([type=hidden])").evaluateAll((all) => {
    const isWords = (it: Element, { backgroundColor, padding, display }: CSSStyleDeclaration) =>
      it.matches("a:not(.post-number):not(:has(svg, img, .icon, .face))") &&
      (display === "inline" || (padding === "0px" && backgroundColor === "rgba(0, 0, 0, 0)"));
    return all
      .map((it) =>
        it.matches("[type=checkbox], [type=radio], [type=file]") ? (it.closest("label") ?? it) : it,
      )
      .filter(
        (it) =>
          it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
          !it.closest(".skip, .sr-only, .prose"),
      )
      .filter((it) => it.getBoundingClientRect().right > 0 && !isWords(it, getComputedStyle(it)))
      .map((it) => {
        const { width, height } = it.getBoundingClientRect();
        const around = getComputedStyle(it, "::after");
        const reach = around.position === "absolute" ? around : { width: "0", height: "0" };
        const size = [Math.max(width, parseFloat(reach.width)), Math.max(height, parseFloat(reach.height))];
        return {
          size,
          description: `${it.tagName} “${(it.ariaLabel ?? it.textContent).trim()}” ${size.join(" × ")}`,
        };
      })
      .filter(({ size }) => Math.min(...size) < 43.9)
      .map(({ description }) => description);
  });

const FINGER = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const WAYS = [
  /^\/discussions\/[0-9a-f-]{36}$/,
  /^\/conversations\/[0-9a-f-]{36}$/,
  /^\/resources\/[0-9a-f-]{36}$/,
];

for (const [who, pages] of [
  [
    undefined,
    [
      "/",
      "/groups",
      "/groups/long-beds",
      "/discussions",
      "/resources",
      "/search?q=seeds",
      "/login",
      "/register",
    ],
  ],
  [
    "mira",
    [
      "/",
      "/groups",
      "/groups/long-beds",
      "/discussions",
      "/messages",
      "/notifications",
      "/resources",
      "/search?q=seeds",
    ],
  ],
  ["mira", ["/myFriends", "/users", "/groups/long-beds/new", "/bookmarks", "/new"]],
] as const)
  test(`touch targets for ${who ?? "a guest"} are large enough on ${pages.join(", ")}`, async ({
    another,
  }) => {
    const page = await another(who, FINGER);
    const found: string[] = [];
    const paths = new Set<string>();
    const look = async (path: string) => {
      await page.goto(path);
      // Opens menus and other collapsed content, so that it is measured too.
      await page.evaluate(() =>
        document
          .querySelectorAll("main details, header details")
          .forEach((it) => it.setAttribute("open", "")),
      );
      found.push(...(await tooSmall(page)).map((it) => `${path}: ${it}`));
      const links = await page
        .locator("main a[href]")
        .evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href).pathname));
      for (const kind of WAYS) {
        const way = links.find((link) => kind.test(link));
        if (way && ![...paths].some((known) => kind.test(known))) paths.add(way);
      }
    };
    for (const path of pages) await look(path);
    for (const path of paths) await look(path);
    expect(found).toEqual([]);
  });

/** Elements of the page that overlap another one of the same kind. */
const overlapping = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => {
    const boxes = all.map((it) => ({ it, box: it.getBoundingClientRect() }));
    return boxes
      .filter(({ it, box }) =>
        boxes.some(
          (other) =>
            other.it !== it &&
            Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 0.5 &&
            Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 0.5,
        ),
      )
      .map(({ it }) => it.textContent);
  });

test("on a small phone nothing overlaps, fields are large, and the account menu has all of its links", async ({
  another,
}) => {
  const page = await another("mira", { ...FINGER, viewport: { width: 320, height: 640 } });
  for (const path of ["/messages", "/search?q=seeds", "/myFriends", "/groups/long-beds"]) {
    await page.goto(path);
    expect(await overlapping(page, ".tabs a"), path).toEqual([]);
    const labels = page.locator("main .tabs a, main .button");
    const cut = await labels.evaluateAll((all) =>
      all.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.textContent),
    );
    expect(cut, path).toEqual([]);
    const sizes = await page
      .locator("main :is(input, select, textarea):visible")
      .evaluateAll((all) => all.map((it) => parseFloat(getComputedStyle(it).fontSize)));
    for (const size of sizes) expect(size, path).toBeGreaterThanOrEqual(16);
  }
  await expect(page.locator("main [data-item] a").first()).toBeInViewport();
  await page.getByLabel("Account menu").tap();
  await expect(page.getByRole("link", { name: "Profile" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Sign out" })).toBeInViewport({ ratio: 1 });
  await page.touchscreen.tap(100, 60);
  await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
  await expect(page).toHaveURL(/long-beds$/);
});

test("a conversation fills the screen of a phone, and its composer is above the keyboard", async ({
  another,
  accessible,
}) => {
  const page = await another("mira", { ...FINGER, viewport: { width: 390, height: 740 } });
  await page.goto("/messages");
  await page.locator('main a[href^="/conversations/"]').first().tap();
  const composer = page.locator(".write-here");
  await expect(composer).toBeVisible();
  await waitForHydration(page);
  for (const bar of ["contentinfo", "search"] as const) await expect(page.getByRole(bar)).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Quick links" })).toBeHidden();
  await expect(page.getByRole("link", { name: "All messages" })).toBeInViewport({ ratio: 1 });
  const bottom = () => composer.evaluate((it) => Math.round(it.getBoundingClientRect().bottom));
  expect(await bottom()).toBe(740);
  await accessible(undefined, page);
  // A keyboard covers the lower part of the page and leaves its layout as it was.
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, "height", { value: 440 });
    visualViewport!.dispatchEvent(new Event("resize"));
  });
  await expect.poll(bottom).toBe(440);
});

test("a reply to a post opens as a sheet on a phone, with the quoted line and the field focused", async ({
  another,
  accessible,
}) => {
  const page = await another("mira", FINGER);
  await page.goto("/groups/long-beds?sort=top");
  await page.getByRole("link", { name: "What do we do about the water?" }).tap();
  await waitForHydration(page);
  const post = page.getByRole("article").nth(1);
  await post.getByRole("link", { name: /, post \d+$/ }).tap();
  const form = page.getByRole("region", { name: "Reply" });
  const field = form.getByLabel("Your reply");
  await expect(field).toBeFocused();
  const line = (await post.locator(".prose").first().textContent())!.trim().slice(0, 20);
  await expect(form).toContainText(line);
  await expect(form.getByRole("button", { name: "Reply" })).toBeInViewport({ ratio: 1 });
  await expect(post).toBeInViewport();
  // The sheet's edge may cut a link of the page behind it to less than the size of a touch target.
  await accessible(undefined, page, "[data-sheet]");
  await form.getByRole("link", { name: "Reply to discussion" }).tap();
  await expect(form).not.toHaveAttribute("data-sheet");
});
