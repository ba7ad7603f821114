import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { clickButton, followLink, reply, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("an edit conflict shows both texts, and the edit can then be saved", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Two hands on one text"), "Sow in May.");
  await page.getByLabel("More for post 1").click();
  await followLink(page.getByRole("link", { name: "Edit" }));
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in May.");
  // The other window has no scripts, so there is no hydration to wait for.
  const elsewhere = await another(undefined, {
    storageState: await page.context().storageState(),
    javaScriptEnabled: false,
  });
  await elsewhere.goto(page.url());
  await elsewhere.getByLabel("Your post").fill("Sow in June.");
  await elsewhere.getByRole("button", { name: "Save" }).click();
  await expect(elsewhere.locator("#post-1")).toContainText("Sow in June.");

  await page.getByLabel("Your post").fill("Sow in mid May.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Someone else changed this post.")).toBeVisible();
  await expect(page.getByLabel("Current text")).toHaveValue("Sow in June.");
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in mid May.");
  await accessible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#post-1 .prose")).toHaveText("Sow in mid May.");
});

test("a guest sees earlier revisions of a post", { tag: JAVASCRIPT_ONLY }, async ({ page, accessible }) => {
  await page.goto("/groups/long-beds?sort=top");
  await followLink(page.getByRole("main").getByRole("link", { name: "What do we do about the water?" }));
  await followLink(page.getByRole("link", { name: /^edited/ }).first());
  await expect(page.getByRole("heading", { level: 1, name: /^Earlier texts of post \d+/ })).toBeVisible();
  await expect(page.getByText(/wrote this/)).toBeVisible();
  await accessible();
});

test(
  "a later edit is shown word by word, and not only by colour",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("tomas");
    await page.goto("/groups/long-beds");
    await followLink(page.getByRole("main").getByRole("link", { name: /^How the beds work/ }));
    await page.getByLabel("More for post 1", { exact: true }).click();
    await followLink(page.getByRole("link", { name: "Edit" }));
    const field = page.getByLabel("Your post");
    const last = uniqueName("added");
    await field.fill(`${(await field.inputValue()).replace(/\s\S+$/, "")} ${last}`);
    await clickButton(page, "Save");
    await followLink(page.locator("#post-1").getByRole("link", { name: /^edited/ }));
    for (const [change, text, line] of [
      ["ins", `Added: ${last} End of change.`, "underline"],
      ["del", /^\s*Removed: \S+ End of change\.\s*$/, "line-through"],
    ] as const) {
      await expect(page.locator(`main ${change}`).first()).toHaveText(text);
      await expect(page.locator(`main ${change}`).first()).toHaveCSS("text-decoration-line", line);
    }
    await accessible();
  },
);

/** Opens the page for managing a discussion, at one of its actions. */
async function moderateDiscussion(page: Page, deed: string) {
  // The bar that is shown while the title is off screen has this menu too.
  await page.getByRole("main").getByLabel("More actions for this discussion").first().click();
  await followLink(page.getByRole("link", { name: "Title, slow mode, archive, more…" }));
  const tab = page.getByRole("main").getByRole("link", { name: deed, exact: true });
  await tab.click();
  await expect(tab).toHaveAttribute("aria-current", "page");
}

test("a moderator renames, slows, schedules, archives, deletes and restores a discussion", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("ines");
  const title = uniqueName("Which hose fits?");
  await startDiscussion(page, title);
  const address = page.url();
  await moderateDiscussion(page, "Title");
  await accessible();
  await page.getByRole("textbox", { name: "Title" }).fill(`${title} Really`);
  await page.getByRole("button", { name: "Save title and tags" }).click();
  await expect(page.getByText(`changed the title from “${title}” to “${title} Really”`)).toBeVisible();

  await moderateDiscussion(page, "Slow mode");
  await page.getByLabel("Time between two replies").selectOption("60");
  await page.getByLabel("Reason").fill("Everybody is shouting.");
  await accessible();
  await page.getByRole("button", { name: "Set slow mode" }).click();
  await expect(page.getByText("Slow mode: one reply per person in 1 minute")).toBeVisible();

  await moderateDiscussion(page, "Timer");
  await page.getByLabel("Close after").selectOption("3600");
  await page.getByLabel("Reason").fill("The shop closes.");
  await page.getByRole("button", { name: "Set timer" }).click();
  await expect(page.getByText(/^Closes .*\d{4}/)).toBeVisible();
  await expect(page.getByText("The shop closes.")).toBeVisible();
  await accessible();

  await moderateDiscussion(page, "Delete");
  await page.getByLabel("Reason").fill("Asked twice.");
  await page.getByRole("button", { name: "Delete discussion" }).click();
  await expect(page.getByText("This discussion was deleted.")).toBeVisible();
  await accessible();
  const guest = await another();
  expect((await guest.goto(address))?.status()).toBe(401);
  await page.getByRole("textbox", { name: "Reason" }).fill("Asked once after all.");
  await page.getByRole("button", { name: "Restore discussion" }).click();
  await expect(page.getByText(/restored this/)).toBeVisible();
  await expect(page.getByText("Asked once after all.")).toBeVisible();
});

