import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink, main, submitAndWait, uniqueName } from "../support/browser/steps.ts";

const begin = async (page: Page, to: string, words: string) => {
  await page.goto(`/messages?to=${encodeURIComponent(to)}`);
  await main(page).getByLabel("Message", { exact: true }).fill(words);
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\//);
};
const send = async (page: Page, words: string) => {
  await page.getByLabel("Write a message").and(page.getByRole("textbox")).fill(words);
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(main(page).getByRole("article").filter({ hasText: words })).toBeVisible();
};
/** The message with that text, not one that quotes it. */
const message = (page: Page, words: string) =>
  main(page)
    .getByRole("article")
    .filter({ has: page.locator(".message-text").filter({ hasText: words }) });
const menuOf = async (page: Page, words: string) => {
  const number = (await message(page, words).getAttribute("id"))!.replace("message-", "");
  await main(page).getByLabel(`More for message ${number}`, { exact: true }).click();
};

/** Opens the list of members. With scripts it stays open after an action. */
async function openMembers(page: Page) {
  const members = main(page).locator("details", { has: page.locator("summary", { hasText: /^You and/ }) });
  if ((await members.getAttribute("open")) === null) await members.locator("summary").click();
}

test("a message is answered, reacted to, edited and deleted", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  another,
}) => {
  const [writer, reader] = javaScriptEnabled ? ["mira", "tomas"] : ["chidi", "hana"];
  const question = uniqueName("Who has the long ladder?");
  await signInAs(writer);
  await begin(page, reader, question);
  const address = new URL(page.url()).pathname;
  await page.goto("/rules");

  const other = await another(reader);
  await other.goto(address);
  await menuOf(other, question);
  await followLink(other.getByRole("link", { name: "Reply", exact: true }));
  await expect(main(other).getByText(/Reply to/)).toBeVisible();
  const answer = uniqueName("I do.");
  await send(other, answer);
  await expect(message(other, answer)).toContainText(question);
  await menuOf(other, question);
  // The reaction shows before it is stored: leaving the page at once would cancel it.
  await submitAndWait(other, other.getByRole("button", { name: "Thumbs up" }));
  await expect(main(other).getByRole("button", { name: /Thumbs up: 1 person/ })).toBeVisible();
  await other.goto("/rules");

  await page.goto(address);
  await expect(message(page, answer)).toContainText(question);
  await menuOf(page, answer);
  await accessible();
  await page.goto(address);
  const mine = uniqueName("Splendid");
  await send(page, mine);
  await menuOf(page, mine);
  await followLink(page.getByRole("link", { name: "Edit", exact: true }));
  await page.getByLabel("Your message").fill(`${mine} **indeed**`);
  const change = page.locator('form[data-composer="edit"]');
  await change.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(change.getByRole("region", { name: "Preview" }).locator("strong")).toHaveText("indeed");
  await main(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(message(page, `${mine} indeed`)).toContainText("edited");
  await menuOf(page, `${mine} indeed`);
  await page.locator("summary", { hasText: "Delete for everyone…" }).click();
  await main(page).getByRole("button", { name: "Delete", exact: true }).click();
  await expect(message(page, `${mine} indeed`)).toHaveCount(0);
  await expect(main(page).getByText("This message was deleted.").last()).toBeVisible();
  await menuOf(page, answer);
  await page.locator("summary", { hasText: "Delete for me…" }).click();
  await main(page).getByRole("button", { name: "Delete for me" }).click();
  await expect(message(page, answer)).toHaveCount(0);
});

test("a group conversation is named, members are added and removed, and a member leaves", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const words = uniqueName("Friday at the shed?");
  await signInAs("ada");
  await begin(page, "mira, tomas", words);
  const address = new URL(page.url()).pathname;
  await openMembers(page);
  await main(page).getByLabel("Name of the conversation").fill("Shed on Friday");
  await main(page).getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Shed on Friday");
  await expect(main(page).getByText("You named it “Shed on Friday”")).toBeVisible();
  await openMembers(page);
  await main(page).getByLabel("Add people").fill("nobody-by-that-name");
  await main(page).getByRole("button", { name: "Add", exact: true }).click();
  await expect(
    main(page).getByText("You cannot write to nobody-by-that-name: there is no such member.").first(),
  ).toBeVisible();
  await main(page).getByLabel("Add people").fill("ines");
  await main(page).getByRole("button", { name: "Add", exact: true }).click();
  await expect(main(page).getByText(/^You added Inês/)).toBeVisible();
  await openMembers(page);
  await accessible();
  await page.goto("/rules");

  const ines = await another("ines");
  expect((await ines.goto(address))?.status()).toBe(200);
  await expect(main(ines).getByText(words)).toHaveCount(0);
  await ines.goto("/rules");

  await page.goto(address);
  await openMembers(page);
  await main(page)
    .getByRole("button", { name: /^Remove Inês/ })
    .click();
  await expect(main(page).getByText(/^You removed Inês/)).toBeVisible();
  expect((await ines.goto(address))?.status()).toBe(404);

  await page.getByLabel("Conversation menu").click();
  await page.locator("summary", { hasText: "Leave…" }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(page).toHaveURL(/\/messages$/);
  expect((await page.goto(address))?.status()).toBe(404);
});

