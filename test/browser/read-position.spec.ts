import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, main } from "../support/browser/steps.ts";

test("loading more posts does not move the page, and going back restores all of them", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(main(page).getByRole("link", { name: "What do we do about the water?" }));
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.goto(`${page.url().split(/[?#]/)[0]}?page=1`);
  const more = main(page).getByRole("link", { name: /^Show the (next \d+ posts|last post)$/ });
  await more.click();
  await expect(page.locator("#post-21")).toBeVisible();
  await expect(page).toHaveURL(/\?page=1&to=2#post-21$/);
  await expect(page.locator("#post-1")).toHaveCount(1);
  if (javaScriptEnabled) {
    await expect(page.locator("#post-20")).toBeInViewport();
    await expect(page.locator("#post-21")).toBeFocused();
  }
  await expect(main(page).getByText(/^Pages 1 to 2 of \d$/)).toHaveCount(1);
  await accessible();
  await followLink(page.locator("#post-21").getByRole("heading", { level: 2 }).getByRole("link"));
  await expect(page).toHaveURL(/\/users\//);
  await page.goBack();
  await expect(page.locator("#post-21")).toBeInViewport();
  await expect(page.locator("#post-1")).toHaveCount(1);

  await page.getByLabel(/^Reply to .*, post 21$/).click();
  await expect(page.locator("#reply").getByText(/^Reply to .*, #21$/)).toBeVisible();
  await expect(page.locator("#post-1")).toHaveCount(1);
  await page.getByLabel("More for post 21", { exact: true }).click();
  await followLink(main(page).getByRole("link", { name: "Bookmark…" }));
  await followLink(main(page).getByRole("link", { name: "Cancel" }));
  await expect(page.getByRole("form", { name: "Bookmark post 21" })).toHaveCount(0);
  await expect(page).toHaveURL(/\?post=21&page=1&to=2#post-21$/);
  await expect(page.locator("#post-1")).toHaveCount(1);
});
