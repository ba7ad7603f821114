import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("only an admin sees extensions and their runs", async ({ page, signInAs, accessible }) => {
  await signInAs("ada");
  await page.goto("/admin/programs");
  const main = page.getByRole("main");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Extensions" }),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Extensions");
  const file = main.getByRole("region", { name: "guestbook.ts" });
  await expect(file.getByRole("listitem")).toHaveCount(6);
  await expect(file).toContainText("Guestbook/sign");
  await expect(file).toContainText("before create Guestbook");
  await expect(file).toContainText("0 6 * * *");
  await accessible();
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await accessible();

  await page.context().clearCookies();
  await signInAs("ines");
  expect((await page.goto("/admin/extensions"))?.status()).toBe(404);
});
