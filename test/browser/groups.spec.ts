import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  clickButton,
  clickLink,
  createGroup,
  followLink,
  main,
  openMenu,
  submitAndWait,
  uniqueName,
} from "../support/browser/steps.ts";

test("an owner creates a group, changes its description, archives, deletes and restores it", async ({
  page,
  signInAs,
  accessible,
}) => {
  // The test is slow, because it covers the whole life of a group.
  test.slow();
  const name = uniqueName("Kite makers");
  await signInAs("mira");
  await page.goto("/groups/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("radio", { name: "Private", exact: true }).check();
  await page.getByRole("radio", { name: "By request", exact: true }).check();
  await clickButton(page, "Create group");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await clickLink(page, /^Manage/);
  await main(page).getByLabel("Rules").fill("Mind the power lines.\nShare the glue.");
  await main(page).getByLabel("Purpose").fill("Paper, string and wind.");
  await main(page).getByLabel("Who can start discussions").selectOption("moderators");
  await accessible();
  await clickButton(page, "Save");
  await expect(main(page).getByText("Version 2, changed on")).toBeVisible();

  await clickLink(page, "Who can join");
  await main(page).getByRole("radio", { name: "From when they join" }).check();
  await accessible();
  await submitAndWait(page, main(page).getByRole("button", { name: "Save", exact: true }));
  await expect(main(page).getByRole("radio", { name: "From when they join" })).toBeChecked();

  await clickLink(page, "Cover");
  await accessible();
  await main(page).getByRole("radio", { name: "Dusk" }).check();
  await submitAndWait(page, main(page).getByRole("button", { name: "Use background", exact: true }));
  await expect(main(page).getByRole("radio", { name: "Dusk" })).toBeChecked();

  await clickLink(page, "Archive & transfer");
  await accessible();
  await clickButton(page, "Archive group");
  await expect(main(page).getByRole("button", { name: "Reopen group" })).toBeVisible();
  await clickLink(page, "Back to group");
  await expect(main(page).getByText("This group is archived.")).toBeVisible();
  await clickLink(page, /^Manage/);
  await clickLink(page, "Archive & transfer");
  await clickButton(page, "Reopen group");
  await expect(main(page).getByRole("button", { name: "Archive group" })).toBeVisible();

  await clickLink(page, "Log");
  await expect(main(page).getByText("archived the group")).toBeVisible();
  const editEntry = main(page).getByRole("listitem").filter({ hasText: "edited the group's description" });
  await expect(editEntry).toContainText("Purpose · Rules · Who can start discussions");
  await expect(editEntry).not.toContainText("Topic");
  const entry = main(page).getByRole("listitem").filter({ hasText: "changed who can join" });
  const ASKED = "Anyone can find it; only members can read it; moderators approve join requests.";
  await expect(entry).toContainText(`${ASKED} New members read only what is written after they join.`);
  await expect(entry.getByText(/^Before: /)).toHaveText(`Before: ${ASKED}`);
  await accessible();
  await clickLink(page, "Archive & transfer");
  await openMenu(page, /^Delete “/);
  await clickButton(page, `Delete ${name}`);
  await expect(main(page).getByRole("heading", { name: "Deleted groups" })).toBeVisible();
  await clickButton(page, `Restore ${name}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(main(page).getByText("Paper, string and wind.")).toBeVisible();
  await clickLink(page, "About");
  await expect(main(page).getByText("Share the glue.")).toBeVisible();
});

test("an applicant is approved, made moderator, and banned by the owner", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const name = uniqueName("Choir of the yard");
  await signInAs("tomas");
  await createGroup(page, name, "private", "request");
  const address = page.url();
  const ada = await another("ada");
  await ada.goto(address);
  await clickButton(ada, "Request to join");
  await expect(main(ada).getByText("Your join request was sent.")).toBeVisible();

  await page.goto(`${new URL(address).pathname}/manage/requests`);
  await expect(main(page).getByRole("link", { name: /^Message / })).toBeVisible();
  await accessible();
  await clickButton(page, /^Approve: /);
  await expect(main(page).getByText("No open requests.")).toBeVisible();
  await clickLink(page, /^Members/);
  await accessible();
  await openMenu(page, "Manage…");
  await clickButton(page, "New role: Moderator");
  await expect(main(page).getByText("Moderator", { exact: true })).toBeVisible();

  await openMenu(page, "Manage…");
  await openMenu(page, "Ban…");
  await main(page)
    .getByLabel(/^Reason \(for/)
    .last()
    .fill("Sang over everybody.");
  await clickButton(page, "Ban");
  await expect(main(page).getByRole("heading", { name: "Banned" })).toBeVisible();
  await ada.goto(address);
  await expect(main(ada).getByText("Sang over everybody.")).toBeVisible();
  const notification = main(ada).getByRole("listitem").filter({ hasText: name });
  // An event handler creates the notification a moment later.
  await expect(async () => {
    await ada.goto("/notifications");
    await expect(notification).toContainText(/You were banned from .* until/, { timeout: 500 });
  }).toPass();
  await expect(notification).toContainText("Sang over everybody.");
  await clickButton(page, /^Unban: /);
  await expect(main(page).getByRole("heading", { name: "Banned" })).toBeHidden();
  await ada.goto(address);
  await expect(main(ada).getByText("You were removed from this group.")).toBeVisible();
  await expect(main(ada).getByRole("button", { name: "Request to join" })).toBeVisible();
  await clickLink(page, "Log");
  await expect(main(page).getByText("Sang over everybody.")).toBeVisible();
});

test("typed answers stay with their own questions when the questions change", async ({
  page,
  signInAs,
  another,
}) => {
  const asking = async (questions: string) => {
    await page.goto(`${new URL(address).pathname}/manage/about`);
    await main(page)
      .getByLabel(/^Membership questions/)
      .fill(questions);
    await submitAndWait(page, main(page).getByRole("button", { name: "Save", exact: true }));
  };
  await signInAs("tomas");
  await createGroup(page, uniqueName("Keepers of the gate"), "private", "request");
  const address = page.url();
  await asking("Which gate?\nWhy?");
  const ada = await another("ada");
  await ada.goto(address);
  await main(ada).getByLabel("Which gate?").fill("The one by the brook.");
  await main(ada).getByLabel("Why?").fill("It creaks.");
  await asking("Why?\nSince when?");
  await expect(main(ada).getByLabel("Which gate?")).toHaveValue("The one by the brook.");
  await clickButton(ada, "Request to join");
  await expect(main(ada).getByText(/^The questions of this group have changed/)).toBeVisible();
  await expect(main(ada).getByLabel("Why?")).toHaveValue("It creaks.");
  await expect(main(ada).getByLabel("Since when?")).toHaveValue("");
  await expect(main(ada).getByLabel("Which gate?")).toHaveValue("The one by the brook.");
  await main(ada).getByLabel("Since when?").fill("Spring.");
  await clickButton(ada, "Request to join");
  await expect(main(ada).getByText("Your join request was sent.")).toBeVisible();
});

test(
  "past join requests are listed on a separate page and can be downloaded",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    const name = uniqueName("Weir keepers");
    await signInAs("tomas");
    await createGroup(page, name, "private", "request");
    const address = new URL(page.url()).pathname;
    await page.goto(`${address}/manage/about`);
    await main(page)
      .getByLabel(/^Membership questions/)
      .fill("Can you swim?");
    await clickButton(page, "Save");
    const ada = await another("ada");
    await expect(async () => {
      await ada.goto(address);
      await expect(main(ada).getByLabel("Can you swim?")).toBeVisible({ timeout: 500 });
    }).toPass();
    await main(ada).getByLabel("Can you swim?").fill("=Like a duck, mostly");
    await clickButton(ada, "Request to join");
    await expect(main(ada).getByText("Your join request was sent.")).toBeVisible();

    await page.goto(`${address}/manage/requests`);
    await openMenu(page, "Reject…");
    await main(page)
      .getByLabel(/^Reason, for/)
      .fill("Low water just now.");
    await clickButton(page, "Reject");
    await expect(main(page).getByText("No open requests.")).toBeVisible();
    await clickLink(page, "Decided");
    await expect(main(page).getByText("Low water just now.")).toBeVisible();
    await expect(main(page).getByText("Can you swim?")).toBeVisible();
    await expect(main(page).getByText("=Like a duck, mostly")).toBeVisible();
    await expect(main(page).getByText("kept for two years")).toBeVisible();
    await expect(page).toHaveURL(/view=decided/);
    await accessible();

    const file = await main(page)
      .getByRole("link", { name: "Download all requests (CSV)" })
      .getAttribute("href");
    const sent = await page.request.get(file!);
    expect(sent.headers()["content-type"]).toBe("text/csv; charset=utf-8");
    expect(await sent.text()).toMatch(
      /,ada,[^,]+,declined,[^,]+,tomas,Low water just now\.,Can you swim\?,"'=Like a duck, mostly"/,
    );
    // A site admin may delete the group, but cannot read its join requests.
    expect((await ada.request.get(file!)).status()).toBe(403);
    expect((await ada.request.get(`${address}/manage/requests?view=decided`)).status()).toBe(404);
  },
);

test(
  '"Start here" is at the top of the group',
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const name = uniqueName("Pond people");
    await signInAs("tomas");
    await createGroup(page, name, "private", "request");
    const title = uniqueName("Welcome to the pond");
    await clickLink(page, "New discussion");
    await main(page).getByLabel("Title").fill(title);
    await main(page).locator("textarea").first().fill("Mind the frogs.");
    await clickButton(page, "Start discussion");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await main(page).locator('summary[aria-label="More actions for this discussion"]').first().click();
    await clickButton(page, "Add to “Start here”");
    await expect(main(page).getByRole("button", { name: `Remove: ${title}` })).toBeVisible();
    await main(page).getByLabel("Link of a discussion or resource").fill("https://example.org/elsewhere");
    await clickButton(page, "Add");
    await expect(main(page).getByRole("alert")).toContainText(
      "That is not a discussion or resource of this group.",
    );
    await accessible();
    await clickLink(page, "Back to group");
    await expect(
      main(page).getByRole("region", { name: "Start here" }).getByRole("link", { name: title }),
    ).toBeVisible();
    await accessible();
  },
);

test(
  "the about page shows related groups to those who may see the members",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    const [first, second, closed] = [uniqueName("Kites"), uniqueName("Strings"), uniqueName("Cellar kites")];
    const others = [await another("ada"), await another("ines")];
    await signInAs("tomas");
    const addresses = [];
    for (const name of [first, second, closed]) {
      await createGroup(page, name, name === closed ? "private" : "public", "open");
      addresses.push(new URL(page.url()).pathname);
    }
    for (const other of others)
      for (const address of addresses) {
        await other.goto(address);
        await clickButton(other, /^Join/);
        await expect(main(other).getByRole("button", { name: /^Join/ })).toHaveCount(0);
      }

    const related = (window: typeof page) => main(window).getByRole("region", { name: "Related groups" });
    await page.goto(addresses[0]!);
    await clickLink(page, "About");
    await expect(related(page).getByRole("link", { name: second })).toBeVisible();
    await expect(related(page).getByRole("link", { name: closed })).toBeVisible();
    await accessible();
    const mira = await another("mira");
    await mira.goto(`${addresses[0]}?tab=about`);
    await expect(related(mira)).not.toContainText(closed);
    await followLink(related(mira).getByRole("link", { name: second }));
    await expect(mira.getByRole("heading", { level: 1 })).toHaveText(second);
    // Related groups are hidden from people who may not see the group's members.
    await mira.goto(`${addresses[2]}?tab=about`);
    await expect(mira.getByRole("heading", { level: 1 })).toHaveText(closed);
    await expect(related(mira)).toHaveCount(0);
    const guest = await another();
    await guest.goto(`${addresses[0]}?tab=about`);
    await expect(guest.getByRole("heading", { level: 1 })).toHaveText(first);
    await expect(related(guest)).toHaveCount(0);
  },
);
