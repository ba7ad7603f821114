import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("an admin sees API keys, creates and assigns a role, and creates and deletes a table", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  const own = javaScriptEnabled ? "Script" : "Plain";
  await signInAs("ada");
  await page.goto("/admin");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Developers" }),
  );
  const main = page.getByRole("main");
  await expect(main.getByText("Client key")).toBeVisible();
  await expect(main.getByText(/^[0-9A-F]{40}$/)).toHaveCount(2);
  await followLink(main.getByRole("link", { name: "Show the server key" }));
  await expect(main.getByText(/^[0-9A-F]{40}$/)).toHaveCount(3);
  await main.getByLabel("New role").fill(`${own}Editor`);
  await main.getByRole("button", { name: "Create role" }).click();
  await expect(main.getByRole("button", { name: `Delete role ${own}Editor` })).toBeVisible();
  await main.getByLabel("Username or email address").fill("mira");
  await main.getByLabel("Role", { exact: true }).selectOption(`${own}Editor`);
  await main.getByRole("button", { name: "Give role" }).click();
  await expect(main.getByRole("listitem").filter({ hasText: `${own}Editor` })).toContainText("1 person");
  await accessible();

  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Data tables" }),
  );
  await main.getByLabel("Label").fill(`${own}Beds`);
  await main.getByRole("button", { name: "Create table" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${own}Beds`);
  await main.getByLabel("New column").fill("title");
  await main.getByLabel("Required").check();
  await main.getByRole("button", { name: "Add column" }).click();
  await expect(main.getByRole("button", { name: "Delete the column title and its values" })).toBeVisible();
  await main.getByLabel("Role", { exact: true }).selectOption(`${own}Editor`);
  await main.getByLabel("Read").check();
  await main.getByRole("button", { name: "Save permissions of this role" }).click();
  await expect(main.getByRole("button", { name: `Reset for ${own}Editor` })).toBeVisible();
  await accessible();
  await main.getByText("Delete table").first().click();
  await main.getByLabel(`Type the name of the table: ${own}Beds`).fill(`${own}Beds`);
  await main.getByRole("button", { name: "Delete table" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Data tables");
  await expect(main.getByRole("link", { name: `${own}Beds` })).toHaveCount(0);
  await accessible();

  await page.context().clearCookies();
  await signInAs("ines");
  for (const path of [
    "/admin/programs",
    "/admin/tokens",
    "/admin/webhooks",
    "/admin/data",
    "/admin/data/Beds",
  ])
    expect((await page.goto(path))?.status()).toBe(404);
});
