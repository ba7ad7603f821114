import { expect, test } from "../support/browser/fixtures.ts";
import { startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a bar has group, title and actions while the title is off screen, and moves nothing", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  const title = uniqueName("A long report on thirty beds and one shed, with all the numbers");
  await startDiscussion(page, title, "One of the beds.\n\n".repeat(60));
  const bar = page.locator(".title-bar > div");
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await expect(bar).toHaveCount(0);
  await page.mouse.wheel(0, 900);
  await expect(bar).toContainText(`The Long Beds${title}`);
  // It is in the language of the page.
  await expect(bar.getByRole("link", { name: title })).not.toHaveAttribute("lang");
  expect(await height()).toBe(before);
  await accessible();

  await bar.getByLabel(/^Follow: /).click();
  await bar.getByRole("button", { name: /^Muted/ }).click();
  await expect(bar.getByLabel("Follow: Muted")).toBeVisible();
  // A control that gets the focus scrolls out from under the bar.
  await page.setViewportSize({ width: 1000, height: 300 });
  const link = page.getByRole("link", { name: /^Reply to .+, post 1$/ });
  await link.evaluate((it) => scrollBy(0, it.getBoundingClientRect().top - 10));
  await link.focus();
  const [edge, top] = [await bar.boundingBox(), await link.boundingBox()];
  expect(top!.y).toBeGreaterThanOrEqual(edge!.y + edge!.height);
  // A control that is half under the bar can be scrolled out from under it.
  await link.evaluate((it, covered) => {
    const { bottom } = it.getBoundingClientRect();
    scrollBy(0, bottom - covered - 6);
  }, edge!.height);
  await accessible("target-size");

  await page.mouse.wheel(0, 900);
  await bar.getByRole("link", { name: "Reply to discussion" }).click();
  await expect(page.getByRole("textbox", { name: "Your reply" })).toBeFocused();
  await bar.getByRole("link", { name: title }).click();
  await expect(page.locator("#main")).toBeFocused();
  await expect(bar).toHaveCount(0);
  expect(await page.evaluate(() => scrollY)).toBe(0);

  // On a phone it takes the place of the top bar.
  await page.setViewportSize({ width: 390, height: 780 });
  await page.mouse.wheel(0, 900);
  await expect(bar).toBeInViewport({ ratio: 1 });
  await expect(page.locator(".topbar")).not.toBeInViewport();
  expect((await bar.boundingBox())!.y).toBe(0);
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible();
  await bar.getByLabel("More actions for this discussion").click();
  await bar.getByRole("link", { name: /^Title/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
