import { expect, test } from "../support/browser/fixtures.ts";
import { startDiscussion, uniqueName } from "../support/browser/steps.ts";

const long = `It began with a seed. ${"And then it grew. ".repeat(40)}That is how it ends.`;

test("a draft for a closed discussion can be read and copied", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  await signInAs("mira");
  const title = uniqueName("Locked over a draft");
  await startDiscussion(page, title, "The first words.", "chain-and-spoke");
  const here = page.url().replace(/[?#].*/, "");
  const form = { place: `discussion:${here.split("/").at(-1)}`, version: "0", body: long };
  const stored = await page.request.post("/drafts/keep", {
    form,
    headers: { origin: new URL(here).origin },
  });
  expect(stored.status()).toBe(200);
  const tomas = await another("tomas", { javaScriptEnabled: true });
  await tomas.goto(here);
  await tomas.getByLabel("More actions for this discussion").first().click();
  await tomas.getByText("Lock…").click();
  await tomas.getByRole("textbox", { name: "Reason" }).fill("All said.");
  await tomas.getByRole("button", { name: "Lock discussion" }).click();
  await expect(tomas.getByText("This discussion is locked.").first()).toBeVisible();

  await page.goto(here);
  await expect(page.getByText("This discussion is closed for replies.")).toBeVisible();
  await expect(page.getByLabel("Your unsent text")).toHaveValue(long);
  await expect(page.getByLabel("Your unsent text")).not.toBeEditable();
  await accessible();

  await page.goto("/drafts");
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: title });
  await expect(line.getByText("That is how it ends.")).toBeHidden();
  await line.getByText("Full text", { exact: true }).click();
  await expect(line.getByRole("textbox")).toHaveValue(long);
  await expect(line.getByRole("textbox")).not.toBeEditable();
  await accessible();
});
