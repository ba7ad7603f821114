import { expect, test } from "../support/browser/fixtures.ts";
import { waitForShortcuts } from "../support/browser/keyboard.ts";
import {
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("the queue puts the gravest report first, says why, and is used by keyboard", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  test.setTimeout(100_000);
  const [name, offTopic, selfHarm] = ["Bean sorters", "Cheap beans", "No way on"].map(uniqueName) as [
    string,
    string,
    string,
  ];
  await signInAs("tomas");
  await createGroup(page, name);
  const group = new URL(page.url()).pathname;
  await startDiscussion(page, uniqueName("What to sort"), "Beans?", group.split("/").at(-1));
  const discussion = new URL(page.url()).pathname;
  const author = await another("hana");
  await join(author, group);
  for (const text of [offTopic, selfHarm]) {
    await author.goto(discussion);
    await reply(author, text);
  }
  const reporter = await another("mira");
  const report = async (text: string, category: string) => {
    await reporter.goto(discussion);
    const post = reporter.getByRole("article").filter({ hasText: text });
    await post.getByLabel(/^More for post/).click();
    await followLink(post.getByRole("link", { name: "Report…" }));
    await main(reporter).getByLabel("Category").selectOption(category);
    await main(reporter).getByLabel("What is wrong?").fill(`${category}: ${text}`);
    await clickButton(reporter, "Report");
    await expect(main(reporter).getByText(/The author does not learn who reported it/)).toBeVisible();
  };
  await report(offTopic, "off-topic");
  await page.goto(`${group}/manage/reports`);
  const tab = main(page).getByRole("link", { name: /^Reports/ });
  await expect(tab).toContainText("1");
  // An open page counts a report that arrives.
  await report(selfHarm, "self-harm");
  await expect(tab).toContainText("2");
  await page.reload();
  const rows = main(page).locator("[data-item]");
  await expect(rows.first()).toContainText("High risk · Self-harm · 1 reporter");
  await expect(rows.nth(1)).toContainText("Low risk · Off-topic · 1 reporter");
  await accessible();
  await followLink(main(page).getByRole("link", { name: "Oldest first" }));
  await expect(rows.first()).toContainText("Off-topic");

  await page.goto("/moderation");
  await main(page).getByLabel("Group").selectOption({ label: name });
  await clickButton(page, "Apply");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("High risk · Self-harm");
  await accessible();
  await waitForShortcuts(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(rows.nth(1).getByRole("checkbox")).toBeChecked();
  await page.keyboard.press("k");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/moderation\/[0-9a-f-]{36}/);
  await expect(main(page).getByText(selfHarm).first()).toBeVisible();
});
