import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { reply, startDiscussion, unique } from "./steps.ts";

test("a change made from an older text is refused with both texts, and can then be saved", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Two hands on one text"), "Sow in May.");
  await page.getByLabel("More for post 1").click();
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in May.");
  // Without scripts, whatever this window has: there is nothing to wait for before one types.
  const elsewhere = await another(undefined, { storageState: await page.context().storageState(), javaScriptEnabled: false });
  await elsewhere.goto(page.url());
  await elsewhere.getByLabel("Your post").fill("Sow in June.");
  await elsewhere.getByRole("button", { name: "Save" }).click();
  await expect(elsewhere.locator("#post-1")).toContainText("Sow in June.");

  await page.getByLabel("Your post").fill("Sow in mid May.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This post has been changed elsewhere meanwhile.")).toBeVisible();
  await expect(page.getByLabel("What stands here now")).toHaveValue("Sow in June.");
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in mid May.");
  await accessible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#post-1 .prose")).toHaveText("Sow in mid May.");
});

test("a guest sees what a post said before", async ({ page, accessible }) => {
  await page.goto("/groups/long-beds?sort=top");
  await page.getByRole("main").getByRole("link", { name: "What do we do about the water?" }).click();
  await page
    .getByRole("link", { name: /^edited/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: /^What post \d+ said before/ })).toBeVisible();
  await expect(page.getByText(/wrote this/)).toBeVisible();
  await accessible();
});

/** Opens the page on which a discussion is looked after, at one of its deeds. */
async function lookAfter(page: Page, deed: string) {
  await page.getByRole("main").getByLabel("More for this discussion").click();
  await page.getByRole("link", { name: "Title, pace, archive, more…" }).click();
  const tab = page.getByRole("main").getByRole("link", { name: deed, exact: true });
  await tab.click();
  await expect(tab).toHaveAttribute("aria-current", "page");
}

test("who looks after a group renames, slows, times, archives, deletes and restores a discussion", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("ines");
  const title = unique("Which hose fits?");
  await startDiscussion(page, title);
  const address = page.url();
  await lookAfter(page, "Title");
  await accessible();
  await page.getByRole("textbox", { name: "Title" }).fill(`${title} Really`);
  await page.getByRole("button", { name: "Change the title" }).click();
  await expect(page.getByText(`changed the title from “${title}” to “${title} Really”`)).toBeVisible();

  await lookAfter(page, "Pace");
  await page.getByLabel("Between two replies").selectOption("60");
  await page.getByLabel("Reason").fill("Everybody is shouting.");
  await accessible();
  await page.getByRole("button", { name: "Set the pace" }).click();
  await expect(page.getByText("Slow: one reply of each person in 1 minute")).toBeVisible();

  await lookAfter(page, "By itself");
  await page.getByLabel("Close it in").selectOption("3600");
  await page.getByLabel("Reason").fill("The shop closes.");
  await page.getByRole("button", { name: "Close it then" }).click();
  await expect(page.getByText(/^Closes .*\d{4}/)).toBeVisible();
  await expect(page.getByText("The shop closes.")).toBeVisible();
  await accessible();

  await lookAfter(page, "Delete");
  await page.getByLabel("Reason").fill("Asked twice.");
  await page.getByRole("button", { name: "Delete the discussion" }).click();
  await expect(page.getByText("This discussion was deleted.")).toBeVisible();
  await accessible();
  const guest = await another();
  expect((await guest.goto(address))?.status()).toBe(401);
  await page.getByRole("textbox", { name: "Reason" }).fill("Asked once after all.");
  await page.getByRole("button", { name: "Restore the discussion" }).click();
  await expect(page.getByText(/restored this/)).toBeVisible();
  await expect(page.getByText("Asked once after all.")).toBeVisible();
});

