import { expect, test } from "../support/browser/fixtures.ts";
import {
  fillRegistration,
  expectHeading,
  findLink,
  createNewMember,
  openSettings,
  PASSWORD,
} from "../support/browser/registration-steps.ts";
import { clickButton } from "../support/browser/steps.ts";

test("sign-in and registration pages are accessible, in light and dark", async ({
  page,
  mail,
  accessibleInBothSchemes,
}) => {
  // Checking thirteen pages is slow.
  test.slow();
  // The other pages are checked in pages.script.spec.ts.
  for (const path of ["/login/status", "/login/link?token=x", "/login/confirm"]) {
    await page.goto(path);
    await accessibleInBothSchemes();
  }
  const who = createNewMember();
  await page.goto("/register");
  await fillRegistration(page, who, "short");
  await expect(page.getByText("At least 10 characters.").first()).toBeVisible();
  await accessibleInBothSchemes();
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  await accessibleInBothSchemes();
  await page.goto(findLink(await mail(who.email)));
  await expect(page).toHaveURL(/\/welcome/);
  for (const step of [1, 2, 3, 4]) {
    await page.goto(`/welcome?step=${step}`);
    await expectHeading(page, "Welcome to Lindenhof Commons");
    await accessibleInBothSchemes();
  }
  await openSettings(page, "Security");
  await page.locator("[name=begin-totp-proof]").fill(PASSWORD);
  await clickButton(page, "Set up");
  await expect(page.locator("[data-totp-secret]")).toBeVisible();
  await accessibleInBothSchemes();
});
