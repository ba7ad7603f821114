import { expect, test } from "../support/browser/fixtures.ts";
import { addDocument, clickLink, main, clickButton, uniqueName } from "../support/browser/steps.ts";

test("a conflicting edit of a document shows both texts, and its author decides", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const who = "mira";
  await signInAs(who);
  const title = uniqueName("When to water");
  await addDocument(page, title, "In the evening.");
  const address = new URL(page.url()).pathname;
  await page.getByLabel("More actions for this resource").click();
  await clickLink(page, "Edit…");
  const other = await another(who, { javaScriptEnabled: false });
  await other.goto(`${address}/edit`);
  await other.getByLabel("Text", { exact: true }).fill("In the morning.");
  await clickButton(other, "Save");
  await expect(main(other).getByText("In the morning.")).toBeVisible();

  await page.getByLabel("Text", { exact: true }).fill("At noon, in the shade.");
  await clickButton(page, "Save");
  await expect(page.getByLabel("Current text")).toHaveValue(/In the morning\./);
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("At noon, in the shade.");
  await accessible();
  await page.getByLabel("Text", { exact: true }).fill("In the morning; at noon only in the shade.");
  await clickButton(page, "Save");
  await expect(main(page).getByText("In the morning; at noon only in the shade.")).toBeVisible();
  await page.goto(`${address}/versions`);
  await expect(
    main(page)
      .getByText(/version 3/i)
      .first(),
  ).toBeVisible();
});
