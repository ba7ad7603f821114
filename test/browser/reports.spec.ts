import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  chooseByMode,
  clickButton,
  clickLink,
  createGroup,
  followLink,
  join,
  main,
  openNotification,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a post is reported and removed by a moderator, and author and reporter are notified", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  // The test is slow, because three people act one after the other.
  test.slow();
  const [owner, reporter, author] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "mira", "hana"] as const,
    ["mira", "tomas", "chidi"] as const,
  );
  const [words, why, reason] = [
    uniqueName("Cheap beans here"),
    uniqueName("It sells beans"),
    uniqueName("No shops in here"),
  ];
  const group = uniqueName("Hedge menders");
  await signInAs(owner);
  await createGroup(page, group);
  const address = new URL(page.url()).pathname;
  await startDiscussion(page, uniqueName("What to plant"), "A hedge of what?", address.split("/").at(-1));
  const discussion = new URL(page.url()).pathname;
  const [other, reporting] = [await another(author), await another(reporter)];
  for (const window of [other, reporting]) {
    await join(window, address);
    await window.goto(discussion);
  }
  await reply(other, words);

  await reporting.goto(discussion);
  await reporting.getByRole("article").filter({ hasText: words }).getByLabel("More for post 2").click();
  await followLink(reporting.getByRole("link", { name: "Report…" }));
  await expect(reporting.getByRole("heading", { level: 1 })).toHaveText("Report post");
  await expect(main(reporting).getByText(words)).toBeVisible();
  await page.goto(reporting.url());
  await accessible();
  await main(reporting).getByLabel("Category").selectOption("spam");
  await main(reporting).getByLabel("What is wrong?").fill(why);
  await clickButton(reporting, "Report");
  await expect(main(reporting).getByText(/The author does not learn who reported it/)).toBeVisible();
  expect((await reporting.request.get(`${address}/manage/reports`)).status()).toBe(404);

  await page.goto(`${address}/manage`);
  await clickLink(page, /^Reports/);
  await accessible();
  await followLink(main(page).getByRole("link").filter({ hasText: why }));
  await expect(main(page).getByText(words)).toBeVisible();
  await accessible();
  await clickButton(page, "Claim case");
  await expect(main(page).getByRole("button", { name: "Release case" })).toBeVisible();
  await main(page).getByLabel("Add note").fill("Spoken to.");
  await clickButton(page, "Add note");
  await expect(main(page).getByLabel("Add note")).toHaveValue("");
  await expect(main(page).getByText("Spoken to.", { exact: true })).toBeVisible();
  await expect(main(page).getByText("claimed the case")).toBeVisible();
  const caseAddress = page.url();
  await page.goto("/moderation?assigned=me&sort=reports");
  await accessible();
  await followLink(main(page).getByRole("link").filter({ hasText: why }));
  await expect(page).toHaveURL(caseAddress.replace(/#.*/, ""));
  await main(page).getByLabel("Remove (report upheld)").check();
  await clickButton(page, "Close case");
  await expect(main(page).getByText("Enter a reason. The author will read it.").first()).toBeVisible();
  await expect(main(page).getByLabel("Remove (report upheld)")).toBeChecked();
  await main(page).getByLabel("Reason (sent to the author)").fill(reason);
  await clickButton(page, "Preview");
  const preview = main(page).getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("was removed by a moderator");
  await expect(preview.getByText(`Reason: ${reason}`)).toBeVisible();
  await expect(preview).toContainText("A person made this decision, not a program.");
  await expect(preview).toContainText("You can appeal once, within 20 days");
  await expect(main(page).getByLabel("Remove (report upheld)")).toBeChecked();
  await expect(main(page).getByLabel("Reason (sent to the author)")).toHaveValue(reason);
  await accessible();
  await clickButton(page, "Close case");
  await expect(page.locator("#notices").getByText("Removed the content of 1 case.")).toBeVisible();
  await page.goto(`${address}/manage/reports?view=done`);
  await expect(main(page).getByRole("link").filter({ hasText: why })).toBeVisible();
  await page.goto(`${address}/manage/log`);
  await expect(main(page).getByText(reason)).toBeVisible();

  await openNotification(other, reason, "was removed by a moderator");
  await expect(other.getByText(`Reason: ${reason}`)).toBeVisible();
  await expect(other.getByText(words)).toHaveCount(0);
  await reporting.goto(discussion);
  await expect(reporting.getByText("Removed by a moderator.")).toBeVisible();
  await expect(reporting.getByText(reason)).toHaveCount(0);
  await reporting.goto("/reports");
  await expect(main(reporting).getByRole("listitem").filter({ hasText: why })).toContainText("Report upheld");
});

