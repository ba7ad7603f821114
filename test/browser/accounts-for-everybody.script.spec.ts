import { expect, test } from "../support/browser/fixtures.ts";
import {
  fillRegistration,
  expectHeading,
  findLink,
  createNewMember,
  openSettings,
  PASSWORD,
  signIn,
} from "../support/browser/registration-steps.ts";
import { clickButton } from "../support/browser/steps.ts";

for (const colorScheme of ["light", "dark"] as const)
  test(`sign-in and registration pages are accessible, in ${colorScheme}`, async ({
    page,
    mail,
    accessible,
  }) => {
    // Checking eighteen pages is slow.
    test.slow();
    await page.emulateMedia({ colorScheme });
    for (const path of [
      "/login",
      "/register",
      "/resetPassword",
      "/login/ask-link",
      "/login/status",
      "/login/link?token=x",
      "/login/confirm",
      "/dev/mail",
    ]) {
      await page.goto(path);
      await accessible();
    }
    const who = createNewMember();
    await page.goto("/register");
    await fillRegistration(page, who, "short");
    await expect(page.getByText("At least 10 characters.").first()).toBeVisible();
    await accessible();
    await fillRegistration(page, who);
    await expectHeading(page, "Check your inbox");
    await accessible();
    await page.goto(findLink(await mail(who.email)));
    await clickButton(page, "Confirm email address");
    await signIn(page, who.email);
    await expect(page).toHaveURL(/\/welcome/);
    for (const step of [1, 2, 3, 4]) {
      await page.goto(`/welcome?step=${step}`);
      await expectHeading(page, "Welcome to Lindenhof Commons");
      await accessible();
    }
    await openSettings(page);
    await page.locator("[name=begin-totp-proof]").fill(PASSWORD);
    await clickButton(page, "Set up");
    await expect(page.locator("[data-totp-secret]")).toBeVisible();
    await accessible();
  });
