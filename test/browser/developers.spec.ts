import { expect, test } from "../support/browser/fixtures.ts";

test("an admin sees the keys, creates and gives a role, creates and deletes a table", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  const own = javaScriptEnabled ? "Script" : "Plain";
  await signInAs("ada");
  await page.goto("/admin");
  await page.getByRole("link", { name: "Programs", exact: true }).click();
  const main = page.getByRole("main");
  await expect(main.getByText("Client key")).toBeVisible();
  await expect(main.getByText(/^[0-9A-F]{40}$/)).toHaveCount(2);
  await main.getByRole("link", { name: "Show the server key" }).click();
  await expect(main.getByText(/^[0-9A-F]{40}$/)).toHaveCount(3);
  await main.getByLabel("A new role").fill(`${own}Editor`);
  await main.getByRole("button", { name: "Make the role" }).click();
  await expect(main.getByRole("button", { name: `Remove the role ${own}Editor` })).toBeVisible();
  await main.getByLabel("Somebody, by user name or mail address").fill("mira");
  await main.getByLabel("Role", { exact: true }).selectOption(`${own}Editor`);
  await main.getByRole("button", { name: "Give the role" }).click();
  await expect(main.getByRole("listitem").filter({ hasText: `${own}Editor` })).toContainText("1 person");
  await accessible();

  await main.getByRole("link", { name: "Tables of programs" }).click();
  await main.getByLabel("What it is called").fill(`${own}Beds`);
  await main.getByRole("button", { name: "Make the table" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${own}Beds`);
  await main.getByLabel("A new column").fill("title");
  await main.getByLabel("Required").check();
  await main.getByRole("button", { name: "Add the column" }).click();
  await expect(main.getByRole("button", { name: "Remove the column title and what stands in it" })).toBeVisible();
  await main.getByLabel("Role", { exact: true }).selectOption(`${own}Editor`);
  await main.getByLabel("Read").check();
  await main.getByRole("button", { name: "Save what this role may" }).click();
  await expect(main.getByRole("button", { name: `Back to the default for ${own}Editor` })).toBeVisible();
  await accessible();
  await main.getByText("Remove this table").first().click();
  await main.getByLabel(`Write its name: ${own}Beds`).fill(`${own}Beds`);
  await main.getByRole("button", { name: "Remove this table" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tables of programs");
  await expect(main.getByRole("link", { name: `${own}Beds` })).toHaveCount(0);
  await accessible();

  await page.context().clearCookies();
  await signInAs("ines");
  for (const path of ["/admin/programs", "/admin/data", "/admin/data/Beds"]) expect((await page.goto(path))?.status()).toBe(404);
});
