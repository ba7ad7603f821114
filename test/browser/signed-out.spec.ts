import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  chooseByMode,
  clickButton,
  followLink,
  main,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

/** Signs out in another tab of this browser. */
async function signOut(page: Page) {
  const answer = await page.request.post("/logout", {
    form: { out: "1" },
    headers: { origin: new URL(page.url()).origin },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(302);
}

test("a discussion written after the session ended can be sent after signing in again", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
}) => {
  await signInAs("mira");
  const title = uniqueName("Signed out meanwhile");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill("All of it is <still> here.");
  await signOut(page);
  await clickButton(page, "Start discussion");
  await expect(main(page).getByText("You are signed out. Sign in in another tab")).toBeVisible();
  await expect(
    page.getByLabel(chooseByMode(javaScriptEnabled, "Text", "Your text"), { exact: true }),
  ).toHaveValue("All of it is <still> here.");
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(main(page).getByRole("link", { name: "Sign in" })).toHaveAttribute("target", "_blank");
  await accessible();
  await signInAs("mira");
  await clickButton(page, chooseByMode(javaScriptEnabled, "Start discussion", "Send again"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByText("All of it is <still> here.")).toBeVisible();
});

test(
  "an edit of a post is kept when the session ends",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("mira");
    await startDiscussion(page, uniqueName("Changed meanwhile"), "As it was.");
    await page.locator("#post-1").getByLabel("More for post 1").click();
    await followLink(page.getByRole("link", { name: "Edit" }));
    await page.getByLabel("Your post").fill("As it should be.");
    await signOut(page);
    await clickButton(page, "Save");
    await expect(page.getByRole("textbox", { name: "Your post" })).toHaveValue("As it should be.");
    await expect(main(page).getByRole("link", { name: "Sign in" })).toHaveAttribute("target", "_blank");
    await signInAs("mira");
    await clickButton(page, "Save");
    await expect(page.locator("#post-1")).toContainText("As it should be.");
  },
);
