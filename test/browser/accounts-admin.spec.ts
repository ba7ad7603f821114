import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  fillRegistration,
  expectHeading,
  findLink,
  createNewMember,
  signIn,
} from "../support/browser/registration-steps.ts";
import { clickButton, followLink, main } from "../support/browser/steps.ts";

test("an admin finds an account, suspends it with a reason, lifts the suspension and assigns a role", async ({
  page,
  signInAs,
  another,
  mail,
  accessible,
}) => {
  const who = createNewMember();
  const theirs = await another();
  await theirs.goto("/register");
  await fillRegistration(theirs, who);
  await expectHeading(theirs, "Check your inbox");

  await signInAs("ada");
  await page.goto("/admin/people");
  await theirs.goto(findLink(await mail(who.email)));
  await expectHeading(theirs, "Welcome to Lindenhof Commons");
  await page.getByLabel("Name, username or email address").fill(who.email);
  await clickButton(page, "Search");
  const line = main(page)
    .getByRole("listitem")
    .filter({ hasText: `@${who.username}` });
  await expect(line).toHaveCount(1);
  // Lists show no email addresses. Showing one is logged.
  await expect(line).not.toContainText(who.email);
  await line.getByRole("button", { name: "Show email of" }).click();
  await expect(line).toContainText(who.email);
  await accessible();

  await followLink(line.getByRole("link", { name: "Manage account of" }));
  await main(page).getByLabel("Restrict").selectOption("suspended");
  await main(page).getByRole("textbox", { name: "Reason" }).fill("Adverts in three groups.");
  await accessible();
  await clickButton(page, "Apply");
  await expect(line).toContainText("Suspended");
  await expect(line).toContainText("Adverts in three groups.");
  await theirs.goto("/login");
  await signIn(theirs, who.email);
  await expect(theirs.getByText("Adverts in three groups.")).toBeVisible();

  await followLink(line.getByRole("link", { name: "Manage account of" }));
  await clickButton(page, "Lift suspension");
  await expect(line).not.toContainText("Suspended");
  await followLink(line.getByRole("link", { name: "Manage account of" }));
  await main(page).getByLabel("Role").selectOption("moderator");
  await clickButton(page, "Set role");
  await expect(line).toContainText("Moderator");
  // Suspending keeps a person's roles.
  await followLink(line.getByRole("link", { name: "Manage account of" }));
  await expect(main(page).getByText("Revoke the role first.")).toBeVisible();
});

test(
  "a moderator can suspend an account for 30 days at most",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, mail, accessible }) => {
    const who = createNewMember();
    await signInAs("ines");
    await page.goto("/moderation");
    const theirs = await another();
    await theirs.goto("/register");
    await fillRegistration(theirs, who);
    await expectHeading(theirs, "Check your inbox");
    await theirs.goto(findLink(await mail(who.email)));

    await followLink(
      page.getByRole("navigation", { name: "Moderation" }).getByRole("link", { name: "Members" }),
    );
    await page.getByLabel("Name or username").fill(who.username);
    await clickButton(page, "Search");
    const line = main(page)
      .getByRole("listitem")
      .filter({ hasText: `@${who.username}` });
    await followLink(line.getByRole("link", { name: "Manage account of" }));
    await expect(main(page).getByLabel("Duration").getByRole("option")).toHaveText([
      "For a day",
      "3 days",
      "For a week",
      "30 days",
    ]);
    await expect(main(page).getByLabel("Role")).toHaveCount(0);
    await accessible();
    await main(page).getByLabel("Duration").selectOption("30");
    await main(page).getByRole("textbox", { name: "Reason" }).fill("Adverts in three groups.");
    await clickButton(page, "Apply");
    await expect(line).toContainText("Restricted");
    // On the profile staff see the decision, and a link to all decisions on the account.
    await followLink(line.getByRole("link", { name: who.name }).first());
    await expect(main(page).getByText("Adverts in three groups.")).toBeVisible();
    await followLink(main(page).getByRole("link", { name: "Account and history" }));
    await expect(main(page).getByRole("region", { name: "Decisions" })).toContainText(
      "Adverts in three groups.",
    );
    await accessible();
    // Accounts of the same or a higher role cannot be changed.
    await page.goto("/admin/people?search=ada&state=staff");
    await expect(main(page).getByRole("listitem").filter({ hasText: "Admin" }).first()).toBeVisible();
    await expect(main(page).getByRole("link", { name: "Manage account of" })).toHaveCount(0);
  },
);

test(
  "only admins can read the audit log, filtered by person and by object",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("ines");
    expect((await page.goto("/admin/audit"))?.status()).toBe(404);
    await signInAs("ada");
    await page.goto("/admin/people?search=mira");
    await main(page).getByRole("button", { name: "Show email of" }).first().click();
    await expect(main(page).getByText("mira@")).toBeVisible();
    await page.goto("/admin/audit");
    await main(page).getByLabel("Actor (username)").fill("ada");
    await main(page).getByLabel("Area").selectOption("Members");
    await clickButton(page, "Search");
    await expect(page).toHaveURL(/part=people/);
    await expect(
      main(page).getByRole("listitem").filter({ hasText: "viewed the email of" }).first(),
    ).toBeVisible();
    await accessible();
  },
);

test(
  "members get 404 for the accounts page of the administration",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("mira");
    expect((await page.goto("/admin/people"))?.status()).toBe(404);
  },
);
