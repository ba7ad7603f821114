import { expect, JAVASCRIPT_ONLY, test } from "../support/browser/fixtures.ts";
import {
  chooseByMode,
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("leaving a group can be undone once, from the notice on the next page", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  const [owner, member] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "mira"] as const,
    ["mira", "tomas"] as const,
  );
  const name = uniqueName("Night gardeners");
  await signInAs(owner);
  await createGroup(page, name);
  const group = new URL(page.url()).pathname;
  const window = await another(member);
  await join(window, group);
  const notices = window.locator("#notices");

  await main(window).getByLabel("Your role: Member").click();
  await main(window).locator("summary", { hasText: "Leave group…" }).click();
  await clickButton(window, `Leave ${name}`);
  await expect(notices).toContainText(`You left ${name}.`);
  await accessible(undefined, window);
  await notices.getByRole("button", { name: "Undo" }).click();
  await expect(notices).toContainText("Undone.");
  await expect(main(window).getByLabel("Your role: Member")).toBeVisible();

  await window.goto(group);
  await expect(notices).toBeEmpty();
});

test(
  "a toast closes on Escape, appears in its own tab only, and says when an undo comes too late",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, context }) => {
    await signInAs("hana");
    await createGroup(page, uniqueName("Undo levels"));
    const group = new URL(page.url()).pathname;
    const notices = page.locator("#notices");
    const chooseLevel = async (level: string) => {
      await main(page).getByLabel("Your role: Owner").click();
      await clickButton(page, level);
    };
    await chooseLevel("Nothing");
    await expect(notices).toContainText("This group is muted.");
    await page.keyboard.press("Escape");
    await expect(notices).toBeEmpty();

    await chooseLevel("Mentions only");
    await notices.getByRole("button", { name: "Undo" }).hover();
    await expect(notices).toContainText("You are notified of mentions in this group only.");
    // Another tab does not show it.
    const other = await context.newPage();
    await other.goto(group);
    await expect(other.locator("#notices")).toBeEmpty();
    await other.close();
    await notices.locator("input[name=groupId]").evaluate((field: HTMLInputElement) => {
      field.value = "01890000-0000-7000-8000-000000000000";
    });
    await notices.getByRole("button", { name: "Undo" }).click();
    await expect(notices).toContainText("This could not be undone. It is too late.");
  },
);

test(
  "removing a bookmark focuses the next row, and can be undone",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("hana");
    const titles = ["First shelf", "Second shelf"].map(uniqueName);
    for (const title of titles) {
      await startDiscussion(page, title, "To be bookmarked.");
      await page.getByRole("article").first().getByLabel("More for post 1").click();
      await followLink(page.getByRole("link", { name: "Bookmark…" }));
      await clickButton(page, "Bookmark");
      await expect(main(page).getByLabel("Bookmark post 1")).toBeHidden();
    }
    await page.goto("/bookmarks");
    const rows = main(page).getByRole("listitem");
    const before = await rows.count();
    const remove = (title: string) =>
      page.getByRole("button", { name: `Remove bookmark of post 1 in ${title}` }).press("Enter");
    await remove(titles[1]!);
    await expect(rows).toHaveCount(before - 1);
    await expect(rows.first().getByRole("heading").getByRole("link")).toBeFocused();
    await page.locator("#notices").getByRole("button", { name: "Undo" }).press("Enter");
    await expect(rows).toHaveCount(before);
    // The toast returns the focus to where it was.
    await expect(rows.filter({ hasText: titles[0]! }).getByRole("heading").getByRole("link")).toBeFocused();
  },
);
