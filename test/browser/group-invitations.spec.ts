import { DEMO_PASSWORD } from "../../src/secrets.ts";
import { expect, test } from "./fixtures.ts";
import { fillIn, heading, linkIn, newcomer, signIn } from "./newcomers.ts";
import { follow, foundGroup, main, press, unfold, unique, whoever } from "./steps.ts";

test("a single-use link admits a person who signs in first, once", async ({ page, signInAs, accessible, another }) => {
  const name = unique("Moth watchers");
  await signInAs("tomas");
  await foundGroup(page, name, "Secret", "By invitation");
  await follow(page, /^Manage/);
  await follow(page, "Invitations");
  await unfold(page, "A link to hand on");
  await main(page).getByLabel("For how many people").fill("1");
  await accessible();
  await press(page, "Make a link");
  const link = await main(page)
    .getByLabel(/^Here is your link/)
    .inputValue();
  await accessible();

  const guest = await another();
  await guest.goto(link);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(name);
  await follow(guest, "Sign in");
  await guest.getByLabel("E-mail address or user name").fill("ada");
  await guest.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await press(guest, "Sign in");
  await expect(guest).toHaveURL(new URL(link).pathname);
  await press(guest, "Accept and join");
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(
    main(guest)
      .getByText("You are in this group: Member")
      .or(main(guest).locator("summary", { hasText: "Member" }))
      .first(),
  ).toBeVisible();

  await follow(page, /^Members/);
  await unfold(page, "Change…");
  await unfold(page, "Take out…");
  await main(page)
    .getByLabel(/^Reason, for/)
    .first()
    .fill("Frightened the moths.");
  await press(page, "Take out");
  const told = main(guest).getByRole("listitem").filter({ hasText: name });
  await expect(async () => {
    await guest.goto("/notifications");
    await expect(told).toContainText("You were taken out of", { timeout: 500 });
  }).toPass();
  await expect(told).toContainText("Frightened the moths.");
  await told.getByRole("link", { name }).first().click();
  await expect(guest).toHaveURL(/\/groups$/);

  const late = await another("ines");
  await late.goto(link);
  await expect(late.getByRole("heading", { level: 1 })).toHaveText("This invitation has been used.");
  expect(await main(late).textContent()).not.toContain(name);
});

test("registering by an invitation shows its group on the way and ends at it", async ({ page, mail, accessible, another }) => {
  const name = unique("Lantern keepers");
  const tomas = await another("tomas");
  await foundGroup(tomas, name, "Private", "On request");
  await tomas.goto(`${new URL(tomas.url()).pathname}/manage/invitations`);
  await unfold(tomas, "A link to hand on");
  await press(tomas, "Make a link");
  const link = await main(tomas)
    .getByLabel(/^Here is your link/)
    .inputValue();

  await page.goto(link);
  await follow(page, "Register");
  const who = newcomer();
  await fillIn(page, who);
  await heading(page, "Check your inbox");
  await page.goto(linkIn(await mail(who.email)));
  await press(page, "Confirm my address");
  await signIn(page, who.email);
  await expect(main(page).getByText(`has invited you to ${name}.`)).toBeVisible();
  await accessible();
  await page.goto(page.url().replace("/welcome?", "/welcome?step=3&"));
  await expect(main(page).getByText(`has invited you to ${name}.`)).toBeVisible();
  await expect(main(page).getByRole("listitem").filter({ hasText: name })).toHaveCount(0);
  await press(page, "Not now: take me straight in");
  await press(page, "Accept and join");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
});

test("a mail invitation works for its address only", async ({ page, signInAs, mail, another }) => {
  const name = unique("Night bakers");
  await signInAs("tomas");
  await foundGroup(page, name, "Private", "By invitation");
  await follow(page, /^Manage/);
  await follow(page, "Invitations");
  await unfold(page, "Somebody by mail");
  const address = `${unique("somebody").replace(" ", ".")}@example.org`;
  await main(page).getByLabel("E-mail address").fill(address);
  await press(page, "Write to them");
  await expect(main(page).getByText(address)).toBeVisible();
  const text = await mail(address);
  expect(text).toContain(name);
  const link = text.match(/https?:\/\/\S+\/invite\/[\w-]+/)![0];
  const other = await another("ines");
  await other.goto(new URL(link).pathname);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("This invitation is for another address.");
  await press(page, "Take back");
  await expect(main(page).getByText("taken back").first()).toBeVisible();
  await other.goto(new URL(link).pathname);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("This invitation was taken back.");
});

test("friends are chosen from a list and invited at once", async ({ page, signInAs, accessible, another, javaScriptEnabled }) => {
  const name = unique("Kite flyers");
  const [owner, friend] = whoever(javaScriptEnabled, ["tomas", "Mira Castellano"] as const, ["mira", "Tomas Varga"] as const);
  await signInAs(owner);
  await foundGroup(page, name, "Secret", "By invitation");
  await page.goto(`${new URL(page.url()).pathname}/manage/invitations`);
  await unfold(page, "Friends of yours");
  await accessible();
  await press(page, "Invite them");
  await expect(main(page).getByRole("alert")).toHaveText("Choose whom to invite.");
  await main(page).getByRole("checkbox", { name: friend }).check();
  await press(page, "Invite them");
  await expect(main(page).getByRole("listitem").filter({ hasText: friend })).toContainText("waits for an answer");
  await unfold(page, "Friends of yours");
  await expect(main(page).getByRole("checkbox", { name: friend })).toHaveCount(0);
  const invited = await another(whoever(javaScriptEnabled, "mira", "tomas"));
  await invited.goto("/groups?tab=waiting");
  await expect(main(invited).getByRole("link", { name })).toBeVisible();
  // A pending invitation appears on every page of that person, which other tests check.
  await press(invited, `Decline the invitation to ${name}`);
  await expect(main(invited).getByRole("link", { name })).toHaveCount(0);
});
