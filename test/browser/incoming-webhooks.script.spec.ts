import { expect, test } from "../support/browser/fixtures.ts";
import { clickButton, clickLink, createGroup, main, openMenu, uniqueName } from "../support/browser/steps.ts";

test("an owner makes a bot and an incoming webhook, whose message appears in a discussion with the Bot mark", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ada");
  await createGroup(page, uniqueName("Machine room"), "private");
  const group = new URL(page.url()).pathname;
  await page.goto(`${group}/manage/webhooks`);
  await clickLink(page, "Incoming");
  await expect(main(page).getByText("Messages are posted by a bot.")).toBeVisible();
  await accessible();
  await clickLink(page, "Create a bot first");
  await main(page).getByLabel("Name").fill("Build server");
  await clickButton(page, "Create bot");
  await expect(main(page).getByText("The bot was created.")).toBeVisible();
  await accessible();

  await clickLink(page, "Incoming webhooks");
  await main(page).getByLabel("Name").fill("CI");
  await main(page).getByLabel("Address of the discussion").fill("beans");
  await clickButton(page, "Create webhook");
  await expect(
    main(page).getByText("Enter the address of a discussion of this group.").first(),
  ).toBeVisible();
  await main(page).getByLabel("Address of the discussion").fill("");
  await clickButton(page, "Create webhook");
  const secret = main(page).locator("[data-secret]");
  await expect(secret).toHaveText(/\/hooks\/kith_hook_[0-9A-Za-z]{36}$/);
  await accessible();
  const { pathname } = new URL(await secret.innerText());
  const answer = await page.request.post(pathname, {
    data: { title: "Build 12", text: "Passed in *4* minutes." },
  });
  expect([answer.status(), await answer.text()]).toEqual([200, "ok"]);

  await page.goto(group);
  await expect(main(page).getByText("Started by Build server (bot)").first()).toBeVisible();
  await clickLink(page, "Build 12");
  const post = page.locator("#post-1");
  await expect(post.getByRole("heading", { level: 2 })).toContainText("Build server Bot");
  await expect(post.getByRole("link", { name: "Build server", exact: true })).toHaveCount(0);
  await accessible();

  await page.goto(`${group}/manage/webhooks/incoming`);
  await expect(main(page).getByText("1 message")).toBeVisible();
  await expect(secret).toHaveCount(0);
  await clickLink(page, "CI");
  await clickButton(page, "Pause");
  await expect(main(page).getByText("The webhook is paused. Messages are refused.")).toBeVisible();
  expect((await page.request.post(pathname, { data: { text: "Again." } })).status()).toBe(403);
  await openMenu(page, "Replace address");
  await clickButton(page, "Replace address");
  await expect(secret).toHaveText(/\/hooks\/kith_hook_/);
  await accessible();
  await openMenu(page, "Delete webhook");
  await clickButton(page, "Delete webhook");
  await expect(main(page).getByText("No incoming webhooks yet.")).toBeVisible();
});
