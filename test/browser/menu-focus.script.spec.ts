import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

const post = (page: Page, number: number) => page.locator(`#post-${number}`);

test("a menu closes when the focus leaves it, and on Escape returns the focus to its button", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Who has the ladder"));
  const more = main(page).getByLabel("More for post 1");
  const follow = main(page).locator("header summary").first();
  for (const [opens, lists] of [
    [more, post(page, 1).locator(".menu-list")],
    [follow, main(page).locator("header .menu-list").first()],
  ] as const) {
    await opens.focus();
    await page.keyboard.press("Enter");
    await expect(lists).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(lists).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(lists).toBeHidden();
    await expect(opens).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(lists).toBeVisible();
    await page.keyboard.press("Shift+Tab");
    await expect(lists).toBeHidden();
  }
});

test("a menu also closes when the focus leaves right after it opened", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Who has the long ladder"));
  await page.evaluate(
    () =>
      new Promise<void>((gone) => {
        const more = document.querySelector<HTMLElement>("#post-1 .menu [role=button]")!;
        new MutationObserver((_changes, seen) => {
          if (!document.querySelector("#post-1 .menu-list")) return;
          seen.disconnect();
          document.querySelector<HTMLElement>("a.skip")!.focus();
          gone();
        }).observe(document.querySelector("#post-1")!, { childList: true, subtree: true });
        more.focus();
        more.click();
      }),
  );
  await expect(post(page, 1).locator(".menu-list")).toBeHidden();
});
