import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Steps for many pages. */
export const main = (page: Page) => page.getByRole("main");
/** Returns a name that no other run on the same server has used. */
export const uniqueName = (words: string) =>
  `${words} ${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
export const clickButton = (page: Page, name: string | RegExp) =>
  main(page)
    .getByRole("button", { name, exact: typeof name === "string" })
    .click();
/**
 * Waits for the response to a form, with or without scripts. Background requests (drafts, read positions)
 * are ignored.
 */
export const waitForFormResponse = (page: Page) =>
  page.waitForResponse((answer) => {
    const request = answer.request();
    return (
      request.method() === "POST" &&
      (request.isNavigationRequest() || new URL(request.url()).pathname.endsWith(".data"))
    );
  });
/** Clicks a submit button and waits for the response, for pages that show the result before the response. */
export async function submitAndWait(page: Page, button: Locator) {
  const sent = waitForFormResponse(page);
  await button.click();
  await sent;
}
/**
 * Clicks a link and waits for its page. Until then the page before is shown, which may contain the same words
 * and fields.
 */
export async function followLink(link: Locator) {
  const page = link.page();
  // The form whose result contains this link may not have been answered yet.
  await link.waitFor();
  const before = page.url();
  await link.click();
  await page.waitForURL(({ href }) => href !== before);
}
export const clickLink = (page: Page, name: string | RegExp) =>
  followLink(main(page).getByRole("link", { name }).first());
/** Opens a menu. Menus are `details` elements: a click on the summary opens them, with or without scripts. */
export const openMenu = (page: Page, name: string | RegExp) =>
  main(page).locator("summary").filter({ hasText: name }).first().click();
/**
 * Chooses a value per browser project: both use the same server, so each has its own people, all of whom
 * read English.
 */
export const chooseByMode = <T>(scripts: boolean | undefined, withScripts: T, without: T) =>
  scripts ? withScripts : without;

/** Waits until the page handles keys and clicks; earlier input is replayed then (`early-input.ts`). */
export const waitForHydration = (page: Page) => page.locator("html[data-hydrated]").waitFor();

/** Starts a discussion in which no other test writes, and opens it. */
export async function startDiscussion(
  page: Page,
  title: string,
  body = "The first words.",
  group = "long-beds",
) {
  await page.goto(`/groups/${group}/new`);
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill(body);
  // A draft of another test may have filled in tags.
  await page.getByLabel("Tags (optional)").fill("");
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
}

export async function reply(page: Page, body: string) {
  await page.getByLabel("Your reply").fill(body);
  await clickButton(page, "Reply");
  await expect(page.getByRole("article").filter({ hasText: body })).toBeVisible();
}

/** Adds a document that everyone can read, and opens it. */
export async function addDocument(page: Page, title: string, body = "The first words.", group?: string) {
  await page.goto(`/resources/new?kind=document${group ? `&group=${group}` : ""}`);
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill(body);
  await clickButton(page, "Add to the library");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
}

export async function comment(page: Page, body: string) {
  await page.getByLabel("Your comment").fill(body);
  await clickButton(page, "Comment");
  await expect(page.getByRole("article").filter({ hasText: body }).last()).toBeVisible();
}

/** Creates a group and opens it. */
export async function createGroupByForm(
  page: Page,
  name: string,
  visibility: "Public" | "Private" | "Secret",
  entry: string,
) {
  await page.goto("/groups/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("radio", { name: visibility, exact: true }).check();
  await page.getByRole("radio", { name: entry, exact: true }).check();
  await clickButton(page, "Create group");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

/** Joins an open group and opens it. */
export async function join(window: Page, address: string) {
  await window.goto(address);
  await clickButton(window, /^Join/);
  await expect(main(window).getByRole("button", { name: /^Join/ })).toHaveCount(0);
}

/**
 * Waits until the latest notification with this text shows `sentence`, and opens it. A handler creates it a
 * moment after the action.
 */
export async function openNotification(window: Page, words: string | RegExp, sentence: string) {
  const notification = main(window).getByRole("listitem").filter({ hasText: words }).first();
  await expect(async () => {
    await window.goto("/notifications");
    await expect(notification).toContainText(sentence, { timeout: 500 });
  }).toPass();
  await followLink(notification.getByRole("link").first());
}
