import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickButton,
  clickLink,
  followLink,
  main,
  openNotification,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("an author reads why their discussion was deleted, and appeals", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  test.slow();
  const [title, words, plea, answer] = [
    uniqueName("Whose beans"),
    uniqueName("Who wants some"),
    uniqueName("In season"),
    uniqueName("So they are"),
  ];
  await signInAs("mira");
  await startDiscussion(page, title, words);
  const discussion = new URL(page.url()).pathname;
  await reply(page, "Nobody?");
  const owner = await another("tomas");
  await owner.goto(discussion);
  await owner.getByLabel("More actions for this discussion").first().click();
  await followLink(owner.getByRole("link", { name: "Title, slow mode, archive, more…" }));
  await clickLink(owner, "Delete");
  await expect(main(owner).getByText("The author can read the reason and appeal once.")).toBeVisible();
  await main(owner).getByLabel("Reason").fill("No shops.");
  await clickButton(owner, "Delete discussion");
  await expect(owner.getByText("This discussion was deleted.")).toBeVisible();

  await openNotification(page, title, "was deleted by a moderator");
  await expect(main(page).getByText(words)).toBeVisible();
  await expect(main(page).getByText("No shops.")).toBeVisible();
  await accessible();
  await main(page).getByLabel("Why should it be restored?").fill(plea);
  await clickButton(page, "Appeal");
  await expect(main(page).getByText("There is no decision yet.")).toBeVisible();

  const judging = await another("ada");
  await judging.goto("/moderation");
  await followLink(main(judging).getByRole("link").filter({ hasText: plea }));
  await expect(main(judging).getByText("No shops.")).toBeVisible();
  await main(judging).getByLabel("Restore").check();
  await main(judging).getByRole("textbox", { name: "Reason" }).fill(answer);
  await clickButton(judging, "Send decision");
  await openNotification(page, answer, "Your content was restored");
  await page.goto(discussion);
  await expect(page.getByRole("article").filter({ hasText: words })).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: "Nobody?" })).toBeVisible();
});
