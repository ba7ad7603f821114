import { DEMO_PASSWORD } from "../../src/app/secrets.ts";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  fillRegistration,
  expectHeading,
  findLink,
  createNewMember,
  inOtherBrowser,
} from "../support/browser/registration-steps.ts";
import {
  chooseByMode,
  clickButton,
  clickLink,
  createGroup,
  followLink,
  main,
  openMenu,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a single-use link admits one person, even if that person signs in after opening it", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const name = uniqueName("Moth watchers");
  await signInAs("tomas");
  await createGroup(page, name, "secret", "invite");
  await clickLink(page, /^Manage/);
  await clickLink(page, "Invitations");
  await openMenu(page, "Invite link");
  await main(page).getByLabel("Number of uses").fill("1");
  await accessible();
  await clickButton(page, "Create link");
  const link = await main(page)
    .getByLabel(/^Here is your link/)
    .inputValue();
  await accessible();

  const guest = await another();
  await guest.goto(link);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(name);
  await clickLink(guest, "I have an account");
  await guest.getByLabel("Email address or username").fill("ada");
  await guest.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await clickButton(guest, "Sign in");
  await expect(guest).toHaveURL(new URL(link).pathname);
  await clickButton(guest, "Accept and join");
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(
    main(guest)
      .getByText("Your role: Member")
      .or(main(guest).locator("summary", { hasText: "Member" }))
      .first(),
  ).toBeVisible();

  await clickLink(page, /^Members/);
  await openMenu(page, "Manage…");
  await openMenu(page, "Remove…");
  await main(page)
    .getByLabel(/^Reason \(for/)
    .first()
    .fill("Frightened the moths.");
  await clickButton(page, "Remove");
  const notification = main(guest).getByRole("listitem").filter({ hasText: name });
  await expect(async () => {
    await guest.goto("/notifications");
    await expect(notification).toContainText("You were removed from", { timeout: 500 });
  }).toPass();
  await expect(notification).toContainText("Frightened the moths.");
  await followLink(notification.getByRole("link", { name }).first());
  await expect(guest).toHaveURL(/\/groups$/);

  const late = await another("ines");
  await late.goto(link);
  await expect(late.getByRole("heading", { level: 1 })).toHaveText("This invitation has been used.");
  expect(await main(late).textContent()).not.toContain(name);
});

test("an invited person joins the group with Join, Sign up and the emailed link", async ({
  page,
  mail,
  accessible,
  another,
  browser,
}) => {
  const name = uniqueName("Lantern keepers");
  const tomas = await another("tomas");
  await createGroup(tomas, name, "private", "request");
  await tomas.goto(`${new URL(tomas.url()).pathname}/manage/invitations`);
  await openMenu(tomas, "Invite link");
  await main(tomas).getByLabel("Number of uses").fill("5");
  await clickButton(tomas, "Create link");
  const link = await main(tomas)
    .getByLabel(/^Here is your link/)
    .inputValue();

  await page.goto(link);
  await accessible();
  await clickLink(page, "Join");
  await expect(main(page).getByText(`invited you to ${name}.`)).toBeVisible();
  await accessible();
  const who = createNewMember();
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  await page.goto(findLink(await mail(who.email)));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page).toHaveURL(/\/groups\//);

  // In another browser a button confirms, and the group opens at the reply form of its discussion.
  const slug = new URL(page.url()).pathname.replace("/groups/", "");
  await startDiscussion(tomas, "Which lantern first", "The green one leaks.", slug);
  const late = createNewMember();
  const guest = await another();
  await guest.goto(`/register?next=${new URL(link).pathname}`);
  await fillRegistration(guest, late);
  await expectHeading(guest, "Check your inbox");
  const letter = findLink(await mail(late.email));
  await inOtherBrowser(browser, guest, async (other) => {
    await other.goto(letter);
    await expect(main(other).getByText(`invited you to ${name}.`)).toBeVisible();
    await clickButton(other, "Confirm and join");
    await expect(other).toHaveURL(/\/discussions\/[0-9a-f-]+#reply$/);
    await expect(other.getByRole("textbox", { name: "Your reply" })).toBeVisible();
  });
});

test(
  "a mailed invitation works only for its email address",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, mail, another }) => {
    const name = uniqueName("Night bakers");
    await signInAs("tomas");
    await createGroup(page, name, "private", "invite");
    await clickLink(page, /^Manage/);
    await clickLink(page, "Invitations");
    await openMenu(page, "Email");
    const address = `${uniqueName("somebody").replace(" ", ".")}@example.org`;
    await main(page).getByLabel("Email address").fill(address);
    await clickButton(page, "Send invitation");
    await expect(main(page).getByText(address)).toBeVisible();
    const text = await mail(address);
    expect(text).toContain(name);
    const link = text.match(/https?:\/\/\S+\/invite\/[\w-]+/)![0];
    const other = await another("ines");
    await other.goto(new URL(link).pathname);
    await expect(other.getByRole("heading", { level: 1 })).toHaveText(
      "This invitation is for another address.",
    );
    await clickButton(page, "Revoke");
    await expect(main(page).getByText("revoked").first()).toBeVisible();
    await other.goto(new URL(link).pathname);
    await expect(other.getByRole("heading", { level: 1 })).toHaveText("This invitation was revoked.");
  },
);

test("friends are chosen from a list and invited at once", async ({
  page,
  signInAs,
  accessible,
  another,
  javaScriptEnabled,
}) => {
  const name = uniqueName("Kite flyers");
  const [owner, friend] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "Mira Castellano"] as const,
    ["mira", "Tomas Varga"] as const,
  );
  await signInAs(owner);
  await createGroup(page, name, "secret", "invite");
  await page.goto(`${new URL(page.url()).pathname}/manage/invitations`);
  await openMenu(page, "Friends");
  await accessible();
  await clickButton(page, "Invite");
  await expect(main(page).getByRole("alert")).toHaveText("Choose people to invite.");
  await main(page).getByRole("checkbox", { name: friend }).check();
  await clickButton(page, "Invite");
  await expect(main(page).getByRole("listitem").filter({ hasText: friend })).toContainText("pending");
  await openMenu(page, "Friends");
  await expect(main(page).getByRole("checkbox", { name: friend })).toHaveCount(0);
  const invited = await another(chooseByMode(javaScriptEnabled, "mira", "tomas"));
  await invited.goto("/groups?tab=waiting");
  await expect(main(invited).getByRole("link", { name })).toBeVisible();
  // Declines the invitation: while it is pending it appears on every page of that person, and other tests
  // check these pages.
  await clickButton(invited, `Decline the invitation to ${name}`);
  await expect(main(invited).getByRole("link", { name })).toHaveCount(0);
});