test(
  "a conversation is muted, archived and marked as unread from the inbox",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const name = "Mira";
    await signInAs("ada");
    const to = name.toLowerCase();
    await begin(page, `${to}, ines`, uniqueName("About the roof"));
    const title = uniqueName("Roof");
    await openMembers(page);
    await main(page).getByLabel("Name of the conversation").fill(title);
    await main(page).getByRole("button", { name: "Save name" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    const doing = async (label: string) => {
      await page.getByLabel(`Actions for ${title}`).click();
      await page.getByRole("button", { name: label, exact: true }).click();
    };
    await page.goto("/messages?tab=groups");
    await doing("Mute for 8 hours");
    await expect(
      main(page).getByRole("listitem").filter({ hasText: title }).getByLabel("Muted"),
    ).toBeVisible();
    await accessible();
    await doing("Mark as unread");
    await expect(main(page).getByText("There is no message from anyone else.")).toBeVisible();
    await doing("Archive");
    await expect(main(page).getByText(title)).toHaveCount(0);
    await page.goto("/messages?tab=archived");
    await expect(main(page).getByText(title)).toBeVisible();
  },
);

test(
  "staff read only the reported messages and close the report",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    const [reporter, author] = ["mira", "tomas"] as const;
    const words = uniqueName("You know nothing of beans");
    const why = uniqueName("This is no way to talk");
    const other = await another(author);
    await begin(other, reporter, words);
    const address = new URL(other.url()).pathname;
    await other.close();

    await signInAs(reporter);
    await page.goto(address);
    await menuOf(page, words);
    await followLink(page.getByRole("link", { name: "Report…" }).last());
    await expect(main(page).getByRole("checkbox", { name: words })).toBeChecked();
    await main(page).getByLabel("Category").selectOption("spam");
    await main(page).getByLabel("What is wrong?").fill(why);
    await accessible();
    await main(page).getByRole("button", { name: "Report", exact: true }).click();
    await expect(main(page).getByText(/The participants are not notified/)).toBeVisible();
    // On this page group moderators see reports of their groups, but none of conversations.
    await page.goto("/moderation");
    await expect(main(page).getByRole("heading", { level: 1 })).toBeVisible();
    await expect(main(page).getByText(why)).toHaveCount(0);

    await page.context().clearCookies();
    await signInAs("ines");
    expect((await page.goto(address))?.status()).toBe(404);
    await page.goto("/rules");
    await followLink(page.getByRole("banner").getByRole("link", { name: "Moderation" }));
    await followLink(main(page).getByRole("link").filter({ hasText: why }));
    await expect(main(page).getByText(words)).toBeVisible();
    await accessible();
    await main(page).getByLabel("Report upheld").check();
    await main(page).getByRole("textbox", { name: "Internal note" }).fill("Spoken to.");
    await main(page).getByRole("button", { name: "Close case" }).click();
    await expect(page).toHaveURL(/\/moderation$/);
    await expect(main(page).getByText(why)).toHaveCount(0);
    await page.goto("/moderation?tab=resolved");
    await accessible();
    await followLink(main(page).getByRole("link").filter({ hasText: why }));
    await expect(main(page).getByText("Spoken to.")).toBeVisible();
    await signInAs(reporter);
    await page.goto("/reports");
    const own = main(page).getByRole("listitem").filter({ hasText: why });
    await expect(own).toContainText("Report upheld");
    await expect(own).not.toContainText("Spoken to.");
    await accessible();
  },
);

test("messages are found by their text, in all conversations or a single one", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
}) => {
  const [writer, reader] = javaScriptEnabled ? (["mira", "tomas"] as const) : (["chidi", "hana"] as const);
  const word = `quincunx${Date.now()}`;
  await signInAs(writer);
  await begin(page, reader, `Plant them in a ${word}, then.`);
  const address = new URL(page.url()).pathname;
  await page.getByLabel("Conversation menu").click();
  await followLink(page.getByRole("link", { name: "Search here…" }));
  await main(page).getByRole("searchbox", { name: "Search in this conversation" }).fill("no-such-word");
  await main(page).getByRole("button", { name: "Search" }).click();
  await expect(main(page).getByText("No results.")).toBeVisible();
  await accessible();
  await page.goto("/messages");
  await main(page).getByRole("searchbox", { name: "Search in your messages" }).fill(word.slice(0, 14));
  await main(page).getByRole("button", { name: "Search" }).click();
  await followLink(main(page).getByRole("link").filter({ hasText: word }));
  await expect(page).toHaveURL(new RegExp(address));
  await expect(message(page, word)).toBeVisible();
});
