import { expect, test } from "../support/browser/fixtures.ts";
import { blurFields, post, thumbsUp, waitForKeys, waitForShortcuts } from "../support/browser/keyboard.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import { addDocument, comment, main, reply, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("shortcuts like, edit, bookmark and reply to the focused post, and mark it unread", async ({
  page,
  signInAs,
  complaints,
}) => {
  await signInAs("mira");
  const title = uniqueName("Who waters in August");
  await startDiscussion(page, title, "I am away for two weeks.");
  await reply(page, "And who has the key?");
  await waitForShortcuts(page);

  // Without a focus, a shortcut acts on the first visible post and focuses it.
  await blurFields(page);
  await page.keyboard.press("l");
  await expect(thumbsUp(page, 1)).toHaveAttribute("aria-pressed", "true");
  await expect(post(page, 1)).toBeFocused();
  await page.keyboard.press("l");
  await expect(thumbsUp(page, 1)).toHaveCount(0);

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
  await expect(
    page.getByRole("region", { name: "Reply" }).getByRole("link", { name: "Reply to discussion" }),
  ).toBeVisible();
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
  await waitForShortcuts(reader);
  await post(reader, 1).focus();
  for (const key of ["l", "e", "r"]) {
    await reader.keyboard.press(key);
    await waitForKeys(reader);
  }
  await expect(post(reader, 1).locator(".menu-list, .pill")).toHaveCount(0);
  await expect(reader.locator("form[data-composer]")).toHaveCount(0);
  expect(reader.url()).toBe(address);
  // Everyone may bookmark.
  await reader.keyboard.press("b");
  await expect(reader.getByLabel("Note (optional)")).toBeFocused();

  await page.evaluate(() => localStorage.setItem("kith:keys", "off"));
  await page.reload();
  await waitForShortcuts(page);
  await post(page, 1).focus();
  for (const key of ["l", "e", "b", "u", "r", "n", "p", "c"]) await page.keyboard.press(key);
  await waitForKeys(page);
  await expect(post(page, 1).locator(".menu-list, .pill, form")).toHaveCount(0);
  await expect(post(page, 1)).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("comments have the same shortcuts as posts, except bookmark and unread", async ({
  page,
  signInAs,
  complaints,
}) => {
  await signInAs("mira");
  await addDocument(page, uniqueName("How to bleed a radiator"));
  await comment(page, "It helped.");
  await waitForShortcuts(page);
  await blurFields(page);
  await page.keyboard.press("j");
  await expect(post(page, 1)).toBeFocused();
  await page.keyboard.press("l");
  await expect(thumbsUp(page, 1)).toHaveAttribute("aria-pressed", "true");
  const before = page.url();
  for (const key of ["b", "u"]) {
    await page.keyboard.press(key);
    await waitForKeys(page);
  }
  await expect(post(page, 1).locator(".menu-list")).toHaveCount(0);
  expect(page.url()).toBe(before);
  await page.keyboard.press("e");
  await expect(page.getByLabel("Your post")).toBeFocused();
  await blurFields(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("Your comment")).toBeFocused();
  expect(complaints).toEqual([]);
});
