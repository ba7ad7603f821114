import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { openSettings, registerMember } from "../support/browser/registration-steps.ts";
import {
  chooseByMode,
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  openNotification,
  startDiscussion,
  uniqueName,
  waitForHydration,
} from "../support/browser/steps.ts";

/** Staff have one notification for all of these. It names the latest, which may be that of another test. */
const WAITING_FOR_STAFF = /A (resource for the whole community|profile text) awaits approval/;

test("a new member's post with a link awaits approval, is returned, sent again and approved", async ({
  page,
  signInAs,
  another,
  mail,
  accessible,
  javaScriptEnabled,
}) => {
  // The test is slow, because two people act in turn and one of them registers first.
  test.slow();
  const owner = chooseByMode(javaScriptEnabled, "tomas", "mira");
  const [title, words, why] = [
    uniqueName("Where to get seeds"),
    uniqueName("I have some"),
    uniqueName("Say where they grow"),
  ];
  await signInAs(owner);
  const name = uniqueName("Seed savers");
  await createGroup(page, name);
  const group = new URL(page.url()).pathname;
  await startDiscussion(page, title, "Who has beans?", group.split("/").at(-1));
  const discussion = new URL(page.url()).pathname;

  const newcomer = await another();
  await newcomer.goto("/");
  await registerMember(newcomer, mail);
  await join(newcomer, group);
  await newcomer.goto(discussion);
  await newcomer.getByLabel("Your reply").fill(`${words}: https://beans.example/shop`);
  await clickButton(newcomer, "Reply");
  const waiting = newcomer.locator("#waiting");
  await expect(waiting).toContainText(words);
  await expect(waiting).toContainText("Only you and moderators can read it until it is reviewed.");
  await expect(newcomer.getByLabel("Your reply")).toHaveValue("");
  await expect(newcomer.getByRole("article").filter({ hasText: words })).toHaveCount(0);

  await openNotification(page, name, "awaits approval");
  await expect(page).toHaveURL(/\/manage\/posts$/);
  await expect(main(page).getByRole("listitem").filter({ hasText: words })).toContainText("no posts so far");
  await accessible();
  await main(page).locator("summary").filter({ hasText: "Return…" }).click();
  await main(page)
    .getByLabel(/What should be changed/)
    .fill(why);
  await clickButton(page, "Return");
  await expect(main(page).getByText("Nothing to do.")).toBeVisible();
  await accessible();

  await openNotification(newcomer, why, "was returned to you");
  await expect(main(newcomer).getByRole("heading", { name: "Awaiting approval" })).toBeVisible();
  await expect(main(newcomer).getByText(why)).toBeVisible();
  await followLink(main(newcomer).getByRole("link", { name: title }).first());
  // The returned text is in the form again.
  await expect(newcomer.getByLabel("Your reply")).toHaveValue(`${words}: https://beans.example/shop`);
  if (javaScriptEnabled) await waitForHydration(newcomer);
  await newcomer.getByLabel("Your reply").fill(`${words}, from my own garden: https://beans.example/`);
  await clickButton(newcomer, "Reply");
  await expect(waiting).toContainText("from my own garden");
  await expect(main(newcomer).getByText(why)).toHaveCount(0);

  await page.goto("/");
  await followLink(main(page).getByRole("link", { name: /posts? awaits? approval/ }));
  await expect(page).toHaveURL(/\/moderation\?tab=posts$/);
  const line = main(page).getByRole("listitem").filter({ hasText: words });
  await accessible();
  await line.getByRole("button", { name: /^Approve/ }).click();
  await expect(line).toHaveCount(0);
  await openNotification(newcomer, "was approved", "Your post in");
  await expect(newcomer.getByRole("article").filter({ hasText: words })).toBeVisible();
  await expect(waiting).toHaveCount(0);
});

test(
  "a new member's pending discussion is among the drafts, and can be withdrawn",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail, accessible, another }) => {
    const title = uniqueName("I sell beans");
    await page.goto("/");
    await registerMember(page, mail);
    await join(page, "/groups/long-beds");
    await page.goto("/groups/long-beds/new");
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Text", { exact: true }).fill("See https://beans.example/");
    await page.getByRole("button", { name: "Start discussion" }).click();
    await expect(page).toHaveURL(/\/drafts#waiting$/);
    await expect(main(page).getByRole("heading", { name: title })).toBeVisible();
    await accessible();
    const moderator = await another("ines");
    await moderator.goto("/moderation?tab=posts");
    await expect(main(moderator).getByRole("heading", { name: title })).toBeVisible();
    await accessible(undefined, moderator);
    await clickButton(page, "Withdraw");
    await expect(main(page).getByRole("heading", { name: "Awaiting approval" })).toHaveCount(0);
    await followLink(main(page).getByRole("link", { name: /^New discussion in/ }));
    await expect(page.getByLabel("Title")).toHaveValue(title);
    await expect(page.getByLabel("Text", { exact: true })).toHaveValue("See https://beans.example/");
  },
);

