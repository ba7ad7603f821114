import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink, reply, startDiscussion, uniqueName } from "../support/browser/steps.ts";

/** The menu in the header; the bar that is shown while the title is off screen has it too. */
const more = (page: Page) => page.getByRole("main").getByLabel("More actions for this discussion").first();
/** Opens the form of an action from a discussion's menu. */
async function from(page: Page, words: string) {
  await more(page).click();
  await followLink(page.getByRole("link", { name: words, exact: true }));
  await expect(page.getByRole("heading", { level: 1, name: "Moderate" })).toBeVisible();
}
const why = (page: Page, words: string) => page.getByRole("textbox", { name: "Reason" }).fill(words);
const activityEntry = (page: Page, what: RegExp | string, words: string) =>
  page.getByText(what).filter({ hasText: words });

test("a moderator pins a discussion until a day, locks and reopens it, and marks it as answered", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Who has the key?"), "The first words.", "chain-and-spoke");
  const address = page.url();
  await signInAs("tomas");
  await page.goto(address);
  await reply(page, "It hangs in the shed.");

  await from(page, "Pin…");
  await page.getByLabel("Until (optional)").fill("2020-01-01");
  await why(page, "For all who come on Saturday.");
  await accessible();
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await expect(page.getByText("Choose a time within the next year.").first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue("For all who come on Saturday.");
  await page
    .getByLabel("Until (optional)")
    .fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await expect(
    activityEntry(page, /pinned this until .*\d{4}/, "For all who come on Saturday."),
  ).toBeVisible();
  await accessible();
  await from(page, "Edit pin…");
  await expect(page.getByText(/^Pinned until/)).toBeVisible();
  const later = new Date(Date.now() + 12 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Until (optional)").fill(later);
  await why(page, "It rains on Saturday.");
  await accessible();
  await page.getByRole("button", { name: "Change end date" }).click();
  await expect(activityEntry(page, /pinned this until .*\d{4}/, "It rains on Saturday.")).toBeVisible();
  await from(page, "Edit pin…");
  await expect(page.getByLabel("Until (optional)")).toHaveValue(later);
  await why(page, "Saturday is over.");
  await page.getByRole("button", { name: "Unpin" }).click();
  await expect(activityEntry(page, /unpinned this/, "Saturday is over.")).toBeVisible();

  await from(page, "Lock…");
  // Bypasses the browser's validation: the server validates as well.
  await page.getByRole("textbox", { name: "Reason" }).fill(" ");
  await page.getByRole("button", { name: "Lock discussion" }).click();
  await expect(
    page.getByText("Enter a reason. It is shown in the discussion and in the log.").first(),
  ).toBeVisible();
  await why(page, "The key is found.");
  await accessible();
  await page.getByRole("button", { name: "Lock discussion" }).click();
  await expect(activityEntry(page, /locked this/, "The key is found.")).toBeVisible();
  await from(page, "Unlock…");
  await why(page, "It is lost again.");
  await page.getByRole("button", { name: "Unlock discussion" }).click();
  await expect(activityEntry(page, /unlocked this/, "It is lost again.")).toBeVisible();

  await page.getByLabel("More for post 2").click();
  await followLink(page.getByRole("link", { name: "Mark as answer…" }));
  await expect(page.getByText("It hangs in the shed.")).toBeVisible();
  await why(page, "I have looked.");
  await accessible();
  await page.getByRole("button", { name: "Mark as answered" }).click();
  await expect(page.getByText("Answered in #2")).toBeVisible();
  await expect(activityEntry(page, /marked this as answered/, "I have looked.")).toBeVisible();

  // An author can mark their own question as answered; everything else is for moderators.
  const mira = await another("mira");
  await mira.goto(address);
  await more(mira).click();
  await expect(mira.getByRole("link", { name: /Lock…|Pin…/ })).toHaveCount(0);
  await mira.getByRole("button", { name: "Mark as not answered" }).click();
  await expect(mira.getByText(/Mira.* marked this as not answered/)).toBeVisible();
  await mira.goto(`${address.replace(/[?#].*/, "")}/manage?do=lock`);
  await expect(mira.getByRole("button", { name: "Lock discussion" })).toHaveCount(0);
  await expect(mira.getByRole("textbox", { name: "Title" })).toBeVisible();
});

test(
  "an author changes a discussion's tags, and everyone sees the previous tags",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    await signInAs("mira");
    await startDiscussion(page, uniqueName("What about the hedge?"), "The first words.", "chain-and-spoke");
    const address = page.url();
    const tags = page.getByRole("textbox", { name: "Tags (optional)" });
    const tag = uniqueName("hedge").slice(-18).trim().toLowerCase();
    await from(page, "Edit title and tags…");
    await tags.fill(`${tag}, a, b, c, d, e`);
    await accessible();
    await page.getByRole("button", { name: "Save title and tags" }).click();
    await expect(page.getByText("Five tags at most.").first()).toBeVisible();
    await expect(tags).toHaveValue(`${tag}, a, b, c, d, e`);
    await tags.fill(`${tag}, Autumn`);
    await page.getByRole("button", { name: "Save title and tags" }).click();
    await expect(page.getByText(`added the tags “${tag}, autumn”`)).toBeVisible();

    await from(page, "Edit title and tags…");
    await expect(tags).toHaveValue(`${tag}, autumn`);
    await tags.fill(tag);
    await page.getByRole("button", { name: "Save title and tags" }).click();
    await expect(page.getByText(`changed the tags from “${tag}, autumn” to “${tag}”`)).toBeVisible();
    await accessible();

    const guest = await another();
    await guest.goto(address);
    await expect(guest.getByText(`changed the tags from “${tag}, autumn” to “${tag}”`)).toBeVisible();
    await followLink(guest.getByRole("main").getByRole("link", { name: tag, exact: true }).first());
    await expect(
      guest
        .getByRole("main")
        .getByRole("link", { name: /What about the hedge/ })
        .first(),
    ).toBeVisible();
  },
);
