import { expect, test } from "../support/browser/fixtures.ts";
import { main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a discarded draft can be restored unchanged", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  const [title, words] = [uniqueName("Thrown away"), uniqueName("Half a thought")];
  await startDiscussion(page, title);
  const id = new URL(page.url()).pathname.split("/")[2]!;
  const form = { place: `discussion:${id}`, version: "0", body: words };
  const stored = await page.request.post("/drafts/keep", {
    form,
    headers: { origin: new URL(page.url()).origin },
  });
  expect(stored.status()).toBe(200);
  await page.goto("/drafts");
  const drop = main(page).getByRole("button", { name: `Delete draft: ${title}` });
  const back = main(page).getByRole("button", { name: `Restore: ${title}` });
  await drop.click();
  await expect(back).toBeVisible();
  await expect(drop).toHaveCount(0);
  await accessible();
  await back.click();
  await expect(drop).toBeVisible();
  await expect(back).toHaveCount(0);
  await page.goto(`/discussions/${id}`);
  await expect(page.getByLabel("Your reply")).toHaveValue(words);
});
