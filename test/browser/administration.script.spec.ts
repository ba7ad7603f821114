import { expect, test } from "../support/browser/fixtures.ts";
import { main } from "../support/browser/steps.ts";

test("an admin sees statistics and failed jobs, and reaches all admin pages from there", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ada");
  await page.goto("/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Administration" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Administration" })).toBeVisible();
  await expect(main(page).getByText("Free disk space")).toBeVisible();
  await accessible();
  await main(page).getByRole("link", { name: "Failed jobs" }).last().click();
  await expect(page.getByRole("heading", { level: 1, name: "Failed jobs" })).toBeVisible();
  await accessible();
});

test("moderators get 404 for the administration pages", async ({ page, signInAs }) => {
  await signInAs("ines");
  await page.goto("/");
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Reports" })).toBeVisible();
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Administration" })).toHaveCount(0);
  for (const address of ["/admin", "/admin/failures"]) expect((await page.goto(address))?.status()).toBe(404);
});

test("everyone can read the moderation statistics", async ({ page, accessible }) => {
  await page.goto("/about");
  await main(page).getByRole("link", { name: "Moderation statistics" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Moderation statistics" })).toBeVisible();
  await expect(main(page).getByRole("heading", { level: 2 })).toHaveCount(12);
  await accessible();
});
