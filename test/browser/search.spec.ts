import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink, waitForHydration } from "../support/browser/steps.ts";

test("a person finds a post despite a typo, filters, saves the search and opens the post", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("mira");
  const main = page.getByRole("main");
  await page.goto("/search");
  await main.getByRole("searchbox").fill("tomatos");
  await main.getByRole("searchbox").press("Enter");
  await expect(main.locator("mark").first()).toHaveText(/tomato/i);
  for (const kind of ["People", "Posts", "Resources", "Messages"])
    await expect(main.getByRole("heading", { name: kind, exact: true })).toBeVisible();
  await accessible();

  await followLink(main.getByRole("navigation", { name: "Type" }).getByRole("link", { name: "Posts" }));
  await expect(page).toHaveURL(/type%3Aposts/);
  await followLink(
    page.getByRole("navigation", { name: "Group", exact: true }).getByRole("link", { name: /The Long Beds/ }),
  );
  await expect(main.getByRole("searchbox")).toHaveValue('tomatos type:posts in:"The Long Beds"');
  await expect(main.getByText("Henrike Vogt · The Long Beds").first()).toBeVisible();
  await accessible();

  await main.getByText("Save search").click();
  await main.getByLabel("Name", { exact: true }).fill("Red ones");
  await main.getByLabel("Notify me of new results, at most once a day").check();
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.getByRole("link", { name: "Red ones" })).toBeVisible();
  const alertButton = main.getByRole("button", { name: "Alerts: Red ones" });
  await expect(alertButton).toHaveAttribute("aria-pressed", "true");
  await accessible();
  await alertButton.click();
  await expect(alertButton).toHaveAttribute("aria-pressed", "false");
  await main.getByRole("button", { name: "Delete “Red ones”" }).click();
  await expect(main.getByRole("link", { name: "Red ones" })).toHaveCount(0);
  await main.getByRole("button", { name: "Clear" }).click();
  await expect(main.getByText("Recent searches")).toHaveCount(0);

  await followLink(main.getByRole("link", { name: /Counting back from the last frost/ }).first());
  await expect(page).toHaveURL(/\/discussions\/.*#post-\d+$/);
  expect(complaints).toEqual([]);
});

test(
  "a member finds an event on the search page and in the command palette",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, complaints }) => {
    await signInAs("noor");
    const main = page.getByRole("main");
    await page.goto("/search?q=sharpening");
    const events = main.getByRole("region", { name: "Events" });
    await expect(events.getByRole("link", { name: "Workshop: sharpening spades and shears" })).toBeVisible();
    await accessible();
    await followLink(main.getByRole("navigation", { name: "Type" }).getByRole("link", { name: "Events" }));
    await expect(page).toHaveURL(/type%3Aevents/);
    await expect(main.getByRole("listitem").filter({ hasText: "sharpening" }).locator("time")).toBeVisible();
    await waitForHydration(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search and go to" }).fill("sharpening");
    await page.getByRole("option", { name: /Workshop: sharpening .* Events/ }).click();
    await expect(page).toHaveURL(/\/events\/[0-9a-f-]{36}$/);
    expect(complaints).toEqual([]);
  },
);

test(
  "a query with any characters returns the search page",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, complaints }) => {
    const main = page.getByRole("main");
    for (const words of ["%27%22%3B--", "in:nowhere%20tag:%22", "x".repeat(5_000), "%F0%9F%90%8C"]) {
      expect((await page.goto(`/search?q=${words}&page=1000000000`))!.status()).toBe(200);
      await expect(main.getByRole("searchbox")).toBeVisible();
    }
    await page.goto("/search?q=tomatos");
    await expect(main.getByRole("heading", { name: "Posts", exact: true })).toBeVisible();
    for (const kind of ["People", "Messages"])
      await expect(main.getByRole("heading", { name: kind, exact: true })).toHaveCount(0);
    expect(complaints).toEqual([]);
  },
);
