import { expect, test } from "../support/browser/fixtures.ts";
import {
  chooseByMode,
  clickButton,
  createGroupByForm,
  followLink,
  join,
  main,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a moderator removes spam from the queue with two presses, and undoes it with a third", async ({
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
  await createGroupByForm(page, uniqueName("Bean sellers"), "Public", "Open");
  const group = new URL(page.url()).pathname;
  const window = await another(member);
  await join(window, group);
  await startDiscussion(window, uniqueName("What to sell"), "Beans?", group.split("/").at(-1));
  await reply(window, words);
  const discussion = new URL(window.url()).pathname;

  const reporter = await another("hana");
  await reporter.goto(discussion);
  await reporter.getByRole("article").filter({ hasText: words }).getByLabel("More for post 2").click();
  await followLink(reporter.getByRole("link", { name: "Report…" }));
  await main(reporter).getByLabel("Category").selectOption("spam");
  await main(reporter).getByLabel("What is wrong?").fill(words);
  await clickButton(reporter, "Report");
  await expect(main(reporter).getByText(/The author does not learn who reported it/)).toBeVisible();

  await page.goto("/moderation");
  const row = main(page).getByRole("listitem").filter({ hasText: words });
  await row.getByRole("checkbox").check();
  await clickButton(page, "Remove selected as spam");
  await expect(main(page).getByText("Removed the content of 1 case.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await accessible();
  await window.goto(discussion);
  await expect(main(window).getByText(words)).toHaveCount(0);

  await clickButton(page, "Undo removal");
  await expect(row).toBeVisible();
  await expect(main(page).getByText("Removed the content of 1 case.")).toHaveCount(0);
  await window.goto(discussion);
  await expect(main(window).getByText(words)).toBeVisible();
});
