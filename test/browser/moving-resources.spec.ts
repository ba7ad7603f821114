import { expect, test } from "../support/browser/fixtures.ts";
import {
  addDocument,
  clickLink,
  main,
  clickButton,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("an owner sees the new readers of a resource before moving it", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  another,
}) => {
  await signInAs(chooseByMode(javaScriptEnabled, "mira", "tomas"));
  const title = uniqueName("Frames for the cold bed");
  await addDocument(page, title);
  const address = new URL(page.url()).pathname;
  const guest = await another();
  expect((await guest.goto(address))?.status()).toBe(200);
  await page.getByLabel("More actions for this resource").click();
  await clickLink(page, "Edit…");
  const section = main(page).getByRole("region", { name: "Move resource" });
  await section.getByLabel("Location").selectOption({ index: 0 });
  await clickButton(page, "Check who can find it there");
  await expect(section.getByText("Visible to everyone, guests too").first()).toBeVisible();
  await accessible();
  await section.getByRole("button", { name: /^Move to/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page).toHaveURL(new RegExp(`${address}$`));
});
