import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickLink,
  createGroupByForm,
  join,
  main,
  clickButton,
  submitAndWait,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("an archived group tells a banned person the reason, and others their status", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  const [owner, shut, stranger] = chooseByMode(javaScriptEnabled, ["tomas", "mira", "hana"] as const, ["mira", "tomas", "chidi"] as const);
  await signInAs(owner);
  await createGroupByForm(page, uniqueName("Dry stone walls"), "Private", "Open to all");
  const address = new URL(page.url()).pathname;
  const out = await another(shut);
  await join(out, address);

  await page.goto(`${address}/manage/members`);
  const line = main(page)
    .getByRole("listitem")
    .filter({ hasText: `@${shut}` });
  await line.getByLabel(/^Change…/).click();
  await line.getByText("Keep out…").click();
  await line
    .getByLabel(/^Reason, for/)
    .last()
    .fill("Shouting.");
  await clickButton(page, "Keep out");
  await expect(main(page).getByRole("heading", { name: "Kept out" })).toBeVisible();
  await page.goto(`${address}/manage/log`);
  await expect(main(page).getByRole("listitem").filter({ hasText: "kept out" })).toContainText(/ends (in|tomorrow)/);
  await page.goto(`${address}/manage/end`);
  await clickButton(page, "Archive the group");
  await expect(main(page).getByRole("button", { name: "Open the group again" })).toBeVisible();

  await out.goto(address);
  await expect(main(out).getByText("You cannot take part in this group.")).toBeVisible();
  await expect(main(out).getByText("Shouting.")).toBeVisible();
  await expect(main(out).getByRole("link", { name: "Ask to come back" })).toBeVisible();
  const far = await another(stranger);
  await far.goto(address);
  await expect(main(far).getByText("This group is archived. Only its members read it, and nobody joins any more.")).toBeVisible();
  await page.goto(address);
  await expect(main(page).getByText("This group is archived. It can be read, not written in, and nobody joins any more.")).toBeVisible();
  await accessible();
});

test("the page of an invite-only group shows who invites", async ({ page, signInAs, another, javaScriptEnabled }) => {
  const [owner, stranger] = chooseByMode(javaScriptEnabled, ["tomas", "hana"] as const, ["mira", "chidi"] as const);
  await signInAs(owner);
  await createGroupByForm(page, uniqueName("Slow bread"), "Private", "By invitation");
  const address = new URL(page.url()).pathname;
  const far = await another(stranger);
  await far.goto(address);
  await expect(main(far).getByText("People come into this group when a member invites them.")).toBeVisible();
  await expect(main(far).getByText("people come in when a member invites them")).toBeVisible();
  await page.goto(`${address}/manage/about`);
  await main(page).getByLabel("Who invites").selectOption("moderators");
  await submitAndWait(page, main(page).getByRole("button", { name: "Save", exact: true }));
  await far.reload();
  await expect(main(far).getByText("People come into this group when those who look after it invite them.")).toBeVisible();
  await expect(main(far).getByText("people come in when those who look after it invite them")).toBeVisible();
});

test("moderators find their actions where they need them, and others find no dead links", async ({
  page,
  signInAs,
  another,
  javaScriptEnabled,
}) => {
  const [owner, member] = chooseByMode(javaScriptEnabled, ["tomas", "hana"] as const, ["mira", "chidi"] as const);
  await signInAs(owner);
  await createGroupByForm(page, uniqueName("Night walkers"), "Public", "Open to all");
  const address = new URL(page.url()).pathname;
  const [inside, admin] = [await another(member), await another("ada")];
  await join(inside, address);
  await inside.goto(`${address}?tab=members`);
  await expect(main(inside).getByText(`@${member}`)).toBeVisible();
  await expect(main(inside).getByRole("link", { name: "Give roles, take out or keep out" })).toHaveCount(0);
  await page.goto(`${address}?tab=members&search=${member}`);
  await clickLink(page, "Give roles, take out or keep out");
  await expect(main(page).getByText(`@${member}`)).toBeVisible();

  const tell = { name: "Tell all members something" };
  await expect(main(page).getByRole("link", tell)).toBeVisible();
  await admin.goto(`${address}/manage`);
  await expect(main(admin).getByRole("link", { name: "Back to the group" })).toBeVisible();
  await expect(main(admin).getByRole("link", tell)).toHaveCount(0);
  await page.goto(`${address}/manage/end`);
  await clickButton(page, "Archive the group");
  await expect(main(page).getByRole("button", { name: "Open the group again" })).toBeVisible();
  await expect(main(page).getByRole("link", tell)).toHaveCount(0);
});
