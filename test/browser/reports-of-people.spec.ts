import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  addDocument,
  chooseByMode,
  clickButton,
  clickLink,
  createGroup,
  followLink,
  join,
  main,
  openNotification,
  uniqueName,
} from "../support/browser/steps.ts";

test("a profile is reported, staff see it as it was, and the reporter is notified of the outcome", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  const [reporter, reported] = chooseByMode(
    javaScriptEnabled,
    ["mira", "chidi"] as const,
    ["tomas", "hana"] as const,
  );
  const why = uniqueName("Calls people names");
  await signInAs(reporter);
  await page.goto(`/users/${reported}`);
  await page.getByLabel(/^Actions for/).click();
  await followLink(page.getByRole("link", { name: "Report…" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Report person");
  await accessible();
  await clickButton(page, "Report");
  await main(page).getByLabel("Category").selectOption("spam");
  await main(page).getByLabel("What is wrong?").fill(why);
  await clickButton(page, "Report");
  await expect(main(page).getByText(/is not notified; you are notified of the decision/)).toBeVisible();
  await clickLink(page, "Back to profile");
  await page.getByLabel(/^Actions for/).click();
  await followLink(page.getByRole("link", { name: "Report…" }));
  await main(page).getByLabel("Category").selectOption("spam");
  await main(page).getByLabel("What is wrong?").fill(why);
  await clickButton(page, "Report");
  await expect(
    main(page).getByText("You have already reported this. A moderator will review it."),
  ).toBeVisible();

  const judging = await another("ines");
  await judging.goto("/moderation");
  await followLink(main(judging).getByRole("link").filter({ hasText: why }));
  await expect(main(judging).getByText(`@${reported}`)).toBeVisible();
  await main(judging).getByLabel("Report upheld").check();
  await clickButton(judging, "Close case");
  await expect(judging).toHaveURL(/\/moderation$/);
  await page.goto("/reports");
  await expect(main(page).getByRole("listitem").filter({ hasText: why })).toContainText("Report upheld");
});

test(
  "a reported resource is removed with a reason and restored on its owner's appeal",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.slow();
    const [owner, reporter, author] = ["tomas", "mira", "hana"] as const;
    const [title, why, reason] = [
      uniqueName("Where beans are cheap"),
      uniqueName("It sells beans"),
      uniqueName("No shops in here"),
    ];
    const [plea, answer] = [uniqueName("They are free"), uniqueName("Free ones are fine")];
    await signInAs(owner);
    await createGroup(page, uniqueName("Bean swap"));
    const address = new URL(page.url()).pathname;
    const [authorPage, reporterPage] = [await another(author), await another(reporter)];
    await join(authorPage, address);
    await addDocument(authorPage, title, "Here!", address.split("/").at(-1));
    const resource = new URL(authorPage.url()).pathname;

    await reporterPage.goto(resource);
    await reporterPage.getByLabel("More actions for this resource").click();
    await followLink(reporterPage.getByRole("link", { name: "Report…" }));
    await expect(main(reporterPage).getByText(title)).toBeVisible();
    await main(reporterPage).getByLabel("Category").selectOption("spam");
    await main(reporterPage).getByLabel("What is wrong?").fill(why);
    await clickButton(reporterPage, "Report");
    await expect(main(reporterPage).getByText(/The owner does not learn who reported it/)).toBeVisible();
    await page.goto(`/report${resource}`);
    await accessible();

    await page.goto(`${address}/manage/reports`);
    await followLink(main(page).getByRole("link").filter({ hasText: why }));
    await expect(main(page).getByRole("link", { name: title })).toHaveAttribute("href", resource);
    await accessible();
    await main(page).getByLabel("Remove (report upheld)").check();
    await main(page).getByLabel("Reason (sent to the author)").fill(reason);
    await clickButton(page, "Close case");
    await expect(page.locator("#notices").getByText("Removed the content of 1 case.")).toBeVisible();
    await reporterPage.goto(resource);
    await expect(main(reporterPage).getByText(reason)).toBeVisible();
    await reporterPage.goto("/reports");
    await expect(main(reporterPage).getByRole("listitem").filter({ hasText: why })).toContainText("resource");

    await openNotification(authorPage, title, "was removed by a moderator");
    await expect(main(authorPage).getByText(reason)).toBeVisible();
    await main(authorPage).getByLabel("Why should it be restored?").fill(plea);
    await clickButton(authorPage, "Appeal");
    await expect(main(authorPage).getByText("There is no decision yet.")).toBeVisible();
    const judging = await another("ines");
    await judging.goto("/moderation");
    await followLink(main(judging).getByRole("link").filter({ hasText: plea }));
    await expect(main(judging).getByText(reason)).toBeVisible();
    await main(judging).getByLabel("Restore").check();
    await main(judging).getByRole("textbox", { name: "Reason" }).fill(answer);
    await clickButton(judging, "Send decision");
    await expect(judging).toHaveURL(/\/moderation$/);
    await reporterPage.goto(resource);
    await expect(reporterPage.getByRole("heading", { level: 1 })).toHaveText(title);
    await openNotification(authorPage, answer, "Your content was restored");
    await expect(main(authorPage).getByRole("listitem").filter({ hasText: plea })).toContainText("Restored");
  },
);

test(
  "a report of a group is hidden from the group's moderators",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.slow();
    const [owner, reporter] = ["tomas", "mira"] as const;
    const [name, why] = [uniqueName("Bean sellers"), uniqueName("It is a shop")];
    await signInAs(reporter);
    const own = await another(owner);
    await createGroup(own, name);
    const address = new URL(own.url()).pathname;
    await own.goto(`${address}?tab=about`);
    await expect(main(own).getByRole("link", { name: "Report…" })).toHaveCount(0);
    await page.goto(`${address}?tab=about`);
    await clickLink(page, "Report…");
    await accessible();
    await main(page).getByLabel("Category").selectOption("spam");
    await main(page).getByLabel("What is wrong?").fill(why);
    await clickButton(page, "Report");
    await expect(main(page).getByText(/The group is not notified/)).toBeVisible();
    await own.goto(`${address}/manage/reports`);
    await expect(main(own).getByText("Nothing to do.")).toBeVisible();
    const judging = await another("ines");
    await judging.goto("/moderation");
    const line = main(judging).getByRole("link").filter({ hasText: why });
    await expect(line).toContainText(`Report about ${name}`);
    await line.click();
    await expect(main(judging).getByRole("link", { name })).toBeVisible();
    await main(judging).getByLabel("Archive the group (report upheld)").check();
    await clickButton(judging, "Close case");
    await expect(main(judging).getByRole("alert")).toContainText("Enter a reason");
    await main(judging).getByLabel("Archive the group (report upheld)").check();
    await main(judging).getByLabel("Reason for archiving").fill("No shops.");
    await clickButton(judging, "Close case");
    await expect(judging).toHaveURL(/\/moderation$/);

    await own.goto(`${address}/manage/log`);
    await expect(main(own).getByRole("listitem").filter({ hasText: "archived the group" })).toContainText(
      "No shops.",
    );
    await own.goto(`${address}/manage/end`);
    await clickButton(own, "Reopen group");
    await expect(main(own).getByRole("alert")).toContainText("Only staff can reopen it.");
  },
);
