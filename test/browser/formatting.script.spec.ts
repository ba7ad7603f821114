import { expect, test } from "../support/browser/fixtures.ts";
import { clickButton, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("an over-long text shows the number of excess characters and is not cut", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  const text = page.getByLabel("Text", { exact: true });
  await text.fill("a".repeat(32_003));
  await expect(page.getByText("3 characters too many.")).toBeVisible();
  expect(await text.inputValue()).toHaveLength(32_003);
  await accessible();
  await text.fill("a".repeat(32_000));
  await expect(page.getByText("characters too many.")).toBeHidden();
});

test("a wide table in the preview stays within the page", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(uniqueName("What grows where"));
  const cells = Array.from({ length: 14 }, (_, at) => `bed number ${at}`).join(" | ");
  await page
    .getByLabel("Text", { exact: true })
    .fill(`| ${cells} |\n| ${"- | ".repeat(14)}\n| ${cells} |\n\n    ${"x".repeat(300)}`);
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("cell", { name: "bed number 0" }).first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page).toHaveURL(/\/discussions\//);
});

test("formatting works by button and key, can be undone, and is accessible by keyboard", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("The shed is painted"), "View.");
  const field = page.getByLabel("Your reply");
  const tools = page.locator("#reply").getByRole("toolbar", { name: "Formatting" });
  await expect(tools).toBeVisible();
  await field.fill("red");
  await field.selectText();
  await tools.getByRole("button", { name: "Bold" }).click();
  await expect(field).toHaveValue("**red**");
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+i");
  await expect(field).toHaveValue("***red***");
  await page.keyboard.press("Control+z");
  await expect(field).toHaveValue("**red**");
  await field.press("End");
  await field.pressSequentially("\nand green");
  await tools.getByRole("button", { name: "Bold" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(tools.getByRole("button", { name: "Spoiler" })).toBeFocused();
  await page.keyboard.press("Home");
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("**red**\n- and green");
  await accessible();
  await clickButton(page, "Reply");
  await expect(page.locator("#post-2 strong")).toHaveText("red");
  await expect(page.locator("#post-2 li")).toHaveText("and green");
});
