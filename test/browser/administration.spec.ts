import { expect, test } from "./fixtures.ts";
import { main } from "./steps.ts";

test("an admin sees how the place is doing and what has failed, and comes from there to all they look after", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ada");
  await page.goto("/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Administration" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Administration" })).toBeVisible();
  await expect(main(page).getByText("Free on the disk")).toBeVisible();
  await accessible();
  await main(page).getByRole("link", { name: "What has failed" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "What has failed" })).toBeVisible();
  await accessible();
});

test("nobody else finds these pages", async ({ page, signInAs }) => {
  await signInAs("ines");
  await page.goto("/");
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Reports" })).toBeVisible();
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Administration" })).toHaveCount(0);
  for (const address of ["/admin", "/admin/failures"]) expect((await page.goto(address))?.status()).toBe(404);
});

test("anybody reads how often somebody stepped in", async ({ page, accessible }) => {
  await page.goto("/about");
  await main(page).getByRole("link", { name: "How often somebody stepped in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "How often somebody stepped in" })).toBeVisible();
  await expect(main(page).getByRole("heading", { level: 2 })).toHaveCount(12);
  await accessible();
});
