import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, uniqueName } from "../support/browser/steps.ts";

test("a draft is listed with a link to its discussion, and can be deleted", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ada");
  const words = uniqueName("A kettle that sings");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(
    page.getByRole("main").getByRole("link", { name: "Slugs: what has really worked for you" }),
  );
  const saving = page.waitForResponse(/\/drafts\/keep/);
  await page.getByLabel("Your reply").fill(words);
  await saving;
  await page.goto("/drafts");
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: words });
  await expect(line.getByRole("link", { name: /^Slugs/ })).toHaveAttribute("href", /^\/discussions\//);
  await accessible();
  await line.getByRole("button", { name: /^Delete draft: / }).click();
  await expect(line.getByRole("button", { name: /^Delete draft: / })).toHaveCount(0);
});

test("a draft without a recipient opens as a new message and remains a draft", async ({ page, signInAs }) => {
  // Only this test writes a message as this person, who has one such draft.
  await signInAs("wendell");
  const words = uniqueName("Who has a ladder?");
  await page.goto("/drafts");
  // Only API clients create such a draft; no page does.
  const form = { place: "new:conversation", version: "0", body: words };
  const stored = await page.request.post("/drafts/keep", {
    form,
    headers: { origin: new URL(page.url()).origin },
  });
  expect(await stored.json()).toMatchObject({ kept: true });
  await page.reload();
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: words });
  await followLink(line.getByRole("link", { name: "New message", exact: true }));
  const text = page.getByRole("textbox", { name: "Message", exact: true });
  await expect(text).toHaveValue(words);
  const saving = page.waitForResponse(/\/drafts\/keep/);
  await text.fill(`${words} Or a rope?`);
  await saving;
  await page.goto("/drafts");
  await line.getByText("Or a rope?").waitFor();
  await line.getByRole("button", { name: /^Delete draft: / }).click();
  await expect(line.getByRole("button", { name: /^Delete draft: / })).toHaveCount(0);
});
