import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import { clickButton, clickLink, followLink, main, uniqueName } from "../support/browser/steps.ts";

test("a document is added to the library, read and commented on", async ({ page, signInAs, accessible }) => {
  const title = uniqueName("How to sharpen a spade");
  await signInAs("mira");
  await page.goto("/resources");
  await followLink(main(page).getByRole("link", { name: "Add resource" }));
  await followLink(main(page).getByRole("link", { name: "Document", exact: true }));
  await page
    .getByLabel("Text", { exact: true })
    .fill("## The file\n\nFlat, and away from you.\n\n## The oil\n\nA drop.");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Why it's useful").fill("A blunt spade is twice the work.");
  await page.getByLabel("Tags").fill("tools, garden");
  await accessible();
  await clickButton(page, "Add to the library");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await followLink(
    page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "The oil" }),
  );
  await expect(page).toHaveURL(/#s-the-oil$/);

  const words = uniqueName("Mine is sharp now.");
  await page.getByLabel("Your comment").fill(words);
  await clickButton(page, "Comment");
  await expect(page.getByRole("article").filter({ hasText: words }).last()).toBeVisible();
  await expect(page.getByLabel("Your comment")).toHaveValue("");
  await accessible();
});

test(
  "a library without results offers to remove the filter",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, accessible }) => {
    const title = "Watering a bed in a dry summer";
    await page.goto("/resources");
    await main(page).getByRole("searchbox").fill(title);
    await clickButton(page, "Search");
    await expect(page).toHaveURL(/[?&]search=Watering/);
    await expect(main(page).getByRole("link", { name: title })).toBeVisible();
    await followLink(main(page).getByRole("link", { name: /^Links/ }));
    await expect(page.getByText("No results.")).toBeVisible();
    await accessible();
    await followLink(main(page).getByRole("link", { name: "Not only Links" }));
    await expect(main(page).getByRole("link", { name: title })).toBeVisible();
  },
);

test(
  "an empty filter for bookmarks says that nothing is bookmarked",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail, accessible }) => {
    await registerMember(page, mail);
    await page.goto("/resources");
    await clickLink(page, "My bookmarks");
    await expect(page.getByText("You have no bookmarked resources yet.")).toBeVisible();
    await accessible();
    await followLink(main(page).getByRole("link", { name: /^Links/ }));
    await clickLink(page, "Show all, not only my bookmarks");
    await expect(page).toHaveURL(/\?kind=link$/);
    await expect(main(page).getByRole("listitem").first()).toBeVisible();
  },
);

test("a guest opens a table in the library and downloads it", async ({ page, accessible }) => {
  await page.goto("/resources?kind=file");
  await followLink(main(page).getByRole("link", { name: "Twelve repair evenings, counted (CSV)" }));
  await expect(page.getByRole("columnheader", { name: "needs part" })).toBeVisible();
  await accessible();
  const download = page.waitForEvent("download");
  await main(page).getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("repair-evenings.csv");
});
