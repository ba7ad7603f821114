import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { DISCUSSION_LINK, visit, type Visit } from "../support/browser/links.ts";
import { waitForHydration } from "../support/browser/steps.ts";

const GUEST: Visit[] = [
  { path: "/" },
  { path: "/groups" },
  { path: /^\/groups\/(?!new)[\w-]+$/.source, from: "/groups" },
  { path: "/discussions" },
  { path: DISCUSSION_LINK.source, from: "/discussions" },
  { path: "/resources" },
  { path: /^\/resources\/[0-9a-f-]{36}$/.source, from: "/resources" },
  { path: "/login" },
  { path: "/login/ask-link" },
  { path: "/login/passkey" },
  { path: "/login/sent" },
  { path: "/register" },
  { path: "/resetPassword" },
  { path: "/search?q=water" },
  { path: "/rules" },
  { path: "/privacy" },
  { path: "/about" },
  { path: "/dev/mail" },
  { path: "/nothing/here", status: 404 },
];
const MEMBER: Visit[] = [
  { path: "/" },
  { path: "/?tab=latest" },
  { path: "/?tab=top" },
  { path: "/welcome?step=1" },
  { path: "/groups" },
  { path: "/groups?tab=discover" },
  { path: "/groups?tab=waiting" },
  { path: "/groups/new" },
  { path: /^\/groups\/(?!new)[\w-]+$/.source, from: "/groups" },
  { path: DISCUSSION_LINK.source, from: "/?tab=latest" },
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

/** A guest's page loads the app on the first action; then it hydrates like a member's. */
async function hydrated(page: Page, member: boolean) {
  const first = page.locator("form input:not([type=hidden]), form button, form select").first();
  // A page without actions never needs the app.
  if (!member && (await first.count()) === 0) return;
  const rendered = member ? null : await page.locator("#main").elementHandle();
  if (!member) await first.focus();
  await waitForHydration(page);
  // After a mismatch React renders the whole page again, without an error on the console.
  expect(await rendered?.evaluate((element) => element.isConnected)).not.toBe(false);
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
        accessibleInBothSchemes,
      }) => {
        if (who !== "a guest") await signInAs(who);
        const target = await visit(page, it);
        await hydrated(page, who !== "a guest");
        // The browser's console reports the status of a 404 page.
        expect(
          complaints.filter((words) => !(it.status === 404 && words.includes("404"))),
          target,
        ).toEqual([]);
        await accessibleInBothSchemes();
      });
  });
}

test("nothing is cut off on a screen 320 pixels wide", async ({ page, signInAs }) => {
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

test("doubled text size makes no page wider than a phone", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs("mira");
  const pages: (Visit & { writes?: true })[] = [
    { path: "/" },
    { path: "/groups/long-beds" },
    { path: "/groups/new" },
    { path: "/groups/long-beds/new", writes: true },
    { path: DISCUSSION_LINK.source, from: "/groups/long-beds", writes: true },
    { path: /^\/conversations\/[0-9a-f-]{36}/.source, from: "/messages", writes: true },
    { path: /^\/resources\/[0-9a-f-]{36}$/.source, from: "/resources", writes: true },
    { path: /^\/users\/settings\/[0-9a-f-]{36}/.source, from: "/" },
  ];
  for (const it of pages) {
    const target = await visit(page, it);
    if (it.writes) await expect(page.getByRole("toolbar").first()).toBeVisible();
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), target).toBe(0);
  }
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

test("the server returns metadata of its own build only", async ({ request }) => {
  const latest = await request.get("/builds/latest.json");
  const { id } = (await latest.json()) as { id: string };
  const meta = await request.get(`/builds/meta/${id}.json`);
  expect(await meta.json()).toMatchObject({
    id,
    routes: expect.arrayContaining([expect.objectContaining({ path: "groups" })]),
  });
  expect((await request.get("/builds/meta/other.json")).status()).toBe(404);
});
