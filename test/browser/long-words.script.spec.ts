import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import { clickButton, followLink, join, main, uniqueName } from "../support/browser/steps.ts";

/** A word of that many characters, like long compounds and addresses. */
const word = (characters: number) =>
  uniqueName("").trim().padEnd(characters, "donaudampfschifffahrtsgesellschaft");
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test("a word of maximum length makes no page wider than a phone", async ({
  page,
  mail,
  another,
  accessible,
}) => {
  const { username } = await registerMember(page, mail);
  const name = word(50);
  await page.goto("/");
  await followLink(page.getByRole("link", { name: "Settings", exact: true }));
  await main(page).locator("[name=profile-name]").fill(name);
  await main(page).locator("[name=profile-bio]").fill(word(900));
  await main(page).locator("[name='profile-label[]']").first().fill(word(40));
  await main(page).locator("[name='profile-value[]']").first().fill(word(200));
  await main(page)
    .locator("form", { has: page.locator("[name=profile-name]") })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(main(page).getByText("Saved").first()).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });

  const owner = await another("tomas");
  await owner.goto("/groups/new");
  await owner.getByLabel("Name", { exact: true }).fill(word(60));
  await main(owner).locator("[name=purpose]").fill(word(200));
  await clickButton(owner, "Create group");
  await expect(owner).toHaveURL(/\/groups\/(?!new)/);
  const group = new URL(owner.url()).pathname;

  await page.goto(group);
  expect(await sideways(page), "a group").toBe(0);
  await accessible();
  await join(page, group);
  await page.goto(`${group}/new`);
  await page.getByLabel("Title").fill(word(200));
  await page.getByLabel("Text", { exact: true }).fill(`${word(2_000)}\n\n> ${word(200)}\n\n- ${word(200)}`);
  await clickButton(page, "Start discussion");
  await expect(page).toHaveURL(/\/discussions\//);
  expect(await sideways(page), "a discussion").toBe(0);
  await owner.setViewportSize({ width: 320, height: 700 });
  for (const path of [
    new URL(page.url()).pathname,
    group,
    `${group}?tab=members`,
    "/",
    "/discussions",
    `/search?q=${name}`,
  ]) {
    await owner.goto(path);
    expect(await sideways(owner), path).toBe(0);
  }
  await owner.goto(`/users?q=${username}`);
  await followLink(main(owner).getByRole("link", { name }).first());
  await expect(owner.getByRole("heading", { level: 1 })).toContainText(name);
  expect(await sideways(owner), "a profile").toBe(0);

  await followLink(main(owner).getByRole("link", { name: "Message" }));
  await main(owner)
    .getByLabel("Message", { exact: true })
    .fill(`A line of a program:\n\n\`\`\`\n${word(400)}\n\`\`\`\n\n${word(400)}`);
  await clickButton(owner, "Send");
  await expect(main(owner).locator(".message-text")).toHaveCount(1);
  expect(await sideways(owner), "a conversation").toBe(0);
});
