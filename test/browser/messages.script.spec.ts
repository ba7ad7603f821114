import type { Page } from "@playwright/test";
import { type OpenWindow, expect, test } from "../support/browser/fixtures.ts";
import { openSettings } from "../support/browser/registration-steps.ts";
import { main, uniqueName } from "../support/browser/steps.ts";

const box = (page: Page) => page.getByRole("textbox", { name: "Write a message" });
const messageWith = (page: Page, words: string) => main(page).getByRole("article").filter({ hasText: words });

/** A new group conversation without other messages, open for both connected people. */
async function together(page: Page, another: OpenWindow) {
  await page.goto("/messages?to=tomas,ada");
  await main(page).getByLabel("Message", { exact: true }).fill(uniqueName("Shall we?"));
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\//);
  const other = await another("tomas");
  await other.goto(new URL(page.url()).pathname);
  const accept = main(other).getByRole("button", { name: "Accept", exact: true });
  await expect(box(other)).toBeVisible();
  if (await accept.isVisible()) await accept.click();
  await expect(accept).toHaveCount(0);
  return other;
}
const send = async (page: Page, words: string) => {
  await box(page).fill(words);
  await box(page).press("Control+Enter");
  await expect(box(page)).toHaveValue("");
};
const texts = (page: Page) => main(page).locator("article .message-text").allTextContents();

test("two people converse over an unstable connection without loss, duplicates or disorder", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await send(page, "One");
  await expect(messageWith(other, "One")).toBeVisible();
  await send(other, "Two");
  await expect(messageWith(page, "Two")).toBeVisible();

  await page.context().setOffline(true);
  await send(page, "Three");
  await send(page, "Four");
  await expect(page.getByRole("list", { name: "Not sent yet" })).toContainText("Four");
  await accessible();
  await send(other, "Meanwhile");
  await expect(messageWith(other, "Meanwhile")).toBeVisible();
  await page.context().setOffline(false);

  for (const each of [page, other])
    for (const words of ["Meanwhile", "Three", "Four"]) await expect(messageWith(each, words)).toBeVisible();
  await expect(page.getByRole("list", { name: "Not sent yet" })).toHaveCount(0);
  expect((await texts(page)).slice(1).map((it) => it.trim())).toEqual([
    "One",
    "Two",
    "Meanwhile",
    "Three",
    "Four",
  ]);
  expect(await texts(other)).toEqual(await texts(page));
  await page.reload();
  expect((await texts(page)).slice(1).map((it) => it.trim())).toEqual([
    "One",
    "Two",
    "Meanwhile",
    "Three",
    "Four",
  ]);
});

test("messages are stored once despite lost responses, and unsent messages survive a reload", async ({
  page,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  let requests = 0;
  await page.route("**/conversations/*/messages*", async (route) => {
    requests += 1;
    if (requests % 3 === 1) {
      await route.fetch();
      await route.abort();
    } else await route.continue();
  });
  for (const words of ["Alpha", "Beta", "Gamma"]) await send(page, words);
  await expect(messageWith(other, "Gamma")).toBeVisible();
  await expect(page.getByRole("list", { name: "Not sent yet" })).toHaveCount(0);
  expect((await texts(other)).slice(1).map((it) => it.trim())).toEqual(["Alpha", "Beta", "Gamma"]);

  await page.unroute("**/conversations/*/messages*");
  await page.route("**/conversations/*/messages*", (route) => route.fulfill({ status: 500, json: {} }));
  await send(page, "Delta");
  // Sending is tried four times, with five seconds of pauses in total.
  await expect(main(page).getByText("Not sent.")).toBeVisible({ timeout: 25_000 });
  await page.unroute("**/conversations/*/messages*");
  await page.reload();
  await expect(page.getByRole("list", { name: "Not sent yet" })).toContainText("Delta");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(messageWith(other, "Delta")).toHaveCount(1);
  await expect(messageWith(page, "Delta")).toHaveCount(1);
});

test("a reader who scrolled up is not moved and gets a link to new messages", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await page.setViewportSize({ width: 390, height: 680 });
  await signInAs("mira");
  const other = await together(page, another);
  for (let n = 0; n < 8; n++) await send(page, `Line ${n}\n\nand more\n\nof it`);
  await expect(messageWith(other, "Line 7")).toBeVisible();
  await expect(messageWith(page, "Line 7")).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
  await send(other, "Down here");
  const chip = main(page).getByRole("button", { name: "1 new message" });
  await expect(chip).toBeVisible();
  await expect(messageWith(page, "Line 7")).not.toBeInViewport();
  await accessible();
  await chip.click();
  await expect(messageWith(page, "Down here")).toBeInViewport();
  await expect(chip).toHaveCount(0);

  const number = (await messageWith(other, "Down here").getAttribute("id"))!.replace("message-", "");
  await main(other).getByLabel(`More for message ${number}`, { exact: true }).click();
  await other.getByRole("button", { name: "Heart" }).click();
  await expect(main(page).getByRole("button", { name: /Heart: 1 person/ })).toBeVisible();
  await main(other).getByLabel(`More for message ${number}`, { exact: true }).click();
  await other.locator("summary", { hasText: "Delete for everyone…" }).click();
  await other.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(main(page).getByText("This message was deleted.")).toBeVisible();
});

