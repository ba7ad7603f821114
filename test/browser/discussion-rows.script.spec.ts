import { expect, test } from "../support/browser/fixtures.ts";
import { main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a row of a list opens its discussion anywhere, and its text can be selected", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  const title = uniqueName("Rows");
  await startDiscussion(page, title);
  await page.goto("/discussions");
  const row = main(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: title }) });
  const people = row.getByText(/^The Long Beds · Started by Mira Castellano /);
  await accessible();

  await people.scrollIntoViewIfNeeded();
  const words = (await people.boundingBox())!;
  const y = words.y + 12;
  // A drag over the names selects them and opens nothing.
  await page.mouse.move(words.x + 110, y);
  await page.mouse.down();
  await page.mouse.move(words.x + 220, y, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()).length)).toBeGreaterThan(3);
  await expect(page).toHaveURL(/\/discussions$/);

  await page.evaluate(() => getSelection()?.removeAllRanges());
  await row.getByText("No replies").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.goBack();
  await row.click({ position: { x: 300, y: 4 } });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.goBack();
  await row.getByRole("link", { name: "The Long Beds" }).click();
  await expect(page).toHaveURL(/\/groups\/long-beds$/);
});
