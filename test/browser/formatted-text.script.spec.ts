import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { createPicture } from "../support/browser/sample-picture.ts";
import { clickButton, startDiscussion, uniqueName } from "../support/browser/steps.ts";

/** The formatted editor of the field with this label; the field itself is hidden behind it. */
const editorOf = (page: Page, label: string) => page.locator(`[role="textbox"][aria-label="${label}"]`);
const fieldOf = (page: Page) => page.locator('#reply textarea[name="body"]');

test("a reply is written with keys, menu, mention and picture, switched to Markdown and back, and sent", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Paint for the shed"), "Which colour?");
  const field = page.getByLabel("Your reply");
  await field.fill("| a | b |\n|---|---|\n| 1 | 2 |");
  await page.locator("#reply").getByRole("button", { name: "Formatted text" }).click();
  const editor = editorOf(page, "Your reply");
  await expect(editor).toBeFocused();
  await expect(editor.locator(".verbatim")).toContainText("| 1 | 2 |");

  await editor.press("Control+End");
  await editor.press("ArrowDown");
  await page.keyboard.press("Control+b");
  await page.keyboard.type("Green");
  await page.keyboard.press("Control+b");
  await page.keyboard.type(", says @toma");
  await page.getByRole("option", { name: /tomas/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+k");
  await page.getByLabel("Address").fill("example.org/green");
  await page.keyboard.press("Enter");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("/chec");
  await expect(page.getByRole("listbox", { name: "Insert" })).toHaveText("Checklist");
  await accessible();
  await page.keyboard.press("Enter");
  await page.keyboard.type("buy *paint*");
  await page.keyboard.press("Enter");
  await page.keyboard.type("paint");
  await editor.getByRole("checkbox").last().check();
  const written =
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n**Green**, says @tomas https://example.org/green\n\n" +
    "- [ ] buy *paint*\n- [x] paint";
  await expect(fieldOf(page)).toHaveValue(written);
  await accessible();

  await page.locator("#reply").getByRole("button", { name: "Markdown" }).click();
  await expect(field).toBeFocused();
  await expect(editor).toHaveCount(0);
  await field.press("Control+End");
  await page.keyboard.type(" ||twice||");
  await page.locator("#reply").getByRole("button", { name: "Formatted text" }).click();
  await expect(editor.locator(".spoiler-text")).toHaveText("twice");

  await page.getByLabel("Add picture").setInputFiles({
    name: "shed.jpg",
    mimeType: "image/jpeg",
    buffer: await createPicture(),
  });
  await page.getByLabel("Alt text").fill("The shed");
  await page.getByRole("button", { name: "Insert", exact: true }).click();
  await expect(editor.getByRole("img", { name: "The shed" })).toBeVisible();
  await editor.press("Control+Enter");
  const post = page.locator("#post-2");
  await expect(post.locator("strong")).toHaveText("Green");
  await expect(post.getByRole("link", { name: "@tomas" })).toBeVisible();
  await expect(post.getByRole("checkbox").last()).toBeChecked();
  await expect(post.getByRole("img", { name: "The shed" })).toBeVisible();
  await expect(editor).toHaveText("");
});

test("a formatted draft remains after a reload, and the choice applies to messages", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("tomas");
  await startDiscussion(page, uniqueName("Hooks for the shed"));
  await page.locator("#reply").getByRole("button", { name: "Formatted text" }).click();
  const editor = editorOf(page, "Your reply");
  await expect(editor).toBeFocused();
  const saving = page.waitForResponse(/\/drafts\/keep/);
  await page.keyboard.type("> Hooks with *care*");
  await saving;
  await page.reload();
  const field = page.getByLabel("Your reply");
  await expect(field).toHaveValue("> Hooks with *care*");
  await field.focus();
  await expect(editor.locator("blockquote em")).toHaveText("care");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(editor.locator("blockquote em")).toHaveText("care");
  await clickButton(page, "Reply");
  await expect(page.locator("#post-2 blockquote em")).toHaveText("care");

  await page.goto("/messages?to=mira");
  await page.getByRole("textbox", { name: "Message", exact: true }).focus();
  const message = editorOf(page, "Message");
  await expect(message).toBeFocused();
  const words = uniqueName("paint");
  await page.keyboard.type(`Bring \`${words}\``);
  await accessible();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("main").locator("code", { hasText: words })).toBeVisible();
  await page.getByRole("textbox", { name: "Write a message" }).focus();
  const next = editorOf(page, "Write a message");
  await expect(next).toBeFocused();
  await page.keyboard.type("and **brushes**");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("main").locator("strong", { hasText: "brushes" })).toBeVisible();
  await expect(next).toHaveText("");
  await expect(next).toBeFocused();
});
