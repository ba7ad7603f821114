import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";

/** Every route as a guest and as a member. `<…>` is filled with the first such link on the named page. */
type Visited = { path: string; from?: string; status?: number };
const DISCUSSION = /^\/discussions\/[0-9a-f-]{36}/;
const GUEST: Visited[] = [
  { path: "/" },
  { path: "/groups" },
  { path: /^\/groups\/(?!new)[\w-]+$/.source, from: "/groups" },
  { path: "/discussions" },
  { path: DISCUSSION.source, from: "/discussions" },
  { path: "/resources" },
  { path: /^\/resources\/[0-9a-f-]{36}$/.source, from: "/resources" },
  { path: "/login" },
  { path: "/login/ask-link" },
  { path: "/login/passkey" },
  { path: "/login/sent" },
  { path: "/register" },
  { path: "/resetPassword" },
  { path: "/search?q=seeds" },
  { path: "/rules" },
  { path: "/privacy" },
  { path: "/about" },
  { path: "/dev/mail" },
  { path: "/nothing/here", status: 404 },
];
const MEMBER: Visited[] = [
  { path: "/" },
  { path: "/?tab=latest" },
  { path: "/?tab=top" },
  { path: "/welcome?step=1" },
  { path: "/groups" },
  { path: "/groups?tab=discover" },
  { path: "/groups?tab=waiting" },
  { path: "/groups/new" },
  { path: /^\/groups\/(?!new)[\w-]+$/.source, from: "/groups" },
  { path: DISCUSSION.source, from: "/?tab=latest" },
  { path: "/messages" },
  { path: "/messages?tab=requests" },
  { path: /^\/conversations\/[0-9a-f-]{36}/.source, from: "/messages" },
  { path: "/myFriends" },
  { path: "/myFriends?tab=received" },
  { path: "/myFriends?tab=suggestions" },
  { path: "/users" },
  { path: /^\/users\/[0-9a-f-]{36}$/.source, from: "/users" },
  { path: /^\/users\/settings\/[0-9a-f-]{36}/.source, from: "/" },
  { path: "/resources" },
  { path: "/resources/new" },
  { path: /^\/resources\/[0-9a-f-]{36}$/.source, from: "/resources" },
  { path: "/search?q=wheel" },
  { path: "/nothing/here", status: 404 },
];

async function ctx(page: Page, { path, from, status = 200 }: Visited) {
  if (from) await page.goto(from);
  const target = from ? await linkOn(page, new RegExp(path)) : path;
  const answer = await page.goto(target);
  expect(answer?.status(), target).toBe(status);
  await expect(page.getByRole("heading", { level: 1 }), target).toHaveCount(1);
  expect(await page.title(), target).toMatch(/\S{3,}/);
  return target;
}

async function linkOn(page: Page, wanted: RegExp): Promise<string> {
  const links = await page.locator("a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href")!));
  const found = links.map((href) => href.split("#")[0]!).find((href) => wanted.test(href));
  expect(found, `a link like ${wanted} on ${page.url()}`).toBeDefined();
  return found!;
}

/** A guest's page loads the app on the first action; then it hydrates like a member's. */
async function hydrated(page: Page, member: boolean) {
  const first = page.locator("form input:not([type=hidden]), form button, form select").first();
  // A page without actions never needs the app.
  if (!member && (await first.count()) === 0) return;
  if (!member) await first.focus();
  await page.waitForFunction(
    () =>
      (window as { __reactRouterDataRouter?: { state: { initialized: boolean } } }).__reactRouterDataRouter
        ?.state.initialized,
  );
}

for (const [who, pages] of [
  ["a guest", GUEST],
  ["mira", MEMBER],
] as const) {
  test.describe(`for ${who}`, () => {
    for (const it of pages)
      test(`${it.path} renders, hydrates without errors, and is accessible`, async ({
        page,
        signInAs,
        complaints,
        accessible,
        javaScriptEnabled,
      }) => {
        if (who !== "a guest") await signInAs(who);
        const target = await ctx(page, it);
        if (!javaScriptEnabled) return;
        await hydrated(page, who !== "a guest");
        // A 404 page is reported by the browser: that is its status.
        expect(
          complaints.filter((words) => !(it.status === 404 && words.includes("404"))),
          target,
        ).toEqual([]);
        await accessible();
        await page.emulateMedia({ colorScheme: "dark" });
        // Other findings do not depend on colours.
        await accessible("color-contrast");
      });
  });
}

