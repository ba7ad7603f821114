import { expect, test } from "../support/browser/fixtures.ts";
import { submitAndWait, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a reaction is given and removed, and the reader stays at the post", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Frost tonight"), "Cover the courgettes.");
  const post = page.locator("#post-1");
  const thanks = post.getByRole("button", { name: "Thank you: 1 person" });
  await post.getByLabel("React to post 1").click();
  await submitAndWait(page, post.getByRole("button", { name: "Thank you", exact: true }));
  await expect(thanks).toHaveAttribute("aria-pressed", "true");
  await accessible();
  await page.reload();
  await expect(thanks).toHaveAttribute("title", "Mira Castellano");
  await thanks.click();
  await expect(thanks).toHaveCount(0);
  await expect(page).toHaveURL(/\/discussions\/[0-9a-f-]{36}/);
});
