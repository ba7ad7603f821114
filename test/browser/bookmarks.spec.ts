import { expect, test } from "../support/browser/fixtures.ts";
import { chooseByMode, followLink, uniqueName } from "../support/browser/steps.ts";

test("a post is saved with a note, found again, and removed", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  await signInAs(chooseByMode(javaScriptEnabled, "ada", "tomas"));
  const note = uniqueName("For spring");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(
    page.getByRole("main").getByRole("link", { name: "Slugs: what has really worked for you" }),
  );
  await expect(page.getByRole("article").first()).toBeVisible();
  const talk = `${page.url().split(/[?#]/)[0]}?page=1`;
  await page.goto(talk);
  await page.getByLabel("More for post 1", { exact: true }).click();
  await followLink(page.getByRole("link", { name: "Bookmark…" }));
  await page.getByLabel("Note (optional)").fill(note);
  await page.getByLabel("Remind me").selectOption("86400");
  await accessible();
  await page.getByRole("button", { name: "Bookmark", exact: true }).click();
  // The form disappears once saved; its button reads "Saving…" meanwhile.
  await expect(page.getByRole("form", { name: "Bookmark post 1" })).toHaveCount(0);
  // Only the person who set a bookmark sees it.
  const post = page.locator("#post-1");
  const sign = post.getByRole("link", { name: "Bookmarked" });
  await expect(sign).toHaveAttribute("href", "/bookmarks");
  const other = await another("ines");
  await other.goto(talk);
  await expect(other.locator("#post-1")).toBeVisible();
  await expect(other.getByRole("link", { name: "Bookmarked" })).toHaveCount(0);
  // The form shows the note and that the post is bookmarked.
  await page.getByLabel("More for post 1", { exact: true }).click();
  await followLink(page.getByRole("link", { name: "Edit note…" }));
  await expect(page.getByText("You have bookmarked this post.")).toBeVisible();
  await expect(page.getByLabel("Note (optional)")).toHaveValue(note);
  await page.getByRole("button", { name: "Bookmark", exact: true }).click();
  await expect(page.getByRole("form", { name: "Bookmark post 1" })).toHaveCount(0);

  await page.goto("/bookmarks");
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: note });
  await expect(line).toContainText("Reminder:");
  await accessible();
  await line.getByRole("button", { name: /^Remove bookmark of post 1/ }).click();
  await expect(line).toHaveCount(0);
  await page.goto(talk);
  await expect(post).toBeVisible();
  await expect(sign).toHaveCount(0);
});