test(
  "a post with several reports is hidden, and shown again by a moderator",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.slow();
    const author = "hana";
    const [words, title] = [uniqueName("Cheap beans here"), uniqueName("What to trim")];
    await signInAs("ines");
    await createGroup(page, uniqueName("Hedge trimmers"));
    const address = new URL(page.url()).pathname;
    await startDiscussion(page, title, "A hedge of what?", address.split("/").at(-1));
    const discussion = new URL(page.url()).pathname;
    const writing = await another(author);
    await join(writing, address);
    await writing.goto(discussion);
    await reply(writing, words);

    for (const name of ["mira", "tomas"]) {
      const window = await another(name);
      await window.goto(discussion);
      await window.getByRole("article").filter({ hasText: words }).getByLabel("More for post 2").click();
      await followLink(window.getByRole("link", { name: "Report…" }));
      await main(window).getByLabel("Category").selectOption("spam");
      await main(window).getByLabel("What is wrong?").fill(uniqueName("It sells beans"));
      await clickButton(window, "Report");
      await expect(main(window).getByText(/The author does not learn who reported it/)).toBeVisible();
    }
    const guest = await another();
    await guest.goto(discussion);
    await expect(guest.getByText("This post is hidden until a moderator has reviewed it.")).toBeVisible();
    await expect(guest.getByText(words)).toHaveCount(0);

    // An open page shows at once that the post is hidden.
    await expect(writing.getByRole("note")).toBeVisible();
    await openNotification(writing, title, "is hidden for now");
    await expect(writing.getByRole("note")).toContainText("Only you and moderators can read it");
    await expect(writing.getByRole("note")).toContainText(/You can edit it once, from \d/);

    await page.goto(discussion);
    await expect(page.getByRole("note")).toContainText("Several people reported this.");
    await accessible();
    await clickButton(page, "Show to everyone: post 2");
    await expect(page.getByRole("note")).toHaveCount(0);
    await guest.goto(discussion);
    await expect(guest.getByText(words)).toBeVisible();
  },
);

test(
  "an author appeals a removal, and another moderator answers",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.slow();
    const [owner, author, beside] = ["tomas", "mira", "hana"] as const;
    const [words, plea, answer] = [
      uniqueName("Who wants beans"),
      uniqueName("They are free"),
      uniqueName("Free ones are fine"),
    ];
    await signInAs(author);
    const [own, judging] = [await another(owner), await another(beside)];
    await createGroup(own, uniqueName("Bean growers"));
    const address = new URL(own.url()).pathname;
    await startDiscussion(own, uniqueName("What grows"), "What does?", address.split("/").at(-1));
    const discussion = new URL(own.url()).pathname;
    for (const window of [page, judging]) await join(window, address);
    await own.goto(`${address}/manage/members`);
    const line = main(own)
      .getByRole("listitem")
      .filter({ hasText: `@${beside}` });
    await line.getByLabel(/^Manage/).click();
    await clickButton(own, "New role: Moderator");
    await expect(line).toContainText("Moderator");
    await page.goto(discussion);
    await reply(page, words);
    await own.goto(discussion);
    await own.getByLabel("More for post 2").click();
    await followLink(own.getByRole("link", { name: "Remove…" }));
    await main(own).getByLabel("Reason").fill("No shops.");
    await clickButton(own, "Remove");
    await expect(own.getByText("Removed by a moderator.")).toBeVisible();

    await page.goto(discussion);
    await clickLink(page, "Appeal…");
    await expect(main(page).getByText(words)).toBeVisible();
    await expect(main(page).getByText("No shops.")).toBeVisible();
    await accessible();
    const appeal = page.url();
    expect((await own.request.get(appeal)).status()).toBe(404);
    await main(page).getByLabel("Why should it be restored?").fill(plea);
    await clickButton(page, "Appeal");
    await expect(main(page).getByText("There is no decision yet.")).toBeVisible();
    await expect(main(page).getByText(plea)).toBeVisible();

    await own.goto(`${address}/manage/reports`);
    await expect(main(own).getByText("Nothing to do.")).toBeVisible();
    await judging.goto(`${address}/manage/reports`);
    await followLink(main(judging).getByRole("link").filter({ hasText: plea }));
    await expect(main(judging).getByText("No shops.")).toBeVisible();
    await main(judging).getByLabel("Restore").check();
    await main(judging).getByRole("textbox", { name: "Reason" }).fill(answer);
    await clickButton(judging, "Send decision");
    await expect(judging).toHaveURL(/\/moderation$/);
    await openNotification(page, answer, "Your content was restored");
    await expect(main(page).getByRole("listitem").filter({ hasText: plea })).toContainText("Restored");
    await page.goto(discussion);
    await expect(page.getByRole("article").filter({ hasText: words })).toBeVisible();
  },
);
