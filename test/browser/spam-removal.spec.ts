import { expect, test } from "../support/browser/fixtures.ts";
import {
  chooseByMode,
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a moderator removes spam from the queue with two presses, and undoes it and a lock with one each", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  test.slow();
  const [owner, member] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "mira"] as const,
    ["mira", "tomas"] as const,
  );
  const words = uniqueName("Cheap beans here");
  await signInAs(owner);
  await createGroup(page, uniqueName("Bean sellers"));
  const group = new URL(page.url()).pathname;
  const window = await another(member);
  await join(window, group);
  await startDiscussion(window, uniqueName("What to sell"), "Beans?", group.split("/").at(-1));
  await reply(window, words);
  const discussion = new URL(window.url()).pathname;

  await page.goto("/moderation");
  const tab = main(page).getByRole("navigation", { name: "Cases" }).getByRole("link", { name: /^Open/ });
  const before = await tab.innerText();
  const reporter = await another("hana");
  await reporter.goto(discussion);
  await reporter.getByRole("article").filter({ hasText: words }).getByLabel("More for post 2").click();
  await followLink(reporter.getByRole("link", { name: "Report…" }));
  await main(reporter).getByLabel("Category").selectOption("spam");
  await main(reporter).getByLabel("What is wrong?").fill(words);
  await clickButton(reporter, "Report");
  await expect(main(reporter).getByText(/The author does not learn who reported it/)).toBeVisible();

  // The count of open cases is live, where scripts run.
  if (javaScriptEnabled) await expect(tab).not.toHaveText(before, { timeout: 10_000 });
  await page.goto("/moderation");
  const row = main(page).getByRole("listitem").filter({ hasText: words });
  await row.getByRole("checkbox").check();
  await clickButton(page, "Remove selected as spam");
  const notices = page.locator("#notices");
  await expect(notices).toContainText("Removed the content of 1 case.");
  await expect(row).toHaveCount(0);
  await accessible();
  await window.goto(discussion);
  await expect(main(window).getByText(words)).toHaveCount(0);

  await notices.getByRole("button", { name: "Undo" }).click();
  await expect(notices).toContainText("Undone.");
  await expect(row).toBeVisible();
  await window.goto(discussion);
  await expect(main(window).getByText(words)).toBeVisible();

  await page.goto("/moderation");
  await followLink(row.getByRole("link").first());
  await main(page).getByLabel("Lock the discussion").check();
  await main(page).getByLabel("Reason (sent to the author)").fill("A break.");
  await clickButton(page, "Close case");
  await expect(notices).toContainText("The discussion was locked.");
  await window.goto(discussion);
  await expect(main(window).getByText("A break.").first()).toBeVisible();
  await notices.getByRole("button", { name: "Undo" }).click();
  await expect(notices).toContainText("Undone.");
  await expect(row).toBeVisible();
  await window.goto(discussion);
  await expect(window.getByLabel("Your reply")).toBeVisible();
});
