import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickLink,
  openNotification,
  createGroup,
  join,
  main,
  clickButton,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("a banned person appeals, and another moderator decides", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  // The test is slow, because three people act one after the other.
  test.slow();
  const [owner, shut, moderator] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "mira", "hana"] as const,
    ["mira", "tomas", "chidi"] as const,
  );
  const [plea, answer] = [uniqueName("I was not even there"), uniqueName("Three saw it")];
  await signInAs(owner);
  await createGroup(page, uniqueName("Stone masons"));
  const address = new URL(page.url()).pathname;
  const [out, beside] = [await another(shut), await another(moderator)];
  for (const window of [out, beside]) await join(window, address);
  const lineOf = (window: Page, username: string) =>
    main(window)
      .getByRole("listitem")
      .filter({ hasText: `@${username}` });

  await page.goto(`${address}/manage/members`);
  await lineOf(page, moderator)
    .getByLabel(/^Manage .*…$/)
    .click();
  await clickButton(page, "New role: Moderator");
  await expect(lineOf(page, moderator)).toContainText("Moderator");
  await lineOf(page, shut)
    .getByLabel(/^Manage .*…$/)
    .click();
  await lineOf(page, shut).getByText("Ban…").click();
  await lineOf(page, shut)
    .getByLabel(/^Reason \(for/)
    .last()
    .fill("Shouting.");
  await clickButton(page, "Ban");
  await expect(main(page).getByRole("heading", { name: "Banned" })).toBeVisible();

  await out.goto(address);
  await clickLink(out, "Appeal ban");
  await expect(out.getByRole("heading", { level: 1 })).toContainText("Appeal your ban from");
  await expect(main(out).getByText("Shouting.")).toBeVisible();
  await main(out).getByLabel("Why should the ban be lifted?").fill(plea);
  await clickButton(out, "Appeal ban");
  await expect(main(out).getByText("There is no decision yet.")).toBeVisible();
  await expect(main(out).getByText(plea)).toBeVisible();
  await expect(main(out).getByLabel("Why should the ban be lifted?")).toHaveCount(0);

  await page.reload();
  await expect(main(page).getByRole("region", { name: "Ban appeal" })).toContainText(plea);
  await expect(main(page).getByText(/You banned this person: another moderator/)).toBeVisible();
  await expect(main(page).getByLabel(/^Reject appeal of/)).toHaveCount(0);
  await accessible();

  await beside.goto(`${address}/manage`);
  await clickLink(beside, /^Members/);
  await lineOf(beside, shut)
    .getByLabel(/^Reject appeal of/)
    .click();
  await lineOf(beside, shut)
    .getByLabel(/^Reason \(for/)
    .fill(answer);
  await clickButton(beside, "Reject appeal");
  await expect(main(beside).getByRole("region", { name: "Banned" })).toContainText(answer);
  await expect(main(beside).getByLabel(/^Reject appeal of/)).toHaveCount(0);
  await beside.goto(`${address}/manage/log`);
  await expect(main(beside).getByText(answer)).toBeVisible();

  await openNotification(out, answer, "was rejected");
  await expect(main(out).getByText(/The decision was upheld/)).toBeVisible();
  await expect(main(out).getByText(answer)).toBeVisible();

  await page.reload();
  await lineOf(page, shut)
    .getByRole("button", { name: /^Unban/ })
    .click();
  await expect(main(page).getByRole("heading", { name: "Banned" })).toHaveCount(0);
  const appeal = new URL(out.url()).pathname;
  await out.goto(appeal);
  await expect(out).toHaveURL(address);
  await clickButton(out, /^Join/);
});
