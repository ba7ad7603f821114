import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import {
  fillRegistration,
  expectHeading,
  findLink,
  type NewMember,
  createNewMember,
  openSettings,
  signIn,
} from "../support/browser/registration-steps.ts";
import { clickButton, clickLink, followLink, main, uniqueName } from "../support/browser/steps.ts";

async function put(admin: Page, who: NewMember, state: "suspended" | "limited", reason: string) {
  await admin.goto(`/admin/people?search=${encodeURIComponent(who.email)}`);
  const line = main(admin)
    .getByRole("listitem")
    .filter({ hasText: `@${who.username}` });
  await followLink(line.getByRole("link", { name: "Manage account of" }));
  await main(admin).getByLabel("Restrict").selectOption(state);
  await main(admin).getByRole("textbox", { name: "Reason" }).fill(reason);
  await clickButton(admin, "Apply");
  await expect(line).toContainText(reason);
}

test("a suspended person reads the reason in a mail and appeals; other staff lift the suspension", async ({
  page,
  another,
  mail,
  accessible,
}) => {
  test.slow();
  const who = createNewMember();
  const plea = uniqueName("My brother sat at my desk");
  await page.goto("/register");
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  await page.goto(findLink(await mail(who.email)));
  await expectHeading(page, "Welcome to Lindenhof Commons");
  const admin = await another("ada");
  await put(admin, who, "suspended", "Adverts in three groups.");

  await page.goto("/login");
  await signIn(page, who.email);
  await clickLink(page, "Account status");
  await expectHeading(page, "Account status");
  await page.goto(findLink(await mail(who.email, "suspended your account")));
  await expect(main(page).getByText("Adverts in three groups.")).toBeVisible();
  await accessible();
  await main(page).getByLabel("Why should the decision change?").fill(plea);
  await clickButton(page, "Appeal");
  await expect(main(page).getByText("There is no decision yet.")).toBeVisible();
  await expect(main(page).getByText(plea)).toBeVisible();
  await expect(main(page).getByLabel("Why should the decision change?")).toHaveCount(0);

  await admin.goto("/moderation");
  await expect(admin.getByRole("heading", { level: 1, name: "Cases" })).toBeVisible();
  await expect(main(admin).getByText(plea)).toHaveCount(0);
  const moderator = await another("ines");
  await moderator.goto("/moderation");
  await followLink(main(moderator).getByRole("link").filter({ hasText: plea }));
  await expectHeading(moderator, "Appeal about an account");
  await expect(main(moderator).getByText("Adverts in three groups.")).toBeVisible();
  await main(moderator).getByLabel("Lift restriction").check();
  await main(moderator).getByRole("textbox", { name: "Reason" }).fill("It was your brother.");
  await clickButton(moderator, "Send decision");
  await expect(moderator).toHaveURL(/\/moderation$/);

  expect(await mail(who.email, "has no restrictions any more")).toContain("Reason: It was your brother.");
  await page.goto("/login");
  await signIn(page, who.email);
  await clickButton(page, "Skip setup");
  await expect(page).toHaveURL(/\/$/);

  await put(admin, who, "limited", "Too many links.");
  await openSettings(page, "Account");
  await expect(main(page).getByText("Too many links.")).toBeVisible();
  await clickLink(page, "Account status");
  await expect(
    main(page).getByText(/Until .+, you can only read, and message people you know\./),
  ).toBeVisible();
  await accessible();
});
