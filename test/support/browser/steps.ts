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

/**
 * Sends a form of the signed-in person without opening its page, and returns the address of the next page.
 * A page costs half a second of the browser's time.
 */
export async function sendForm(page: Page, path: string, form: Record<string, string>): Promise<string> {
  const { request } = page.context();
  const { origin } = new URL((await request.get("/readyz")).url());
  const answer = await request.post(path, { form, headers: { origin }, maxRedirects: 0 });
  expect([path, answer.status()]).toEqual([path, 302]);
  return answer.headers()["location"]!;
}

/** Returns the id of the group that the form at this address names. */
async function readGroupId(page: Page, path: string): Promise<string> {
  const html = await (await page.context().request.get(path)).text();
  return /name="groupId" value="([0-9a-f-]{36})"/.exec(html)![1]!;
}

/**
 * Starts a discussion in which no other test writes, by the request of the form, and opens it. The form
 * itself is tested in writing.spec.ts.
 */
export async function startDiscussion(
  page: Page,
  title: string,
  body = "The first words.",
  group = "long-beds",
) {
  const path = `/groups/${group}/new`;
  const groupId = await readGroupId(page, path);
  await page.goto(await sendForm(page, path, { groupId, title, body }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
}

export async function reply(page: Page, body: string) {
  await page.getByLabel("Your reply").fill(body);
  await clickButton(page, "Reply");
  await expect(page.getByRole("article").filter({ hasText: body })).toBeVisible();
}

/**
 * Adds a document that everyone can read, by the request of the form, and opens it. The form itself is tested in
 * library.spec.ts.
 */
export async function addDocument(page: Page, title: string, body = "The first words.", group?: string) {
  const groupId = group ? await readGroupId(page, `/groups/${group}/new`) : "";
  const form = { title, body, groupId, intent: "document" };
  await page.goto(await sendForm(page, "/resources/new?kind=document", form));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
}

export async function comment(page: Page, body: string) {
  await page.getByLabel("Your comment").fill(body);
  await clickButton(page, "Comment");
  await expect(page.getByRole("article").filter({ hasText: body }).last()).toBeVisible();
}

/** Creates a group by the request of the form, and opens it. The form itself is tested in groups.spec.ts. */
export async function createGroup(
  page: Page,
  name: string,
  visibility: "public" | "private" | "secret" = "public",
  joinPolicy: "open" | "request" | "invite" = "open",
) {
  await page.goto(await sendForm(page, "/groups/new", { name, visibility, joinPolicy }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

/** Joins an open group by the request of its button, and opens it. The button is tested in groups.spec.ts. */
export async function join(window: Page, address: string) {
  const groupId = await readGroupId(window, address);
  await window.goto(await sendForm(window, address, { intent: "join", groupId }));
  await expect(main(window).getByLabel(/^Your role: /)).toBeVisible();
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
