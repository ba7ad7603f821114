import { expect, test } from "./fixtures.ts";
import { fillIn, heading, linkIn, newcomer, signIn } from "./newcomers.ts";
import { main, press } from "./steps.ts";

test("an admin finds an account, suspends it with a reason, lifts that, and gives a role", async ({
  page,
  signInAs,
  another,
  mail,
  accessible,
}) => {
  const who = newcomer();
  const theirs = await another();
  await theirs.goto("/register");
  await fillIn(theirs, who);
  await heading(theirs, "Check your inbox");

  await signInAs("ada");
  await page.goto("/admin/people");
  await theirs.goto(linkIn(await mail(who.email)));
  await press(theirs, "Confirm my address");
  await expect(theirs.getByText("your address is confirmed")).toBeVisible();
  await page.getByLabel("Name, user name or address").fill(who.email);
  await press(page, "Search");
  const line = main(page).getByRole("listitem").filter({ hasText: who.email });
  await expect(line).toHaveCount(1);
  await accessible();

  await line.getByRole("link", { name: "Change the account of" }).click();
  await main(page).getByLabel("What they may do less").selectOption("suspended");
  await main(page).getByLabel("Why").fill("Adverts in three groups.");
  await accessible();
  await press(page, "Save that");
  await expect(line).toContainText("Suspended");
  await expect(line).toContainText("Adverts in three groups.");
  await signIn(theirs, who.email);
  await expect(theirs.getByText("Adverts in three groups.")).toBeVisible();

  await line.getByRole("link", { name: "Change the account of" }).click();
  await press(page, "Lift the suspension");
  await expect(line).not.toContainText("Suspended");
  await line.getByRole("link", { name: "Change the account of" }).click();
  await main(page).getByLabel("Role").selectOption("moderator");
  await press(page, "Give this role");
  await expect(line).toContainText("Moderator");
  // What they were made is not taken from them by suspending them.
  await line.getByRole("link", { name: "Change the account of" }).click();
  await expect(main(page).getByText("Take the role away first.")).toBeVisible();
});

test("nobody else finds the page", async ({ page, signInAs }) => {
  await signInAs("ines");
  expect((await page.goto("/admin/people"))?.status()).toBe(404);
});
