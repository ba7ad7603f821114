import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("an admin adds a required field, and people are found by their answers", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  // Both browser projects use the same server, so each needs its own label.
  const label = javaScriptEnabled ? "Craft" : "Trade";
  const [one, other] = [`${label}: bread`, `${label}: wool`];
  const main = page.getByRole("main");
  await signInAs("ada");
  await page.goto("/admin/profile-fields");
  await main.getByLabel("Label").fill(label);
  await main.getByLabel("Type").selectOption("choices");
  await main.getByRole("button", { name: "Add field" }).click();
  await expect(main.getByText("Enter the choices, one per line.").first()).toBeVisible();
  await expect(main.getByLabel("Label")).toHaveValue(label);
  await main.getByLabel("Choices").fill(`${one}\n${other}`);
  await main.getByRole("button", { name: "Add field" }).click();
  await expect(main.getByText(`${one} · ${other}`)).toBeVisible();
  await accessible();
  // The form is opened and saved by keyboard alone, and the label changes.
  const line = main.getByRole("listitem").filter({ hasText: one });
  await line.getByRole("link", { name: "Edit…" }).press("Enter");
  await main.getByLabel("Help text (optional)").fill("What your hands can do.");
  await main.getByRole("button", { name: "Save field" }).press("Enter");
  await expect(main.getByLabel("Help text (optional)")).toHaveCount(1);

  await page.goto("/users/ada");
  await followLink(main.getByRole("link", { name: "Edit profile" }));
  await main.getByLabel(one, { exact: true }).check();
  await main.getByLabel(`Visible to: ${label}`).selectOption("nobody");
  await main.getByRole("button", { name: "Save answers" }).click();
  await expect(main.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await accessible();
  await page.goto("/users/ada");
  await expect(main.getByText(one)).toBeVisible();

  await page.context().clearCookies();
  await signInAs("ines");
  await page.goto("/users/ada");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Ada/);
  await expect(main.getByText(one)).toHaveCount(0);
  await page.goto("/users");
  await main.getByText("Filters").click();
  await main.getByLabel(label).selectOption(one);
  await main.getByRole("button", { name: "Apply" }).click();
  await expect(main.getByText("No members match.")).toBeVisible();
  await accessible();
  expect((await page.goto("/admin/profile-fields"))?.status()).toBe(404);
});
