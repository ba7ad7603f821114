import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickLink,
  openNotification,
  createGroupByForm,
  join,
  main,
  clickButton,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("a banned person appeals, another moderator declines, and the one who decided lifts the ban", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  // Three people, one after the other.
  test.slow();
  const [owner, shut, moderator] = chooseByMode(javaScriptEnabled, ["tomas", "mira", "hana"] as const, ["mira", "tomas", "chidi"] as const);
  const [plea, answer] = [uniqueName("I was not even there"), uniqueName("Three saw it")];
  await signInAs(owner);
  await createGroupByForm(page, uniqueName("Stone masons"), "Public", "Open to all");
  const address = new URL(page.url()).pathname;
  const [out, beside] = [await another(shut), await another(moderator)];
  for (const window of [out, beside]) await join(window, address);
  const lineOf = (window: Page, username: string) =>
    main(window)
      .getByRole("listitem")
      .filter({ hasText: `@${username}` });

  await page.goto(`${address}/manage/members`);
  await lineOf(page, moderator)
    .getByLabel(/^Change…/)
    .click();
  await clickButton(page, "New role: Moderator");
  await expect(lineOf(page, moderator)).toContainText("Moderator");
  await lineOf(page, shut)
    .getByLabel(/^Change…/)
    .click();
  await lineOf(page, shut).getByText("Keep out…").click();
  await lineOf(page, shut)
    .getByLabel(/^Reason, for/)
    .last()
    .fill("Shouting.");
  await clickButton(page, "Keep out");
  await expect(main(page).getByRole("heading", { name: "Kept out" })).toBeVisible();

  await out.goto(address);
  await clickLink(out, "Ask to come back");
  await expect(out.getByRole("heading", { level: 1 })).toContainText("Ask to come back into");
  await expect(main(out).getByText("Shouting.")).toBeVisible();
  await main(out).getByLabel("Why should you be let back?").fill(plea);
  await clickButton(out, "Ask to come back");
  await expect(main(out).getByText("Nobody has answered yet.")).toBeVisible();
  await expect(main(out).getByText(plea)).toBeVisible();
  await expect(main(out).getByLabel("Why should you be let back?")).toHaveCount(0);

  await page.reload();
  await expect(main(page).getByRole("region", { name: "They ask to come back" })).toContainText(plea);
  await expect(main(page).getByText(/You kept them out: somebody else/)).toBeVisible();
  await expect(main(page).getByLabel(/^Leave it as it is for/)).toHaveCount(0);
  await accessible();

  await beside.goto(`${address}/manage`);
  await clickLink(beside, /^Members/);
  await lineOf(beside, shut)
    .getByLabel(/^Leave it as it is for/)
    .click();
  await lineOf(beside, shut)
    .getByLabel(/^Reason, for/)
    .fill(answer);
  await clickButton(beside, "Leave it as it is");
  await expect(main(beside).getByRole("region", { name: "Kept out" })).toContainText(answer);
  await expect(main(beside).getByLabel(/^Leave it as it is for/)).toHaveCount(0);
  await beside.goto(`${address}/manage/log`);
  await expect(main(beside).getByText(answer)).toBeVisible();

  await openNotification(out, answer, "it stays as it was decided");
  await expect(main(out).getByText(/It stays as it was decided/)).toBeVisible();
  await expect(main(out).getByText(answer)).toBeVisible();

  await page.reload();
  await lineOf(page, shut)
    .getByRole("button", { name: /^Let come back/ })
    .click();
  await expect(main(page).getByRole("heading", { name: "Kept out" })).toHaveCount(0);
  const appeal = new URL(out.url()).pathname;
  await out.goto(appeal);
  await expect(out).toHaveURL(address);
  await clickButton(out, /^Join/);
});