test(
  "a reply written during a merge is stored in the merged discussion",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    await signInAs("ines");
    const title = uniqueName("A long table");
    await startDiscussion(page, title);
    const address = page.url();
    await reply(page, "The table is oak.");
    await reply(page, "And who brings salad?");

    await moderateDiscussion(page, "Split");
    await page.getByLabel("Posts").fill("3-");
    await page.getByRole("button", { name: "Show posts" }).click();
    await expect(page.getByLabel(/^#3/)).toBeChecked();
    const salad = uniqueName("Salad for the long table");
    await page.getByLabel("Title of the new discussion").fill(salad);
    await page.getByLabel("Reason").fill("Two subjects.");
    await accessible();
    await page.getByRole("button", { name: "Split", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(salad);
    const off = page.url();
    await followLink(page.getByRole("main").getByRole("link", { name: title }).first());
    await expect(page.locator("#post-3")).toContainText(`moved to ${salad}`);
    await accessible();

    const late = await another("tomas", { javaScriptEnabled: false });
    await late.goto(off);
    await late.getByLabel("Your reply").fill("I bring the salad.");

    await page.goto(off);
    await moderateDiscussion(page, "Merge");
    await page.getByLabel("Link of the other discussion").fill(address);
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.getByLabel("Reason").fill("One table after all.");
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await expect(page.locator("#post-3")).toContainText("And who brings salad?");
    await clickButton(late, "Reply");
    await expect(late.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(late.locator("#post-4")).toContainText("I bring the salad.");
    await page.goto(`${off.split(/[?#]/)[0]}?post=1`);
    await expect(page).toHaveURL(/post=3/);

    await moderateDiscussion(page, "Move");
    const groups = page.getByLabel("Group", { exact: true });
    const group = await groups.locator("option").first().innerText();
    await groups.selectOption(group);
    await page.getByRole("button", { name: "Check who can read it there" }).click();
    await expect(page.getByText(`After the move, in ${group}`)).toBeVisible();
    await accessible();
    await page.getByLabel("Reason").fill("It is about food now.");
    await page.getByRole("button", { name: `Move to ${group}` }).click();
    await expect(page.getByText("moved this here from")).toBeVisible();
  },
);

test(
  "a moderator edits another's post with a reason, and finds archived discussions",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    const title = uniqueName("Whom do I call?");
    await signInAs("mira");
    await startDiscussion(page, title, "Call 0170 000000.");
    const address = page.url();
    const owner = await another("tomas", { javaScriptEnabled: false });
    await owner.goto(address);
    await owner.getByLabel("More for post 1").click();
    await followLink(owner.getByRole("link", { name: "Edit" }));
    await owner.getByLabel("Post of Mira").fill("Call the number on the door.");
    await owner.getByRole("textbox", { name: "Reason" }).fill("It named a number.");
    await owner.getByRole("button", { name: "Save" }).click();
    await expect(owner.locator("#post-1 .prose")).toHaveText("Call the number on the door.");

    await page.goto(address);
    await followLink(page.getByRole("link", { name: /^edited by Tomas/ }));
    await expect(page.getByText("Reason: It named a number.")).toBeVisible();

    await accessible();

    await owner.goto(address);
    await owner.getByLabel("More actions for this discussion").first().click();
    await followLink(owner.getByRole("link", { name: "Title, slow mode, archive, more…" }));
    await followLink(owner.getByRole("main").getByRole("link", { name: "Delete", exact: true }));
    await owner.getByLabel("Reason").fill("Settled.");
    await owner.getByRole("button", { name: "Delete discussion" }).click();
    await expect(owner.getByText("This discussion was deleted.")).toBeVisible();
    await owner.goto("/groups/long-beds");
    await followLink(
      owner.getByRole("navigation", { name: "Filter discussions" }).getByRole("link", { name: "Deleted" }),
    );
    await expect(owner.getByRole("main").getByRole("link", { name: title })).toBeVisible();
    await expect(owner.getByText("Deleted, will be erased").first()).toBeVisible();

    // A guest can read archived discussions, and does not see deleted ones.
    await page.context().clearCookies();
    await page.goto("/groups/long-beds");
    const choices = page.getByRole("navigation", { name: "Filter discussions" });
    await expect(choices.getByRole("link", { name: "Deleted" })).toHaveCount(0);
    await followLink(choices.getByRole("link", { name: "Archived" }));
    await expect(choices.getByRole("link", { name: "Archived" })).toHaveAttribute("aria-current", "true");
    await accessible();
  },
);