test("typing and read status appear only if both people allow them", async ({ page, signInAs, another }) => {
  const choose = async (who: Page) => {
    await openSettings(who, "Privacy settings");
    await who.getByRole("checkbox", { name: /Send read receipts/ }).check();
    const form = who.locator("form", { has: who.getByRole("checkbox", { name: /Send read receipts/ }) });
    await form.getByRole("button", { name: "Save" }).click();
    await expect(who).toHaveURL(/saved=privacy/);
  };
  await signInAs("ines");
  await choose(page);
  const ada = await another("ada");
  await choose(ada);
  await page.goto("/messages?to=ada,pavel");
  await main(page).getByLabel("Message", { exact: true }).fill("The minutes?");
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\//);
  await expect(main(page).locator("[data-how-far]")).toHaveText("Sent");
  await ada.goto(new URL(page.url()).pathname);
  const accept = main(ada).getByRole("button", { name: "Accept", exact: true });
  await expect(box(ada)).toBeVisible();
  if (await accept.isVisible()) await accept.click();
  await expect(main(page).locator("[data-how-far]")).toContainText("Read by Ada");
  await expect(async () => {
    await box(ada).pressSequentially("On ");
    await expect(main(page).locator("[data-writers]")).toContainText("is writing…", { timeout: 2_000 });
  }).toPass();
});

test("recipients are suggested while typing, and chosen by keyboard", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await page.goto("/messages?to=");
  await page.getByText("New message", { exact: true }).click();
  const to = page.getByLabel("To", { exact: true });
  await to.pressSequentially("tom");
  await expect(page.getByRole("option", { name: /Tomas Varga/ })).toHaveAttribute("aria-selected", "true");
  await accessible();
  await page.keyboard.press("Enter");
  await expect(to).toHaveValue("tomas, ");
  await to.pressSequentially("ine");
  await page.getByRole("option", { name: /Inês Duarte/ }).click();
  await expect(to).toHaveValue("tomas, ines, ");
});

test("a menu opened during a pending action stays open", async ({ page, signInAs, another }) => {
  await signInAs("mira");
  const other = await together(page, another);
  await send(other, "An answer");
  await send(page, "To be taken back");
  await expect(messageWith(page, "An answer")).toBeVisible();
  const more = (words: string) =>
    main(page)
      .locator("div", { has: page.locator("> article", { hasText: words }) })
      .getByLabel(/^More for message/);
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await page.route(/\/conversations\/[^/]+\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const answer = await route.fetch();
    arrived.resolve();
    await release.promise;
    await route.fulfill({ response: answer });
  });
  const key = () => page.evaluate(() => (window.history.state as { key: string }).key);
  const before = await key();

  await more("To be taken back").click();
  await page.locator("summary", { hasText: "Delete for everyone…" }).click();
  await main(page).getByRole("button", { name: "Delete", exact: true }).click();
  await arrived.promise;
  // The socket delivers the deletion before the page has its response.
  await expect(messageWith(page, "To be taken back")).toHaveCount(0);
  await more("An answer").click();
  release.resolve();
  await expect.poll(key).not.toBe(before);
  await page.locator("summary", { hasText: "Delete for me…" }).click();
  await main(page).getByRole("button", { name: "Delete for me" }).click();
  await expect(messageWith(page, "An answer")).toHaveCount(0);
});
