import type { Page } from "@playwright/test";
import { type OpenWindow, expect, test } from "../support/browser/fixtures.ts";
import { followLink, reply, startDiscussion, uniqueName } from "../support/browser/steps.ts";

/** A discussion of Tomas's, open for two connected people. */
async function together(page: Page, another: OpenWindow, group = "long-beds") {
  const other = await another("tomas");
  await startDiscussion(other, uniqueName("Frost tonight"), "Cover the courgettes.", group);
  await page.goto(new URL(other.url()).pathname);
  await expect(page.getByText("1 other person is reading")).toBeVisible();
  await expect(other.getByText("1 other person is reading")).toBeVisible();
  return other;
}

test("a new reply and its edit appear at once in another reader's window", async ({
  page,
  signInAs,
  complaints,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await reply(other, "And the beans.");
  await expect(page.locator("#post-2")).toContainText("And the beans.");
  await expect(page.getByRole("status").filter({ hasText: "1 new reply" })).toHaveCount(1);
  await page.locator("#post-2").getByLabel("React to post 2").click();
  await page.locator("#post-2").getByRole("button", { name: "Thank you" }).click();
  await expect(other.locator("#post-2").getByRole("button", { name: /Thank you/ })).toContainText("1");
  expect(complaints).toEqual([]);
});

test("a deleted discussion disappears from the side list", async ({ page, signInAs, another }) => {
  await signInAs("mira");
  const title = uniqueName("Gone soon");
  await startDiscussion(page, title);
  const address = new URL(page.url()).pathname;
  await startDiscussion(page, uniqueName("Stays open"));
  const beside = page.getByRole("navigation", { name: /^Discussions in/ });
  await expect(beside.getByRole("link", { name: title })).toBeVisible();
  const owner = await another("tomas");
  await owner.goto(`${address}/manage?do=delete`);
  await owner.getByLabel("Reason").fill("Said twice.");
  await owner.getByRole("button", { name: "Delete discussion" }).click();
  await expect(owner.getByText("This discussion was deleted.")).toBeVisible();
  await expect(beside.getByRole("link", { name: title })).toHaveCount(0);
  await expect(beside.getByRole("link", { name: "Stays open" })).toBeVisible();
});

test("a person who is writing gets a link to a new post instead of the post", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await page.getByLabel("Your reply").pressSequentially("I have fleece left");
  await expect(other.getByText("1 person is replying")).toBeVisible();
  await reply(other, "Two degrees at five.");
  await reply(other, "One degree now.");
  const pill = page.getByRole("link", { name: "2 new replies" });
  await expect(pill).toBeVisible();
  await expect(page.locator("#post-2")).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "new repl" })).toHaveCount(1);
  await accessible();
  await pill.click();
  await expect(page.locator("#post-3")).toBeVisible();
  await expect(pill).toHaveCount(0);
  await expect(page.getByLabel("Your reply")).toHaveValue("I have fleece left");
});

test("locking a discussion disables the open reply form and keeps its text", async ({
  page,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another, "chain-and-spoke");
  await page.getByLabel("Your reply").fill("But what about the leeks");
  await other.getByLabel("More actions for this discussion").first().click();
  await other.getByText("Lock…").click();
  await other.getByRole("textbox", { name: "Reason" }).fill("All said.");
  await other.getByRole("button", { name: "Lock discussion" }).click();
  await expect(page.getByText("This discussion is closed for replies.")).toBeVisible();
  await expect(page.getByLabel("Your reply")).toHaveValue("But what about the leeks");
  await expect(page.getByLabel("Your reply")).not.toBeEditable();
  await expect(page.getByRole("button", { name: "Reply", exact: true })).toBeDisabled();
});

