import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

const PASSWORD = "lindenhof-garden-26";
const WORDS = "A guest writes this, and it must not be lost.";

const dialog = (page: Page) => page.getByRole("dialog");
async function signInOver(page: Page, login: string) {
  await dialog(page).getByLabel("Email address or username").fill(login);
  await dialog(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog(page).getByRole("button", { name: "Sign in", exact: true }).click();
}

async function openDiscussion(page: Page, group: string) {
  await page.goto(`/groups/${group}`);
  await page.getByRole("main").locator('a[href^="/discussions/"]').first().click();
  await expect(page).toHaveURL(/\/discussions\//);
}

test("a guest signs in through a dialog without leaving the page", async ({ page, accessible }) => {
  await page.goto("/groups/long-beds");
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(dialog(page)).toBeVisible();
  await accessible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signInOver(page, "mira");
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/long-beds$/);
});

test("a page rendered minutes ago hydrates without changes on the first click, which still takes effect", async ({
  page,
  another,
  complaints,
}) => {
  await startDiscussion(await another("mira"), uniqueName("Said just now"));
  // Relative times of a page rendered minutes ago are older when it is read.
  await page.clock.install({ time: Date.now() + 3 * 60_000 });
  await page.goto("/groups/long-beds");
  // In the member's language: a time does not change its style after hydration.
  await expect(
    main(page)
      .locator("time")
      .filter({ hasText: /^3 min\. ago$/ })
      .first(),
  ).toBeVisible();
  const shown = await page.evaluateHandle(() => document.querySelector("main")!);
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(dialog(page)).toBeVisible();
  expect(await shown.evaluate((element) => element.isConnected)).toBe(true);
  expect(complaints).toEqual([]);
});

test("text that a guest typed is kept after signing in and can be sent", async ({ page }) => {
  await openDiscussion(page, "long-beds");
  const reply = page.getByRole("textbox", { name: "Your reply" });
  const words = `${WORDS} ${Date.now()}`;
  await reply.fill(words);
  // The page hydrates while a guest writes; a faster guest takes the path without scripts.
  await expect(page.locator("html")).toHaveAttribute("data-sign-in", "ready");
  await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
  await expect(dialog(page).getByRole("heading", { name: "Sign in to send" })).toBeVisible();
  await signInOver(page, "mira");
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expect(reply).toHaveValue(words);
  await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
  await expect(page.getByRole("article").filter({ hasText: words })).toBeVisible();
});

test("a guest whose dialog fails to load signs in on the full page and keeps the typed text", async ({
  page,
  another,
}) => {
  const member = await another("mira");
  await startDiscussion(member, uniqueName("Who signs in late"));
  await page.route("**/assets/sign-in-modal-*.js", (route) => route.abort());
  await page.goto("/groups/long-beds");
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fgroups%2Flong-beds/);

  await page.goto(new URL(member.url()).pathname);
  const reply = page.getByRole("textbox", { name: "Your reply" });
  const words = `${WORDS} ${Date.now()}`;
  await reply.fill(words);
  await expect(page.locator("html")).toHaveAttribute("data-sign-in", "ready");
  await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
  const inline = page.getByRole("region", { name: "Sign in to send" });
  await inline.getByLabel("Email address or username").fill("ines");
  await inline.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await inline.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Your reply" })).toHaveValue(words);
  await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
  await expect(page.getByRole("article").filter({ hasText: words })).toBeVisible();
});
