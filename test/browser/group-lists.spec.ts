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

test("a member filters and sorts the list of groups, and resets it", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ines");
  await page.goto("/groups?tab=discover");
  await openMenu(page, "Who can join");
  await accessible();
  await clickLink(page, "By request");
  await expect(page).toHaveURL(/tab=discover&joinPolicy=request$/);
  const cards = main(page).locator("[data-item]");
  await expect(cards.first()).toBeVisible();
  await expect(cards.filter({ hasNotText: "by request" })).toHaveCount(0);

  await openMenu(page, "Most active");
  await clickLink(page, /^Name/);
  await expect(page).toHaveURL(/joinPolicy=request&sort=name$/);
  const names = await cards.getByRole("heading").allTextContents();
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
  await main(page).getByRole("searchbox").fill("nothing-is-called-so");
  await clickButton(page, "Search");
  await expect(page).toHaveURL(/joinPolicy=request&sort=name&search=nothing-is-called-so$/);
  await expect(main(page).getByText("No matching groups.")).toBeVisible();
  await accessible();
  await clickLink(page, "Clear filters");
  await expect(page).toHaveURL("/groups?tab=discover&search=nothing-is-called-so&sort=name");
});

test("a guest filters the groups too", { tag: JAVASCRIPT_ONLY }, async ({ page }) => {
  await page.goto("/groups");
  await openMenu(page, "Who can join");
  await clickLink(page, "Invite only");
  await expect(page).toHaveURL(/joinPolicy=invite$/);
  await expect(
    main(page).getByRole("link", { name: "Who can join: Invite only. Clear this filter" }),
  ).toBeVisible();
  await clickLink(page, "Clear this filter");
  await expect(main(page).locator("[data-item]").first()).toBeVisible();
  await openMenu(page, "Topic");
  await followLink(main(page).getByRole("link", { name: /^Garden/ }));
  await expect(page).toHaveURL(/topic=Garden$/);
  await expect(main(page).getByRole("link", { name: "The Long Beds", exact: true })).toBeVisible();
  await expect(main(page).getByRole("link", { name: "Chain & Spoke", exact: true })).toHaveCount(0);
});

test("a member pins a group, which is then listed first, and sees muted groups", async ({
  page,
  signInAs,
  accessible,
}) => {
  const names = [uniqueName("Anvil"), uniqueName("Bellows")];
  await signInAs("tomas");
  for (const name of names) await createGroup(page, name, "private", "invite");
  await openMenu(page, "Owner");
  await submitAndWait(page, main(page).getByRole("button", { name: "Nothing", exact: true }));
  await page.goto("/groups");
  await clickButton(page, `Pin ${names[0]}`);
  const cards = main(page).locator("[data-item]");
  await expect(main(page).getByRole("button", { name: `Unpin ${names[0]}` })).toBeVisible();
  await expect(cards.filter({ hasText: names[0]! }).getByRole("img", { name: "Pinned" })).toBeVisible();
  await expect(cards.filter({ hasText: names[1]! }).getByRole("img", { name: "Muted" })).toBeVisible();
  const order = async () => (await cards.getByRole("heading").allTextContents()).join("\n");
  const all = await order();
  expect(all.indexOf(names[0]!)).toBeLessThan(all.indexOf(names[1]!));
  await accessible();

  await clickLink(page, names[0]!);
  await openMenu(page, "Owner");
  await clickButton(page, "Unpin");
  await expect(main(page).locator("details.menu[open]")).toHaveCount(0);
  await openMenu(page, "Owner");
  await expect(main(page).getByRole("button", { name: "Pin", exact: true })).toBeVisible();
  await accessible();
});

test(
  "a member sees a group's moderators, and friends in it",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("mira");
    await page.goto("/groups/slow-dough?tab=members");
    await clickLink(page, "Moderators");
    await expect(page).toHaveURL(/tab=members&who=leading$/);
    await expect(main(page).getByText("Odile Garnier")).toBeVisible();
    await expect(main(page).getByText("Oskar")).toHaveCount(0);
    await accessible();
    await clickLink(page, "Friends");
    await expect(page).toHaveURL(/tab=members&who=friends$/);
    await expect(main(page).getByText("Friend ·").first()).toBeVisible();
    await main(page).getByRole("searchbox").fill("nobody-is-called-so");
    await clickButton(page, "Search");
    await expect(page).toHaveURL(/who=friends&search=nobody-is-called-so$/);
    await expect(main(page).getByText("No results.")).toBeVisible();
    await clickLink(page, "Show all members");
    await expect(page).toHaveURL(/tab=members&search=nobody-is-called-so$/);
  },
);

test(
  "a group is created with a topic, by which others can find it",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another }) => {
    const [name, topic] = [uniqueName("Reed players"), uniqueName("Reeds").slice(0, 40)];
    await signInAs("ines");
    await page.goto("/groups/new");
    await main(page).getByLabel("Name", { exact: true }).fill(name);
    await main(page).getByLabel("Topic").fill(topic);
    await main(page).getByRole("radio", { name: "Public", exact: true }).check();
    await main(page).getByRole("radio", { name: "Open", exact: true }).check();
    await clickButton(page, "Create group");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    const guest = await another();
    await guest.goto(`/groups?topic=${encodeURIComponent(topic)}`);
    await expect(main(guest).locator("[data-item]")).toHaveCount(1);
    await expect(main(guest).locator("[data-item]")).toContainText(name);
  },
);