test("a screen 320 pixels wide cuts nothing off", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await signInAs("mira");
  for (const path of [
    "/",
    "/groups",
    "/discussions",
    "/messages",
    "/myFriends",
    "/resources",
    "/users",
    "/groups/new",
  ]) {
    await page.goto(path);
    const wide = await page.locator("html").evaluate((html) => html.scrollWidth);
    expect(wide, path).toBeLessThanOrEqual(320);
  }
});

test("doubled text size makes no page of a phone too wide, also in forms", async ({
  page,
  signInAs,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs("mira");
  const pages: (Visited & { writes?: true })[] = [
    { path: "/" },
    { path: "/groups/long-beds" },
    { path: "/groups/new" },
    { path: "/groups/long-beds/new", writes: true },
    { path: DISCUSSION.source, from: "/groups/long-beds", writes: true },
    { path: /^\/conversations\/[0-9a-f-]{36}/.source, from: "/messages", writes: true },
    { path: /^\/resources\/[0-9a-f-]{36}$/.source, from: "/resources", writes: true },
    { path: /^\/users\/settings\/[0-9a-f-]{36}/.source, from: "/" },
  ];
  for (const it of pages) {
    const target = await ctx(page, it);
    if (it.writes && javaScriptEnabled) await expect(page.getByRole("toolbar").first()).toBeVisible();
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), target).toBe(0);
  }
});

test("selected options are visible in forced colours", async ({ another }) => {
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

test("the chosen dark theme applies from the first byte", async ({ page, signInAs }) => {
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

test("guests and members choose the text size per browser, and it applies from the first byte", async ({
  page,
  signInAs,
}) => {
  const letters = () => page.locator("html").evaluate((html) => getComputedStyle(html).fontSize);
  const foot = page.getByRole("contentinfo");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/rules");
  expect(await letters()).toBe("16px");
  await foot.getByLabel("Text size", { exact: true }).selectOption("larger");
  await foot.getByRole("button", { name: "Apply" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "larger");
  await expect(page).toHaveURL(/\/rules$/);
  expect(await letters()).toBe("21px");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await (await page.request.get("/groups")).text()).toContain('data-text-size="larger"');

  await signInAs("tomas");
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "normal");
  await page.goto(await linkOn(page, /^\/users\/settings\//));
  const display = page.locator("#display");
  await display.getByLabel("Text size", { exact: true }).selectOption("large");
  await display.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "large");
  expect(await letters()).toBe("18px");
  await expect(foot.getByLabel("Text size", { exact: true })).toHaveValue("large");
});

test("the dark theme is the same by system setting and by choice", async ({ another }) => {
  const colours = async (page: Page) => {
    await page.goto("/");
    return page.evaluate(() => {
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
});

test("a printed discussion is text and dates, dark on light, without controls", async ({ another }) => {
  const page = await another("mira", { colorScheme: "dark" });
  await ctx(page, { path: DISCUSSION.source, from: "/groups/long-beds" });
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
});

test("right-to-left languages mirror the page", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("contentinfo").locator("select[name=locale]").selectOption("ar");
  await page.getByRole("contentinfo").locator("button[type=submit]").click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  const middle = (selector: string) =>
    page.locator(selector).evaluate((it) => it.getBoundingClientRect().x + it.clientWidth / 2);
  expect(await middle(".shell-rail")).toBeGreaterThan(await middle("main"));
});

test("the build reports its id, and knows no other", async ({ request }) => {
  const latest = await request.get("/builds/latest.json");
  const { id } = (await latest.json()) as { id: string };
  const meta = await request.get(`/builds/meta/${id}.json`);
  expect(await meta.json()).toMatchObject({
    id,
    routes: expect.arrayContaining([expect.objectContaining({ path: "groups" })]),
  });
  expect((await request.get("/builds/meta/other.json")).status()).toBe(404);
});