test(
  "a new member's link awaits approval, is returned with a reason, sent again and approved",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail, accessible, another }) => {
    test.slow();
    const [title, why] = [uniqueName("Bean shop"), uniqueName("Say what they sell")];
    await page.goto("/");
    await registerMember(page, mail);
    await page.goto("/resources/new");
    await page.getByLabel("Address").fill(`https://beans.example/${encodeURIComponent(title)}`);
    await page.getByLabel("Title").fill(title);
    await page.getByRole("button", { name: "Add to the library" }).click();
    await expect(page).toHaveURL(/\/drafts#waiting$/);
    await expect(main(page).getByRole("heading", { name: title })).toBeVisible();
    await accessible();

    const moderator = await another("ines");
    await openNotification(moderator, WAITING_FOR_STAFF, "awaits approval");
    await expect(moderator).toHaveURL(/\/moderation\?tab=posts$/);
    const row = main(moderator).getByRole("listitem").filter({ hasText: title });
    await expect(row).toContainText("New resource in Whole community");
    await accessible(undefined, moderator);
    await row.locator("summary").filter({ hasText: "Return…" }).click();
    await row.getByLabel(/What should be changed/).fill(why);
    await row.getByRole("button", { name: "Return", exact: true }).click();
    await expect(row).toHaveCount(0);

    await openNotification(page, why, "was returned to you");
    await main(page).getByRole("link", { name: "Edit and send again" }).click();
    await expect(page.getByLabel("Title")).toHaveValue(title);
    await page.getByLabel("Why it's useful").fill("They sell old kinds.");
    await page.getByRole("button", { name: "Add to the library" }).click();
    await expect(main(page).getByText("They sell old kinds.")).toBeVisible();
    await moderator.reload();
    await row.getByRole("button", { name: /^Approve/ }).click();
    await expect(row).toHaveCount(0);
    await openNotification(page, "was approved", title);
    await expect(main(page).getByRole("heading", { level: 1, name: title })).toBeVisible();
  },
);

test(
  "a new member's profile link awaits approval, is returned with a reason, sent again and approved",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail, accessible, another }) => {
    test.slow();
    const [bio, why] = [uniqueName("I grow beans"), uniqueName("Say what the site is")];
    await page.goto("/");
    const { name } = await registerMember(page, mail);
    const moderator = await another("ines");
    await openSettings(page, "Profile");
    await page.getByLabel("About you", { exact: true }).fill(`${bio}: https://beans.example/`);
    await clickButton(page, "Save profile");
    await expect(main(page).getByText(/^Only you and moderators see your new profile text/)).toBeVisible();
    await expect(page.getByLabel("About you", { exact: true })).toHaveValue(`${bio}: https://beans.example/`);
    await accessible();
    await followLink(main(page).getByRole("link", { name: "View profile" }));
    await expect(main(page).getByText(bio)).toBeVisible();
    const profile = new URL(page.url()).pathname;
    await accessible();
    await moderator.goto(profile);
    await expect(main(moderator).getByRole("heading", { level: 1 })).toBeVisible();
    await expect(main(moderator).getByText(bio)).toHaveCount(0);

    await openNotification(moderator, WAITING_FOR_STAFF, "awaits approval");
    await expect(moderator).toHaveURL(/\/moderation\?tab=posts$/);
    const row = main(moderator).getByRole("listitem").filter({ hasText: bio });
    await expect(row).toContainText(`Profile of ${name}`);
    await accessible(undefined, moderator);
    await row.locator("summary").filter({ hasText: "Return…" }).click();
    await row.getByLabel(/What should be changed/).fill(why);
    await row.getByRole("button", { name: "Return", exact: true }).click();
    await expect(row).toHaveCount(0);

    await openNotification(page, why, "was returned to you");
    await expect(main(page).getByText(bio)).toBeVisible();
    await accessible();
    await followLink(main(page).getByRole("link", { name: "Your profile" }));
    await expect(main(page).getByText(why)).toBeVisible();
    await page.getByLabel("About you", { exact: true }).fill(`${bio}, my shop: https://beans.example/`);
    await clickButton(page, "Save profile");
    await expect(main(page).getByText(why)).toHaveCount(0);
    await moderator.reload();
    await row.getByRole("button", { name: /^Approve/ }).click();
    await expect(row).toHaveCount(0);
    await moderator.goto(profile);
    await expect(main(moderator).getByRole("link", { name: "https://beans.example/" })).toBeVisible();
  },
);
