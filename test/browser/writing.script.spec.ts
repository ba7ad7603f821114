import { expect, test } from "./fixtures.ts";

const READING = "/groups/long-beds";

test("a name is offered while it is typed, taken by keyboard, and leads to the person", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await page.goto(`${READING}/new`);
  await page.getByLabel("Title").fill(`Who waters on Sunday ${Date.now()}`);
  const text = page.getByLabel("Text");
  await text.pressSequentially("Could @tom");
  const list = page.getByRole("listbox", { name: "Whom to call" });
  await expect(list.getByRole("option")).toContainText(["@tomas"]);
  await expect(text).toHaveAttribute("aria-activedescendant", /.+/);
  await accessible();
  await text.press("Escape");
  await expect(list).toBeHidden();
  await text.pressSequentially("a");
  await expect(list.getByRole("option", { selected: true })).toContainText("@tomas");
  await text.press("Enter");
  await expect(text).toHaveValue("Could @tomas ");
  await expect(list).toBeHidden();
  await text.pressSequentially("or @nobody-here do it?");
  await page.getByRole("button", { name: "Start the discussion" }).click();
  await expect(page.locator("#post-1").getByRole("link", { name: "@tomas" })).toHaveAttribute("href", /^\/users\/[0-9a-f-]{36}$/);
  await expect(page.getByText("@nobody-here: nobody is told.")).toBeVisible();
  await accessible();
});
