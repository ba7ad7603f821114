import { expect, test } from "../support/browser/fixtures.ts";
import { blurFields, waitForShortcuts } from "../support/browser/keyboard.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import { followLink, main, startDiscussion, submitAndWait, uniqueName } from "../support/browser/steps.ts";

test("shortcuts open the focused item and start the page's main action", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("ines");
  await page.goto("/groups/long-beds");
  await waitForShortcuts(page);
  await page.keyboard.press("j");
  await expect(page.locator("[data-item] a:focus")).toHaveCount(1);
  await page.keyboard.press("o");
  await expect(page).toHaveURL(/\/discussions\/[0-9a-f-]{36}/);
  await expect(page.getByLabel("Your reply")).toBeVisible();
  await blurFields(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("Your reply")).toBeFocused();

  await page.goto("/groups/long-beds");
  await waitForShortcuts(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("Title")).toBeFocused();
  await expect(page).toHaveURL(/\/groups\/long-beds\/new$/);

  for (const where of ["/", "/notifications"]) {
    await page.goto(where);
    await waitForShortcuts(page);
    await page.keyboard.press("c");
    await expect(page.getByRole("heading", { level: 1, name: "Create" })).toBeVisible();
  }

  await page.goto("/messages");
  await waitForShortcuts(page);
  await page.keyboard.press("c");
  await expect(page.getByLabel("To", { exact: true })).toBeFocused();
  // The shortcut within the text sends like the button; an unknown recipient is an error.
  await page.getByLabel("To", { exact: true }).fill("nobody.at.all");
  await page.getByLabel("Message", { exact: true }).fill("Hello?");
  await page.getByLabel("Message", { exact: true }).press("Control+Enter");
  await expect(
    main(page).getByText("You cannot write to nobody.at.all: there is no such member.").first(),
  ).toBeVisible();

  await page.goto("/resources");
  await waitForShortcuts(page);
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/resources\/new/);

  await blurFields(page);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  for (const words of ["Next unread discussion", "Mark unread from here", "Leave editor"])
    await expect(sheet.getByText(words)).toBeVisible();
  await accessible();
});

test("shortcuts open the next unread item, and report when there is none", async ({
  page: reader,
  another,
  mail,
}) => {
  const who = await registerMember(reader, mail);
  await reader.goto("/bookmarks");
  await waitForShortcuts(reader);
  await reader.keyboard.press("n");
  await expect(reader.getByRole("status").filter({ hasText: "You have read everything." })).toBeVisible();
  await expect(reader).toHaveURL(/\/discussions\?next=unread/);
  await reader.keyboard.press("p");
  await expect(reader).toHaveURL(/\/messages\?next=unread/);
  await expect(reader.getByRole("status").filter({ hasText: "You have read everything." })).toBeVisible();

  await reader.goto("/groups/blinking-things");
  await main(reader).getByRole("button", { name: "Join Blinking Things" }).click();
  await expect(main(reader).getByRole("link", { name: "New discussion" })).toBeVisible();
  const page = await another("tomas");
  const [first, second] = [uniqueName("The first frost"), uniqueName("The second frost")];
  await startDiscussion(page, first, "Who has seen it?", "blinking-things");
  await startDiscussion(page, second, "Who has seen it?", "blinking-things");
  await reader.goto("/about");
  await waitForShortcuts(reader);
  // The first key is pressed on a page outside the list, the second in a discussion of the list.
  for (const title of [second, first]) {
    await reader.keyboard.press("n");
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(reader.locator("#post-1")).toBeVisible();
  }

  await page.goto(`/messages?to=${who.username}`);
  await main(page).getByLabel("Message", { exact: true }).fill("Welcome!");
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\//);
  const conversation = new URL(page.url()).pathname;
  await reader.goto(conversation);
  await submitAndWait(reader, main(reader).getByRole("button", { name: "Accept", exact: true }));
  await expect(reader.getByLabel("Write a message")).toBeVisible();
  await reader.goto("/about");
  await page.getByLabel("Write a message").fill("Do you have gloves?");
  await page.getByLabel("Write a message").press("Control+Enter");
  await expect(page.getByRole("article").filter({ hasText: "gloves" })).toBeVisible();
  await reader.reload();
  await waitForShortcuts(reader);
  await reader.keyboard.press("p");
  await expect(reader).toHaveURL(new RegExp(`${conversation}$`));
});

test("text typed while a form opens goes into its first field and triggers no shortcut", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await page.goto("/messages");
  await waitForShortcuts(page);
  await main(page).locator("summary", { hasText: "New message" }).click();
  await expect(page.getByLabel("To", { exact: true })).toBeFocused();
  await page.keyboard.type("pri");
  await expect(page.getByLabel("To", { exact: true })).toHaveValue("pri");
  await expect(page).toHaveURL(/\/messages$/);

  await page.goto("/groups/long-beds");
  await waitForShortcuts(page);
  // A row opens its discussion wherever it is clicked.
  const row = main(page).locator("[data-item]").first();
  const title = await row.getByRole("heading").getByRole("link").textContent();
  const { width, height } = (await row.boundingBox())!;
  await row.click({ position: { x: width - 4, y: height - 4 } });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title!);
  await page.goBack();
  await followLink(main(page).getByRole("link", { name: "New discussion" }));
  await page.keyboard.press("n");
  await expect(page.getByLabel("Title")).toBeFocused();
  await expect(page).toHaveURL(/\/groups\/long-beds\/new$/);
});

test("the focused item is never covered by the bottom navigation of a phone", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signInAs("mira");
  for (const path of ["/", "/groups/long-beds", "/resources"]) {
    await page.goto(path);
    const covered: string[] = [];
    await main(page).locator("a[href], button, input").first().focus();
    for (let pressed = 0; pressed < 40; pressed++) {
      const above = await page.evaluate(() => {
        const has = document.activeElement!;
        const { left, right, top, bottom } = has.getBoundingClientRect();
        const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return topmost?.closest(".bottombar") && !has.closest(".bottombar")
          ? has.outerHTML.slice(0, 200)
          : "";
      });
      if (above) covered.push(above);
      await page.keyboard.press("Tab");
    }
    expect(covered, path).toEqual([]);
  }
});