test("changes made while the connection is down appear when it is back", async ({
  page,
  context,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  for (const text of ["One", "Two", "Three"]) await reply(other, `${text} missed.`);
  await expect(page.locator("#post-2")).toHaveCount(0);
  await context.setOffline(false);
  for (const [number, text] of [
    [2, "One"],
    [3, "Two"],
    [4, "Three"],
  ] as const)
    await expect(page.locator(`#post-${number}`)).toContainText(`${text} missed.`);
  await expect(page.getByText("You're offline.")).toHaveCount(0);
  const texts = (it: Page) => it.getByRole("article").allInnerTexts();
  expect((await texts(page)).length).toBe((await texts(other)).length);
});

test("posts that arrive after a lost connection count as read only once visible", async ({
  page,
  context,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  const other = await together(page, another);
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  for (const text of ["One", "Two", "Three"])
    await reply(other, `${text} missed.${"\n\nAnd more.".repeat(30)}`);
  const seen = page.waitForRequest(
    (it) => it.url().endsWith("/seen") && new URLSearchParams(it.postData() ?? "").get("upTo") === "2",
  );
  await context.setOffline(false);
  await expect(page.locator("#post-4")).toContainText("Three missed.");
  await (await seen).response();
  await page.reload();
  await expect(page.locator("p:has-text('New since your last visit') + #post-3")).toContainText(
    "Two missed.",
  );
});

test("a page without a WebSocket connection still sends replies", async ({ page, signInAs }) => {
  await page.route(/EIO=4/, (route) => route.abort());
  await page.routeWebSocket(/EIO=4/, (socket) => socket.close());
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(uniqueName("Without a line"));
  await page.getByLabel("Text", { exact: true }).fill("It is quiet here.");
  await page.getByRole("button", { name: "Start discussion" }).click();
  await reply(page, "Still it works.");
  await expect(page.getByText("You're offline.")).toHaveCount(0);
});

test("a page's WebSocket address contains neither API key nor ticket", async ({ page, signInAs }) => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  page.on("websocket", (socket) => addresses.push(socket.url()));
  await signInAs("mira");
  await page.goto("/groups/chain-and-spoke");
  await expect(page.locator("[data-listening]")).toBeAttached();
  const sockets = addresses.filter((url) => url.includes("EIO="));
  expect(sockets.length).toBeGreaterThan(0);
  expect(sockets.filter((url) => /apiKey|userToken|ticket/i.test(url))).toEqual([]);
});

test("the real-time client is loaded after the page, and never for guests", async ({ page, signInAs }) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  expect(loaded.filter((url) => /after-hydration|EIO=/.test(url))).toEqual([]);
  await signInAs("mira");
  await page.goto("/groups");
  const html = await (await page.request.get("/groups")).text();
  expect(html).not.toContain("after-hydration");
  await expect.poll(() => loaded.some((url) => /after-hydration/.test(url))).toBe(true);
});

test("a group's list announces new posts and shows them on request", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  await page.goto("/groups/chain-and-spoke");
  const other = await another("tomas");
  await other.goto("/groups/chain-and-spoke/new");
  const title = uniqueName("A bent derailleur");
  await expect(page.locator("[data-listening]")).toBeAttached();
  await other.getByLabel("Title").fill(title);
  await other.getByLabel("Text", { exact: true }).fill("Straighten or replace?");
  await other.getByRole("button", { name: "Start discussion" }).click();
  const pill = page.getByRole("button", { name: "1 new post" });
  await expect(pill).toBeVisible();
  await expect(page.getByRole("main").getByText(title)).toHaveCount(0);
  await accessible();
  await pill.click();
  await expect(page.getByRole("main").getByText(title)).toBeVisible();
  await expect(pill).toHaveCount(0);
});

test("the home page announces new posts in the viewer's groups and shows them on request", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  await page.goto("/?tab=latest");
  const other = await another("tomas");
  await other.goto("/groups/long-beds/new");
  const title = uniqueName("A squeaking gate");
  await expect(page.locator("[data-listening]")).toBeAttached();
  await other.getByLabel("Title").fill(title);
  await other.getByLabel("Text", { exact: true }).fill("Oil, or a new hinge?");
  await other.getByRole("button", { name: "Start discussion" }).click();
  // Other tests may write in these groups too, so the notice may count more posts.
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(title);
  const pill = page.getByRole("button", { name: /^\d+ new posts?$/ });
  await expect(pill).toBeVisible();
  await expect(page.getByRole("main").getByText(title)).toHaveCount(0);
  await accessible();
  await pill.click();
  await expect(page.getByRole("main").getByText(title)).toBeVisible();
  await expect(pill).toHaveCount(0);
});

test("a message appears in the open conversation", async ({ page, signInAs, another }) => {
  await signInAs("mira");
  const text = uniqueName("Are the secateurs free");
  await page.goto("/messages");
  await followLink(page.getByRole("main").getByRole("link", { name: /Tomas/ }).first());
  await expect(page).toHaveURL(/conversations/);
  const other = await another("tomas");
  await other.goto(new URL(page.url()).pathname);
  await other.getByRole("textbox", { name: /message/i }).fill(text);
  await other.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("main").getByText(text)).toBeVisible();
});
