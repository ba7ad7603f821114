import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import {
  addDocument,
  comment,
  main,
  reply,
  submitAndWait,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

const post = (page: Page, number: number) => page.locator(`#post-${number}`);
const thumbs = (page: Page, number: number) => post(page, number).locator(".pill").filter({ hasText: "👍" });
/** Focus away from fields and posts. */
const away = (page: Page) => page.locator("h1").click();
/** Shortcuts are active: their help sheet opens. */
async function listening(page: Page) {
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
}
/** Without a focus, the first visible post is used and gets the focus. */
const afterKeys = (page: Page) => page.evaluate(() => new Promise((done) => setTimeout(done, 300)));

test("shortcuts like, edit, bookmark and reply to the focused post, and mark it unread", async ({
  page,
  signInAs,
  complaints,
}) => {
  await signInAs("mira");
  const title = uniqueName("Who waters in August");
  await startDiscussion(page, title, "I am away for two weeks.");
  await reply(page, "And who has the key?");
  await listening(page);

  // Two frames: what a shortcut opens and closes again is done by then.
  await away(page);
  await page.keyboard.press("l");
  await expect(thumbs(page, 1)).toHaveAttribute("aria-pressed", "true");
  await expect(post(page, 1)).toBeFocused();
  await page.keyboard.press("l");
  await expect(thumbs(page, 1)).toHaveCount(0);

  await page.keyboard.press("j");
  await expect(post(page, 2)).toBeFocused();
  await page.keyboard.press("e");
  const text = page.getByLabel("Your post");
  await expect(text).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" Please tell me.");
  await page.keyboard.press("Escape");
  await expect(text).not.toBeFocused();
  await expect(text).toHaveValue("And who has the key? Please tell me.");
  await text.press("Control+Enter");
  await expect(post(page, 2)).toContainText("Please tell me.");
  await expect(text).toHaveCount(0);

  await post(page, 2).focus();
  await page.keyboard.press("b");
  await expect(page.getByLabel("Note (optional)")).toBeFocused();
  await page.keyboard.type("Ask Jonas");
  await page.keyboard.press("Enter");
  await expect(post(page, 2).getByRole("link", { name: "Bookmarked" })).toBeVisible();

  // Following letters are text of the reply, not shortcuts.
  await post(page, 1).focus();
  await page.keyboard.press("r");
  await expect(page.getByLabel("Your reply")).toBeFocused();
  await page.keyboard.type("belle");
  await expect(page.getByRole("link", { name: "Reply to discussion" })).toBeVisible();
  await expect(page.getByLabel("Your reply")).toHaveValue("belle");
  await expect(page.getByLabel("Your reply")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Your reply")).toHaveValue("belle");
  await page.getByLabel("Your reply").fill("");

  await post(page, 2).focus();
  await page.keyboard.press("u");
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/groups/long-beds");
  await expect(main(page).getByRole("listitem").filter({ hasText: title })).toContainText("1 unread");
  expect(complaints).toEqual([]);
});

test("shortcuts trigger only what the reader may do, and can be switched off", async ({
  page,
  another,
  mail,
  signInAs,
}) => {
  await signInAs("tomas");
  await startDiscussion(page, uniqueName("Only members answer"), "Everybody may read this.");
  const address = page.url();
  const reader = await another();
  await registerMember(reader, mail);
  await reader.goto(address);
  await listening(reader);
  await post(reader, 1).focus();
  for (const key of ["l", "e", "r"]) {
    await reader.keyboard.press(key);
    await afterKeys(reader);
  }
  await expect(post(reader, 1).locator(".menu-list, .pill")).toHaveCount(0);
  await expect(reader.locator("form[data-composer]")).toHaveCount(0);
  expect(reader.url()).toBe(address);
  // Everyone may bookmark.
  await reader.keyboard.press("b");
  await expect(reader.getByLabel("Note (optional)")).toBeFocused();

  await page.evaluate(() => localStorage.setItem("kith:keys", "off"));
  await page.reload();
  await listening(page);
  await post(page, 1).focus();
  for (const key of ["l", "e", "b", "u", "r", "n", "p", "c"]) await page.keyboard.press(key);
  await afterKeys(page);
  await expect(post(page, 1).locator(".menu-list, .pill, form")).toHaveCount(0);
  await expect(post(page, 1)).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("shortcuts open the focused item and start the page's main action", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ines");
  await page.goto("/groups/long-beds");
  await listening(page);
  await page.keyboard.press("j");
  await expect(page.locator("[data-item] a:focus")).toHaveCount(1);
  await page.keyboard.press("o");
  await expect(page).toHaveURL(/\/discussions\/[0-9a-f-]{36}/);
  await expect(page.getByLabel("Your reply")).toBeVisible();
  await away(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("Your reply")).toBeFocused();

  await page.goto("/groups/long-beds");
  await listening(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("Title")).toBeFocused();
  await expect(page).toHaveURL(/\/groups\/long-beds\/new$/);

  for (const where of ["/", "/notifications"]) {
    await page.goto(where);
    await listening(page);
    await page.keyboard.press("c");
    await expect(page.getByRole("heading", { level: 1, name: "Create" })).toBeVisible();
  }

  await page.goto("/messages");
  await listening(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("To", { exact: true })).toBeFocused();
  // The shortcut within the text sends like the button; an unknown recipient is an error.
  await page.getByLabel("To", { exact: true }).fill("nobody.at.all");
  await page.getByLabel("Message", { exact: true }).fill("Hello?");
  await page.getByLabel("Message", { exact: true }).press("Control+Enter");
  await expect(
    main(page).getByText("You cannot write to nobody.at.all: there is no such member.").first(),
  ).toBeVisible();

  await page.goto("/resources");
  await listening(page);
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/resources\/new/);

  await away(page);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  for (const words of ["Next unread discussion", "Mark unread from here", "Leave editor"])
    await expect(sheet.getByText(words)).toBeVisible();
  await accessible();
});

test("comments have the same shortcuts as posts, except bookmark and unread", async ({
  page,
  signInAs,
  complaints,
}) => {
  await signInAs("mira");
  await addDocument(page, uniqueName("How to bleed a radiator"));
  await comment(page, "It helped.");
  await listening(page);
  await away(page);
  await page.keyboard.press("j");
  await expect(post(page, 1)).toBeFocused();
  await page.keyboard.press("l");
  await expect(thumbs(page, 1)).toHaveAttribute("aria-pressed", "true");
  const before = page.url();
  for (const key of ["b", "u"]) {
    await page.keyboard.press(key);
    await afterKeys(page);
  }
  await expect(post(page, 1).locator(".menu-list")).toHaveCount(0);
  expect(page.url()).toBe(before);
  await page.keyboard.press("e");
  await expect(page.getByLabel("Your post")).toBeFocused();
  await away(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("Your comment")).toBeFocused();
  expect(complaints).toEqual([]);
});

test("shortcuts open the next unread item, and report when there is none", async ({
  page: reader,
  another,
  mail,
}) => {
  const who = await registerMember(reader, mail);
  await reader.goto("/bookmarks");
  await listening(reader);
  await reader.keyboard.press("n");
  await expect(reader.getByRole("status").filter({ hasText: "You have read everything." })).toBeVisible();
  await expect(reader).toHaveURL(/\/discussions\?next=unread/);
  await reader.keyboard.press("p");
  await expect(reader).toHaveURL(/\/messages\?next=unread/);
  await expect(reader.getByRole("status").filter({ hasText: "You have read everything." })).toBeVisible();

  await reader.goto("/groups/blinking-things");
  await main(reader).getByRole("button", { name: "Join Blinking Things" }).click();
  await expect(main(reader).getByRole("link", { name: "New discussion" })).toBeVisible();
  const page = await another("tomas");
  const [first, second] = [uniqueName("The first frost"), uniqueName("The second frost")];
  await startDiscussion(page, first, "Who has seen it?", "blinking-things");
  await startDiscussion(page, second, "Who has seen it?", "blinking-things");
  await reader.goto("/about");
  await listening(reader);
  // From a page outside the list, then from the list beside the discussion.
  for (const title of [second, first]) {
    await reader.keyboard.press("n");
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(reader.locator("#post-1")).toBeVisible();
  }

  await page.goto(`/messages?to=${who.username}`);
  await main(page).getByLabel("Message", { exact: true }).fill("Welcome!");
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\//);
  const conversation = new URL(page.url()).pathname;
  await reader.goto(conversation);
  await submitAndWait(reader, main(reader).getByRole("button", { name: "Accept", exact: true }));
  await expect(reader.getByLabel("Write a message")).toBeVisible();
  await reader.goto("/about");
  await page.getByLabel("Write a message").fill("Do you have gloves?");
  await page.getByLabel("Write a message").press("Control+Enter");
  await expect(page.getByRole("article").filter({ hasText: "gloves" })).toBeVisible();
  await reader.reload();
  await listening(reader);
  await reader.keyboard.press("p");
  await expect(reader).toHaveURL(new RegExp(`${conversation}$`));
});

test("text typed while a form opens goes into its first field and triggers no shortcut", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await page.goto("/messages");
  await listening(page);
  await main(page).locator("summary", { hasText: "New message" }).click();
  await expect(page.getByLabel("To", { exact: true })).toBeFocused();
  await page.keyboard.type("pri");
  await expect(page.getByLabel("To", { exact: true })).toHaveValue("pri");
  await expect(page).toHaveURL(/\/messages$/);

  await page.goto("/groups/long-beds");
  await listening(page);
  // A row opens its discussion wherever it is clicked.
  const row = main(page).locator("[data-item]").first();
  const title = await row.getByRole("heading").getByRole("link").textContent();
  const { width, height } = (await row.boundingBox())!;
  await row.click({ position: { x: width - 4, y: height - 4 } });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title!);
  await page.goBack();
  await main(page).getByRole("link", { name: "New discussion" }).click();
  await page.keyboard.press("n");
  await expect(page.getByLabel("Title")).toBeFocused();
  await expect(page).toHaveURL(/\/groups\/long-beds\/new$/);
});

test("the focused item is never covered by the bottom navigation of a phone", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signInAs("mira");
  for (const path of ["/", "/groups/long-beds", "/resources"]) {
    await page.goto(path, { waitUntil: "networkidle" });
    const covered: string[] = [];
    await main(page).locator("a[href], button, input").first().focus();
    for (let pressed = 0; pressed < 40; pressed++) {
      const above = await page.evaluate(() => {
        const has = document.activeElement!;
        const { left, right, top, bottom } = has.getBoundingClientRect();
        const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return topmost?.closest(".bottombar") && !has.closest(".bottombar")
          ? has.outerHTML.slice(0, 200)
          : "";
      });
      if (above) covered.push(above);
      await page.keyboard.press("Tab");
    }
    expect(covered, path).toEqual([]);
  }
});
