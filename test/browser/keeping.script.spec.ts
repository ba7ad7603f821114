import { expect, test } from "./fixtures.ts";
import { unique } from "./steps.ts";

test("what was begun stands among the drafts, leads back, and is dropped", async ({ page, signInAs, accessible }) => {
  await signInAs("ada");
  const words = unique("A kettle that sings");
  await page.goto("/groups/long-beds?sort=top");
  await page.getByRole("main").getByRole("link", { name: "Slugs: what has really worked for you" }).click();
  const kept = page.waitForResponse(/\/drafts\/keep/);
  await page.getByLabel("Your reply").fill(words);
  await kept;
  await page.goto("/drafts");
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: words });
  await expect(line.getByRole("link", { name: /^Slugs/ })).toHaveAttribute("href", /^\/discussions\//);
  await accessible();
  await line.getByRole("button", { name: /^Delete the draft/ }).click();
  await expect(line).toHaveCount(0);
});
