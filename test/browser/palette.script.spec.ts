import { expect, test } from "../support/browser/fixtures.ts";
import { waitForHydration } from "../support/browser/steps.ts";

test("the command palette opens a page, a person, and search results by keyboard alone", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("mira");
  await page.goto("/about");
  const line = page.getByRole("combobox", { name: "Search and go to" });
  await page.keyboard.press("Control+k");
  await expect(line).toBeFocused();
  await line.fill("book");
  await expect(page.locator("dialog").getByRole("option", { selected: true })).toHaveText(/Bookmarks/);
  await accessible();
  await line.press("Enter");
  await expect(page).toHaveURL(/\/bookmarks$/);

  await page.keyboard.press("Control+k");
  await line.fill("varga");
  await expect(page.getByRole("option", { name: /Tomas Varga/ })).toBeVisible();
  await line.press("ArrowUp");
  await expect(page.locator("dialog").getByRole("option", { selected: true })).toHaveText(
    /Search everything for “varga”/,
  );
  await line.press("ArrowDown");
  await line.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Tomas Varga/);

  await page.keyboard.press("Control+k");
  await line.fill("no such thing at all");
  await line.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=no\+such/);
  await page.keyboard.press("Control+k");
  await expect(line).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(line).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("the command palette starts a discussion, sets the theme, and signs out by keyboard alone", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("mira");
  await page.goto("/about");
  const line = page.getByRole("combobox", { name: "Search and go to" });
  const choose = async (typed: string, name: RegExp) => {
    await page.keyboard.press("Control+k");
    await line.fill(typed);
    await expect(page.locator("dialog").getByRole("option", { selected: true })).toHaveText(name);
    await line.press("Enter");
  };
  await choose("write", /Write a message/);
  await expect(page).toHaveURL(/\/messages\?begin=1$/);
  await choose("dark", /Dark theme/);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page).toHaveURL(/\/messages\?begin=1$/);
  await waitForHydration(page);
  await page.keyboard.press("Control+k");
  await line.press("ArrowUp");
  const last = page.locator("dialog").getByRole("option", { selected: true });
  await expect(last).toHaveText(/Sign out/);
  await expect(last).toBeInViewport();
  await accessible();
  expect(complaints).toEqual([]);
  await line.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-viewer", "guest");
});
