import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, uniqueName } from "../support/browser/steps.ts";

test("a text is previewed before sending, and nothing typed is lost", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  const title = uniqueName("Looked at first");
  await page.getByLabel("Title").fill(title);
  await page
    .getByLabel("Text", { exact: true })
    .fill("Bring **spades**, @tomas and @nobody-here.\n\n- [ ] gloves\n\n||and *cake*||");
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("strong")).toHaveText("spades");
  await expect(preview.getByRole("link", { name: "@tomas" })).toBeVisible();
  await expect(preview.getByText("Not notified: @nobody-here.")).toBeVisible();
  await expect(preview.getByText("cake", { exact: true })).toBeHidden();
  await preview.getByText("Show hidden text").click();
  await expect(preview.getByText("cake", { exact: true })).toBeVisible();
  await accessible();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);

  await page.getByLabel("Your reply").fill("Not *yet*.");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("region", { name: "Preview" }).getByRole("emphasis")).toHaveText("yet");
  await expect(page.getByLabel("Your reply")).toHaveValue("Not *yet*.");
  await followLink(page.locator("#post-1").getByRole("link", { name: "Reply" }));
  await followLink(page.getByRole("link", { name: "Quote" }));
  await expect(page.getByLabel("Your reply")).toHaveValue(/> Bring \*\*spades\*\*, @tomas/);
  await page.getByLabel("Your reply").press("End");
  await page.getByRole("button", { name: "Reply", exact: true }).last().click();
  await expect(page.locator("#post-2").locator("blockquote").first()).toContainText("Bring spades");
  await accessible();
  expect(complaints).toEqual([]);
});
