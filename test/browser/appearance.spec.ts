import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { DISCUSSION_LINK, findLink, visit } from "../support/browser/links.ts";
import { submitAndWait } from "../support/browser/steps.ts";

test("selected options are visible in forced colours", { tag: JAVASCRIPT_ONLY }, async ({ another }) => {
  const page = await another("mira", { forcedColors: "active", viewport: { width: 390, height: 844 } });
  await page.goto("/groups/long-beds");
  const ground = (name: string) =>
    page
      .getByRole("link", { name, exact: true })
      .filter({ visible: true })
      .evaluate((link) => getComputedStyle(link).backgroundColor);
  expect(await ground("All")).not.toBe(await ground("Unanswered"));
  expect(await ground("Groups")).not.toBe(await ground("Home"));
  const tabs = page.getByRole("navigation", { name: "In this group" }).getByRole("link");
  const line = (tab: number) =>
    tabs.nth(tab).evaluate((link) => getComputedStyle(link, "::after").backgroundColor);
  expect(await line(0)).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
});

test("the chosen dark theme is in the server-rendered HTML", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/");
  await page.getByRole("contentinfo").getByLabel("Theme", { exact: true }).selectOption("dark");
  await page.getByRole("contentinfo").getByRole("button", { name: "Apply" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const html = await (await page.request.get("/groups")).text();
  expect(html).toContain('data-theme="dark"');
  // The browser's own frame is dark as well, whatever the system setting.
  expect([...html.matchAll(/<meta name="theme-color"[^>]*>/g)].map(([it]) => it)).toEqual([
    expect.stringMatching(/^(?!.*media).*content="#15171B"/),
  ]);
  await page.getByRole("contentinfo").getByLabel("Theme", { exact: true }).selectOption("system");
  await page.getByRole("contentinfo").getByRole("button", { name: "Apply" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "system");
});

test("guests and members choose the text size per browser, and the server renders it", async ({
  page,
  signInAs,
}) => {
  // The new page's styles may still be loading when its attributes can be read.
  const expectTextSize = (size: string) => expect(page.locator("html")).toHaveCSS("font-size", size);
  const foot = page.getByRole("contentinfo");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/rules");
  await expectTextSize("16px");
  await foot.getByLabel("Text size", { exact: true }).selectOption("larger");
  await submitAndWait(page, foot.getByRole("button", { name: "Apply" }));
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "larger");
  await expect(page).toHaveURL(/\/rules$/);
  await expectTextSize("21px");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await (await page.request.get("/groups")).text()).toContain('data-text-size="larger"');

  await signInAs("tomas");
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "normal");
  await page.goto(`${await findLink(page, /^\/users\/settings\//)}/appearance`);
  const display = page.locator("#display");
  await display.getByLabel("Text size", { exact: true }).selectOption("large");
  await display.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "large");
  await expectTextSize("18px");
  await expect(foot.getByLabel("Text size", { exact: true })).toHaveValue("large");
});

test(
  "the dark theme has the same colours by system setting and by choice",
  { tag: JAVASCRIPT_ONLY },
  async ({ another }) => {
    const colours = async (page: Page) => {
      await page.goto("/");
      return page.evaluate(() => {
        // Another test may have set an accent colour for the whole site.
        document.documentElement.removeAttribute("style");
        const style = getComputedStyle(document.documentElement);
        const named = [
          "paper",
          "surface",
          "sunken",
          "ink",
          "quiet",
          "line",
          "accent",
          "on-accent",
          "accent-soft",
          "amber",
          "amber-soft",
          "red",
          "red-soft",
        ];
        return [
          ...named.map((name) => style.getPropertyValue(`--${name}`).trim()),
          style.colorScheme,
          style.backgroundColor,
        ];
      });
    };
    const [bright, dark] = [
      await another(undefined, { colorScheme: "light" }),
      await another(undefined, { colorScheme: "dark" }),
    ];
    const [light, bySystem] = [await colours(bright), await colours(dark)];
    expect(light.at(-1)).toBe("rgb(250, 248, 244)");
    expect(bySystem.at(-1)).toBe("rgb(21, 23, 27)");
    expect(bySystem.filter((colour) => light.includes(colour))).toEqual([]);
    const choose = async (page: Page, theme: string) => {
      await page.context().addCookies([{ name: "kith_theme", value: theme, url: page.url() }]);
      return colours(page);
    };
    expect(await choose(bright, "dark")).toEqual(bySystem);
    expect(await choose(dark, "light")).toEqual(light);
  },
);

test(
  "a printed discussion shows text and dates, dark on light, without controls",
  { tag: JAVASCRIPT_ONLY },
  async ({ another }) => {
    const page = await another("mira", { colorScheme: "dark" });
    await visit(page, { path: DISCUSSION_LINK.source, from: "/groups/long-beds" });
    const post = page.getByRole("article").first();
    await expect(page.getByRole("heading", { name: "Reply" })).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(post).toBeVisible();
    await expect(page.getByRole("heading", { name: "Reply" })).toBeHidden();
    await expect(
      page.locator("main .button:visible, main .menu:visible, nav:visible, textarea:visible"),
    ).toHaveCount(0);
    await expect(page.locator("html")).toHaveCSS("color", "rgb(30, 34, 39)");
    const time = post.locator("time").first();
    const printed = await time.evaluate((it) => getComputedStyle(it, "::after").content);
    expect(printed).toContain((await time.getAttribute("title"))!);
  },
);