const more = (page: Page) => page.getByRole("main").getByLabel("More for this discussion");
/** Opens one of the deeds from the menu of a discussion; without a reason, where one is needed, it is refused in its form. */
async function from(page: Page, words: string) {
  await more(page).click();
  await page.getByRole("link", { name: words, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Look after this discussion" })).toBeVisible();
}
const why = (page: Page, words: string) => page.getByRole("textbox", { name: "Reason" }).fill(words);
const said = (page: Page, what: RegExp | string, words: string) => page.getByText(what).filter({ hasText: words });

test("who looks after a group pins until a day, locks, unlocks and marks as answered, and says why", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Who has the key?"), "The first words.", "chain-and-spoke");
  const address = page.url();
  await signInAs("tomas");
  await page.goto(address);
  await reply(page, "It hangs in the shed.");

  await from(page, "Pin on top of the group…");
  await page.getByLabel("Until (optional)").fill("2020-01-01");
  await why(page, "For all who come on Saturday.");
  await accessible();
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await expect(page.getByText("Choose a time within the next year.").first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue("For all who come on Saturday.");
  await page.getByLabel("Until (optional)").fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await expect(said(page, /pinned this until .*\d{4}/, "For all who come on Saturday.")).toBeVisible();
  await accessible();
  await from(page, "Change or end the pin…");
  await expect(page.getByText(/^It is pinned until/)).toBeVisible();
  const later = new Date(Date.now() + 12 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Until (optional)").fill(later);
  await why(page, "It rains on Saturday.");
  await accessible();
  await page.getByRole("button", { name: "Change the end" }).click();
  await expect(said(page, /pinned this until .*\d{4}/, "It rains on Saturday.")).toBeVisible();
  await from(page, "Change or end the pin…");
  await expect(page.getByLabel("Until (optional)")).toHaveValue(later);
  await why(page, "Saturday is over.");
  await page.getByRole("button", { name: "Unpin" }).click();
  await expect(said(page, /unpinned this/, "Saturday is over.")).toBeVisible();

  await from(page, "Lock…");
  // Past the browser's own word: the house asks as well.
  await page.getByRole("textbox", { name: "Reason" }).fill(" ");
  await page.getByRole("button", { name: "Lock the discussion" }).click();
  await expect(page.getByText("Say why: it stands in the discussion and in the log.").first()).toBeVisible();
  await why(page, "The key is found.");
  await accessible();
  await page.getByRole("button", { name: "Lock the discussion" }).click();
  await expect(said(page, /closed this for replies/, "The key is found.")).toBeVisible();
  await from(page, "Unlock…");
  await why(page, "It is lost again.");
  await page.getByRole("button", { name: "Unlock the discussion" }).click();
  await expect(said(page, /opened this for replies again/, "It is lost again.")).toBeVisible();

  await page.getByLabel("More for post 2").click();
  await page.getByRole("link", { name: "This answers the question…" }).click();
  await expect(page.getByText("It hangs in the shed.")).toBeVisible();
  await why(page, "I have looked.");
  await accessible();
  await page.getByRole("button", { name: "Mark as answered" }).click();
  await expect(page.getByText("Answered in #2")).toBeVisible();
  await expect(said(page, /marked this as answered/, "I have looked.")).toBeVisible();

  // Of one's own question one says so at once; nothing else of all this is for who does not look after the group.
  const mira = await another("mira");
  await mira.goto(address);
  await more(mira).click();
  await expect(mira.getByRole("link", { name: /Lock…|Pin on top/ })).toHaveCount(0);
  await mira.getByRole("button", { name: "Mark as not answered" }).click();
  await expect(mira.getByText(/Mira.* marked this as not answered/)).toBeVisible();
  await mira.goto(`${address.replace(/[?#].*/, "")}/manage?do=lock`);
  await expect(mira.getByRole("button", { name: "Lock the discussion" })).toHaveCount(0);
  await expect(mira.getByRole("textbox", { name: "Title" })).toBeVisible();
});

test("its author gives a discussion other tags, and everybody sees which it had", async ({ page, signInAs, accessible, another }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("What about the hedge?"), "The first words.", "chain-and-spoke");
  const address = page.url();
  const tags = page.getByRole("textbox", { name: "Tags (optional)" });
  const tag = unique("hedge").slice(-18).trim().toLowerCase();
  await from(page, "Change title and tags…");
  await tags.fill(`${tag}, a, b, c, d, e`);
  await accessible();
  await page.getByRole("button", { name: "Change the title and the tags" }).click();
  await expect(page.getByText("Five tags at most.").first()).toBeVisible();
  await expect(tags).toHaveValue(`${tag}, a, b, c, d, e`);
  await tags.fill(`${tag}, Autumn`);
  await page.getByRole("button", { name: "Change the title and the tags" }).click();
  await expect(page.getByText(`gave this the tags “${tag}, autumn”`)).toBeVisible();

  await from(page, "Change title and tags…");
  await expect(tags).toHaveValue(`${tag}, autumn`);
  await tags.fill(tag);
  await page.getByRole("button", { name: "Change the title and the tags" }).click();
  await expect(page.getByText(`changed the tags from “${tag}, autumn” to “${tag}”`)).toBeVisible();
  await accessible();

  const guest = await another();
  await guest.goto(address);
  await expect(guest.getByText(`changed the tags from “${tag}, autumn” to “${tag}”`)).toBeVisible();
  await guest.getByRole("main").getByRole("link", { name: tag, exact: true }).first().click();
  await expect(
    guest
      .getByRole("main")
      .getByRole("link", { name: /What about the hedge/ })
      .first(),
  ).toBeVisible();
});

test("who looks after groups splits posts off, merges them back and moves all of it", async ({ page, signInAs, accessible }) => {
  await signInAs("ines");
  const title = unique("A long table");
  await startDiscussion(page, title);
  const address = page.url();
  await reply(page, "The table is oak.");
  await reply(page, "And who brings salad?");

  await lookAfter(page, "Split");
  await page.getByLabel("Posts").fill("3-");
  await page.getByRole("button", { name: "Show these posts" }).click();
  await expect(page.getByLabel(/^#3/)).toBeChecked();
  const salad = unique("Salad for the long table");
  await page.getByLabel("Title of the new discussion").fill(salad);
  await page.getByLabel("Reason").fill("Two subjects.");
  await accessible();
  await page.getByRole("button", { name: "Split them off" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(salad);
  const off = page.url();
  await page.getByRole("main").getByRole("link", { name: title }).first().click();
  await expect(page.locator("#post-3")).toContainText(`moved to ${salad}`);
  await accessible();

  await page.goto(off);
  await lookAfter(page, "Merge");
  await page.getByLabel("Address of the other discussion").fill(address);
  await page.getByRole("button", { name: "Look at the other one" }).click();
  await page.getByLabel("Reason").fill("One table after all.");
  await page.getByRole("button", { name: "Merge them" }).click();
  await expect(page.locator("#post-3")).toContainText("And who brings salad?");
  await page.goto(`${off.split(/[?#]/)[0]}?post=1`);
  await expect(page).toHaveURL(/post=3/);

  await lookAfter(page, "Move");
  const groups = page.getByLabel("Group", { exact: true });
  const group = await groups.locator("option").first().innerText();
  await groups.selectOption(group);
  await page.getByRole("button", { name: "See who will read it there" }).click();
  await expect(page.getByText(`Then, in ${group}`)).toBeVisible();
  await accessible();
  await page.getByLabel("Reason").fill("It is about food now.");
  await page.getByRole("button", { name: `Move it to ${group}` }).click();
  await expect(page.getByText("moved this here from")).toBeVisible();
});

test("who looks after a group changes somebody else's post and says why, and finds what was put away", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const title = unique("Whom do I call?");
  await signInAs("mira");
  await startDiscussion(page, title, "Call 0170 000000.");
  const address = page.url();
  const owner = await another("tomas", { javaScriptEnabled: false });
  await owner.goto(address);
  await owner.getByLabel("More for post 1").click();
  await owner.getByRole("link", { name: "Edit" }).click();
  await owner.getByLabel("The post of Mira").fill("Call the number on the door.");
  await owner.getByRole("textbox", { name: "Reason" }).fill("It named a number.");
  await owner.getByRole("button", { name: "Save" }).click();
  await expect(owner.locator("#post-1 .prose")).toHaveText("Call the number on the door.");

  await page.goto(address);
  await page.getByRole("link", { name: /^changed by Tomas/ }).click();
  await expect(page.getByText("Reason: It named a number.")).toBeVisible();

  await accessible();

  await owner.goto(address);
  await owner.getByLabel("More for this discussion").click();
  await owner.getByRole("link", { name: "Title, pace, archive, more…" }).click();
  await owner.getByRole("main").getByRole("link", { name: "Delete", exact: true }).click();
  await owner.getByLabel("Reason").fill("Settled.");
  await owner.getByRole("button", { name: "Delete the discussion" }).click();
  await expect(owner.getByText("This discussion was deleted.")).toBeVisible();
  await owner.goto("/groups/long-beds");
  await owner.getByRole("navigation", { name: "Which discussions" }).getByRole("link", { name: "Deleted" }).click();
  await expect(owner.getByRole("main").getByRole("link", { name: title })).toBeVisible();
  await expect(owner.getByText("Deleted; for good").first()).toBeVisible();

  // A guest reads what is archived, and hears nothing of what is deleted.
  await page.context().clearCookies();
  await page.goto("/groups/long-beds");
  const choices = page.getByRole("navigation", { name: "Which discussions" });
  await expect(choices.getByRole("link", { name: "Deleted" })).toHaveCount(0);
  await choices.getByRole("link", { name: "Archived" }).click();
  await expect(choices.getByRole("link", { name: "Archived" })).toHaveAttribute("aria-current", "true");
  await accessible();
});
