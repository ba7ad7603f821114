import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("only an admin creates, previews, tests and deletes email templates", async ({
  page,
  signInAs,
  accessible,
}) => {
  const name = "Frost scripted";
  await signInAs("ada");
  await page.goto("/admin/programs");
  const main = page.getByRole("main");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Email templates" }),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email templates");
  await accessible();

  await main.getByLabel("Name").fill(name);
  await main.getByLabel("Subject").fill("Frost, {who}");
  await main.getByRole("button", { name: "Create template" }).click();
  await expect(main.getByLabel("Plain text")).toHaveAccessibleDescription(/An email needs text/);
  await expect(main.getByLabel("Name")).toHaveValue(name);
  await main.getByLabel("HTML text").fill('<p style="color:#a00">Dear <b>{who}</b>, close bed {bed}.</p>');
  await main.getByRole("button", { name: "Create template" }).click();
  await expect(main.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(main.getByTestId("shown-text")).toHaveText("Dear {who}, close bed {bed}.");

  await main.getByLabel("{who}").fill("<Ada>");
  await main.getByRole("button", { name: "Preview with these values" }).click();
  await expect(main.getByTestId("shown-subject")).toHaveText("Frost, <Ada>");
  await expect(main.getByTestId("shown-text")).toHaveText("Dear <Ada>, close bed {bed}.");
  await expect(page.frameLocator("iframe").locator("b")).toHaveText("<Ada>");

  await main.getByLabel("{bed}").fill("7");
  await main.getByRole("button", { name: "Send to me" }).click();
  await expect(main.getByText("Sending to")).toBeVisible();
  await expect(main.getByLabel("{bed}")).toHaveValue("7");
  await page.goto("/dev/mail");
  await followLink(main.getByRole("link", { name: "Frost, <Ada>" }).first());
  await expect(main.getByTestId("mail-text")).toHaveText("Dear <Ada>, close bed 7.");
  await expect(page.frameLocator("iframe").locator("b")).toHaveText("<Ada>");

  await page.goto("/admin/templates");
  await expect(main.getByRole("listitem").filter({ hasText: "Frost, <Ada>" }).first()).toContainText(name);
  await followLink(main.getByRole("link", { name, exact: true }));
  // The previous page has fields of the same names.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await main.getByLabel("Plain text").fill("Dear {who}, in other words.");
  await main.getByLabel("HTML text").fill("");
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.getByTestId("shown-text")).toHaveText("Dear {who}, in other words.");
  // axe cannot look into a frame without scripts; without the frame, the page can be checked.
  await accessible();
  const address = new URL(page.url()).pathname;
  await main.getByText("Delete template").click();
  await main.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email templates");
  await expect(main.getByRole("link", { name, exact: true })).toHaveCount(0);
  expect((await page.goto(address))?.status()).toBe(404);

  await page.context().clearCookies();
  expect((await page.goto("/admin/templates"))?.status()).toBe(404);
  await signInAs("ines");
  expect((await page.goto("/admin/templates"))?.status()).toBe(404);
});
