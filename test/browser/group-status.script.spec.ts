import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickLink,
  createGroup,
  join,
  main,
  clickButton,
  submitAndWait,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("an archived group shows a banned person the ban reason and others its status", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const [owner, shut, stranger] = ["tomas", "mira", "hana"] as const;
  await signInAs(owner);
  await createGroup(page, uniqueName("Dry stone walls"), "private");
  const address = new URL(page.url()).pathname;
  const out = await another(shut);
  await join(out, address);

  await page.goto(`${address}/manage/members`);
  const line = main(page)
    .getByRole("listitem")
    .filter({ hasText: `@${shut}` });
  await line.getByLabel(/^Manage .*…$/).click();
  await line.getByText("Ban…").click();
  await line
    .getByLabel(/^Reason \(for/)
    .last()
    .fill("Shouting.");
  await clickButton(page, "Ban");
  await expect(main(page).getByRole("heading", { name: "Banned" })).toBeVisible();
  await page.goto(`${address}/manage/log`);
  await expect(main(page).getByRole("listitem").filter({ hasText: "banned" })).toContainText(
    /ends (in|tomorrow)/,
  );
  await page.goto(`${address}/manage/end`);
  await clickButton(page, "Archive group");
  await expect(main(page).getByRole("button", { name: "Reopen group" })).toBeVisible();

  await out.goto(address);
  await expect(main(out).getByText("You are banned from this group until")).toBeVisible();
  await expect(main(out).getByText("Shouting.")).toBeVisible();
  await expect(main(out).getByRole("link", { name: "Appeal ban" })).toBeVisible();
  const far = await another(stranger);
  await far.goto(address);
  await expect(
    main(far).getByText("This group is archived. Only members can read it, and it cannot be joined."),
  ).toBeVisible();
  await page.goto(address);
  await expect(
    main(page).getByText("This group is archived. It is read-only and cannot be joined."),
  ).toBeVisible();
  await accessible();
});

test("the page of an invite-only group shows whether members or moderators send invitations", async ({
  page,
  signInAs,
  another,
}) => {
  const [owner, stranger] = ["tomas", "hana"] as const;
  await signInAs(owner);
  await createGroup(page, uniqueName("Slow bread"), "private", "invite");
  const address = new URL(page.url()).pathname;
  const far = await another(stranger);
  await far.goto(address);
  await expect(main(far).getByText("You can join when a member invites you.")).toBeVisible();
  await expect(main(far).getByText("members invite people")).toBeVisible();
  await page.goto(`${address}/manage/about`);
  await main(page).getByLabel("Who can invite").selectOption("moderators");
  await submitAndWait(page, main(page).getByRole("button", { name: "Save", exact: true }));
  await far.reload();
  await expect(main(far).getByText("You can join when a moderator invites you.")).toBeVisible();
  await expect(main(far).getByText("moderators invite people")).toBeVisible();
});

test("links to a moderator's actions appear for moderators only", async ({
  page,
  signInAs,
  another,
  javaScriptEnabled,
}) => {
  const [owner, member] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "hana"] as const,
    ["mira", "chidi"] as const,
  );
  await signInAs(owner);
  await createGroup(page, uniqueName("Night walkers"));
  const address = new URL(page.url()).pathname;
  const [inside, admin] = [await another(member), await another("ada")];
  await join(inside, address);
  await inside.goto(`${address}?tab=members`);
  await expect(main(inside).getByText(`@${member}`)).toBeVisible();
  await expect(main(inside).getByRole("link", { name: "Change roles, remove or ban members" })).toHaveCount(
    0,
  );
  await page.goto(`${address}?tab=members&search=${member}`);
  await clickLink(page, "Change roles, remove or ban members");
  await expect(main(page).getByText(`@${member}`)).toBeVisible();

  const announcementLink = { name: "Send announcement" };
  await expect(main(page).getByRole("link", announcementLink)).toBeVisible();
  await admin.goto(`${address}/manage`);
  await expect(main(admin).getByRole("link", { name: "Back to group" })).toBeVisible();
  await expect(main(admin).getByRole("link", announcementLink)).toHaveCount(0);
  await page.goto(`${address}/manage/end`);
  await clickButton(page, "Archive group");
  await expect(main(page).getByRole("button", { name: "Reopen group" })).toBeVisible();
  await expect(main(page).getByRole("link", announcementLink)).toHaveCount(0);
});
