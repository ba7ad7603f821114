import { expect, test } from "./fixtures.ts";

test("with the keys alone one goes to a place, to somebody, and to everything about a word", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("mira");
  await page.goto("/about");
  await page.waitForLoadState("networkidle");
  const line = page.getByRole("combobox", { name: "Search and go" });
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
  await expect(page.locator("dialog").getByRole("option", { selected: true })).toHaveText(/Everything about “varga”/);
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
