import { expect, test } from "../support/browser/fixtures.ts";
import { registerMember, expectHeading } from "../support/browser/registration-steps.ts";
import { clickLink, followLink } from "../support/browser/steps.ts";

const PHONE = { width: 390, height: 844 };

test("a member starts a discussion or a message from the home page", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await page.goto("/");
  await clickLink(page, "New discussion");
  await expectHeading(page, "Create");
  await accessible();
  await clickLink(page, "The long beds");
  await expectHeading(page, "New discussion");
  await expect(page).toHaveURL(/\/groups\/long-beds\/new$/);

  await page.goto("/new");
  await clickLink(page, "Message");
  await expect(page.getByLabel("To", { exact: true })).toBeVisible();
});

test("a member creates something from the bottom bar of a phone", async ({ page, signInAs, accessible }) => {
  await page.setViewportSize(PHONE);
  await signInAs("mira");
  await page.goto("/");
  const create = page.getByRole("button", { name: "Create" });
  const choices = page.getByRole("navigation", { name: "Create", exact: true });
  await create.click();
  await expect(choices.getByRole("link")).toHaveText(["Discussion", "Message", "Event", "Resource", "Group"]);
  await accessible();
  await page.keyboard.press("Escape");
  await expect(choices).toBeHidden();
  await create.click();
  await followLink(choices.getByRole("link", { name: "Discussion" }));
  await expectHeading(page, "Create");
  await expect(choices).toBeHidden();
  await accessible();
  await clickLink(page, "The long beds");
  await expect(page.getByLabel("Title")).toBeVisible();
});

test("a person without groups gets a link to browse groups", async ({ page, mail, accessible }) => {
  await registerMember(page, mail);
  await page.goto("/new");
  await expect(page.getByText("You are not in a group where you can start discussions.")).toBeVisible();
  await accessible();
  await clickLink(page, "Browse groups");
  await expect(page).toHaveURL(/\/groups\?tab=discover$/);
});

test("the Create page asks a guest to sign in first", async ({ page }) => {
  await page.goto("/new");
  await expect(page).toHaveURL(/\/login\?next=%2Fnew$/);
});
