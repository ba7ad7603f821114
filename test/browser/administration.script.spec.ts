import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, main } from "../support/browser/steps.ts";

test("an admin sees statistics and failed jobs, and reaches all admin pages from there", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ada");
  await page.goto("/");
  await followLink(page.getByRole("banner").getByRole("link", { name: "Administration" }));
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(main(page).getByText("Free disk space")).toBeVisible();
  await expect(main(page).getByRole("img", { name: /per week, last 12 weeks$/ })).toHaveCount(5);
  const posts = main(page).getByRole("region", { name: "Posts and comments" });
  await posts.getByText("Show table").click();
  await expect(posts.getByRole("table", { name: "Posts and comments" }).getByRole("row")).toHaveCount(13);
  await expect(main(page).getByRole("link", { name: /pending group/ })).toHaveAttribute(
    "href",
    "/groups/desk",
  );
  await accessible();
  const navigation = page.getByRole("navigation", { name: "Administration" });
  await followLink(navigation.getByRole("link", { name: "Logs" }));
  await followLink(navigation.getByRole("link", { name: "Failed jobs" }));
  await expect(page.getByRole("heading", { level: 1, name: "Failed jobs" })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "Failed jobs" })).toHaveAttribute("aria-current", "page");
  await accessible();

  const line = page.getByRole("combobox", { name: "Search and go to" });
  await page.keyboard.press("Control+k");
  await line.fill("audit");
  await line.press("Enter");
  await expect(page).toHaveURL(/\/admin\/audit$/);
});

test("on a phone, the administration's navigation opens by keyboard and closes with the next page", async ({
  page,
  signInAs,
  accessible,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await signInAs("ada");
  await page.goto("/admin/data");
  const navigation = page.getByRole("navigation", { name: "Administration" });
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: "Administration" }).press("Enter");
  await expect(navigation.getByRole("link", { name: "Data tables" })).toHaveAttribute("aria-current", "page");
  await accessible();
  await navigation.getByRole("link", { name: "Audit log" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await expect(navigation).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("moderators have a navigation of their own, and get 404 for the administration pages", async ({
  page,
  signInAs,
}) => {
  await signInAs("ines");
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Administration" })).toHaveCount(0);
  await followLink(page.getByRole("banner").getByRole("link", { name: "Moderation" }));
  await expect(page.getByRole("heading", { level: 1, name: "Cases" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Moderation" }).getByRole("link")).toHaveText([
    "Moderation",
    "Cases",
    "Watched words",
    "Link domains",
    "Blocked addresses",
    "Members",
    "Groups",
  ]);
  for (const address of ["/admin", "/admin/failures"]) expect((await page.goto(address))?.status()).toBe(404);
});

test("everyone can read the moderation statistics", async ({ page, accessible }) => {
  await page.goto("/about");
  await followLink(main(page).getByRole("link", { name: "Moderation statistics" }));
  await expect(page.getByRole("heading", { level: 1, name: "Moderation statistics" })).toBeVisible();
  // Only months with reports or removals are listed.
  await expect(main(page).getByText("Reported").first()).toBeVisible();
  await expect(
    main(page).getByText("No reports and no removals in the other months of the year."),
  ).toBeVisible();
  await accessible();
});
