import type { Page } from "@playwright/test";
import { type OpenWindow, expect, test } from "../support/browser/fixtures.ts";
import { addDocument, comment, clickLink, main, clickButton, uniqueName } from "../support/browser/steps.ts";

/** A document of Tomas's, open for two connected people. */
async function together(page: Page, another: OpenWindow) {
  const other = await another("tomas");
  await addDocument(other, uniqueName("Fleece against frost"));
  await page.goto(new URL(other.url()).pathname);
  for (const window of [page, other]) await expect(window.locator("section[data-listening]")).toBeAttached();
  return other;
}

test("a new comment, its edit and its removal appear at once in another reader's window", async ({
  page,
  signInAs,
  complaints,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await comment(other, "And the beans.");
  await expect(page.locator("#post-1")).toContainText("And the beans.");
  await expect(page.getByRole("heading", { name: "1 comment" })).toBeVisible();
  await page.locator("#post-1").getByLabel("React to post 1").click();
  await page.locator("#post-1").getByRole("button", { name: "Thank you" }).click();
  await expect(other.locator("#post-1").getByRole("button", { name: /Thank you/ })).toContainText("1");
  await other.locator("#post-1").getByLabel("More for post 1").click();
  await clickLink(other, "Edit");
  await other.getByLabel("Your post").fill("And the peas.");
  await clickButton(other, "Save");
  await expect(page.locator("#post-1")).toContainText("And the peas.");
  await other.locator("#post-1").getByLabel("More for post 1").click();
  await clickLink(other, /^Delete/);
  await clickButton(other, "Delete");
  await expect(page.locator("#post-1")).toContainText("Deleted by the author.");
  expect(complaints).toEqual([]);
});

test("a person who is writing gets a link to new comments instead of the comments", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await page.getByLabel("Your comment").pressSequentially("I have fleece left");
  await comment(other, "Two degrees at five.");
  await comment(other, "One degree now.");
  const pill = main(page).getByRole("link", { name: "2 new comments" });
  await expect(pill).toBeVisible();
  await expect(page.locator("#post-1")).toHaveCount(0);
  await accessible();
  await pill.click();
  await expect(page.locator("#post-2")).toBeVisible();
  await expect(pill).toHaveCount(0);
  await expect(page.getByLabel("Your comment")).toHaveValue("I have fleece left");
});

test("comments written while the connection is down appear when it is back", async ({
  page,
  context,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  for (const text of ["One", "Two", "Three"]) await comment(other, `${text} missed.`);
  await expect(page.locator("#post-1")).toHaveCount(0);
  await context.setOffline(false);
  for (const [number, text] of [
    [1, "One"],
    [2, "Two"],
    [3, "Three"],
  ] as const)
    await expect(page.locator(`#post-${number}`)).toContainText(`${text} missed.`);
  await expect(page.getByText("You're offline.")).toHaveCount(0);
});
