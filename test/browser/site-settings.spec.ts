import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, submitAndWait } from "../support/browser/steps.ts";

test("an admin finds a setting, changes it, sees who changed it, and restores the default", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  await signInAs("ada");
  await page.goto("/");
  await followLink(page.getByRole("link", { name: "Administration" }));
  const main = page.getByRole("main");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Site settings" }),
  );
  await expect(main.getByRole("button", { name: "Save" }).nth(10)).toBeVisible();
  await accessible();
  await main.getByRole("searchbox").fill("2fa");
  await main.getByRole("button", { name: "Search" }).click();
  await expect(main.getByLabel("Two-factor authentication for staff")).toBeVisible();
  await expect(main.getByRole("button", { name: "Save" })).toHaveCount(1);
  await main.getByRole("searchbox").fill("half hour");
  await main.getByRole("button", { name: "Search" }).click();
  await expect(main.getByRole("button", { name: "Save" })).toHaveCount(1);
  const attemptsField = main.getByLabel("Registration attempts per network address and half hour");
  await attemptsField.fill("-3");
  // The browser would not send a negative number; the server rejects it too.
  await main
    .locator("form#registrationTries")
    .evaluate((form) => form.setAttribute("novalidate", ""))
    .catch(() => {});
  if (javaScriptEnabled) {
    await main.getByRole("button", { name: "Save" }).click();
    await expect(main.getByText("Enter 0 or more.").first()).toBeVisible();
    await expect(attemptsField).toHaveValue("-3");
  }
  await attemptsField.fill("40");
  await main.getByRole("button", { name: "Save" }).click();
  await expect(main.getByRole("status")).toContainText("Saved");
  await expect(main.getByRole("link", { name: /Ada Lindqvist/ })).toBeVisible();
  await expect(attemptsField).toHaveValue("40");
  await accessible();
  await main.getByRole("button", { name: "Reset" }).click();
  await expect(attemptsField).toHaveValue("5");
  await attemptsField.fill("0");
  // Waits until 0 is stored, although the field shows it already: with the limit of 5 no other test could
  // register.
  await submitAndWait(page, main.getByRole("button", { name: "Save" }));
  await expect(attemptsField).toHaveValue("0");
  await page.goto("/admin/audit?part=place");
  const change = main.getByText("Registration attempts per network address and half hour: 5 → 0");
  await expect(change.first()).toBeVisible();
  await accessible();

  await page.context().clearCookies();
  await signInAs("ines");
  expect((await page.goto("/admin/settings"))?.status()).toBe(404);
});
