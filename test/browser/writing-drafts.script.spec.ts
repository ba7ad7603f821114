import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { awake, startDiscussion, unique } from "./steps.ts";

/** The part of the page that keeps drafts. */
const KEEPER = /\/assets\/draft-sync-[^/]*\.js$/;

/** That part comes when it is told to. */
async function heldBack(page: Page): Promise<() => void> {
  let bring = () => {};
  const told = new Promise<void>((tell) => (bring = tell));
  await page.route(KEEPER, async (route) => {
    await told;
    await route.continue();
  });
  return bring;
}

/** A text has been kept: the answer is there. */
const keeping = (page: Page, text: string) =>
  page.waitForResponse(
    (it) => it.url().endsWith("/drafts/keep") && new URLSearchParams(it.request().postData() ?? "").get("body") === text,
  );

test("what is sent from one tab leaves what another has written meanwhile", async ({ page, context, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Sent from one of two"));
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel("Your reply").fill("Short.");
  await expect(page.getByText("Draft kept")).toBeVisible();
  await other.getByLabel("Your reply").fill("A longer one, from the phone.");
  await other.getByRole("button", { name: "Keep what stands here" }).click();
  await expect(other.getByText("Draft kept")).toBeVisible();
  await page.getByLabel("Your reply").press("Control+Enter");
  await expect(page.locator("#post-2")).toContainText("Short.");
  await other.reload();
  await expect(other.getByLabel("Your reply")).toHaveValue("A longer one, from the phone.");
  await other.getByLabel("Your reply").press("End");
  await other.getByLabel("Your reply").pressSequentially(" It ends here.");
  await other.getByLabel("Your reply").press("Control+Enter");
  await expect(other.locator("#post-3")).toContainText("It ends here.");
  await other.reload();
  await expect(other.getByLabel("Your reply")).toHaveValue("");
});

test("a text that is looked at right after it was typed is kept as it stands", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Looked at"));
  const box = page.getByLabel("Your reply");
  await box.fill("Begun");
  await expect(page.getByText("Draft kept")).toBeVisible();
  const kept = keeping(page, "Begun, and gone on with");
  await box.fill("Begun, and gone on with");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("gone on with");
  await kept;
  await page.reload();
  await expect(box).toHaveValue("Begun, and gone on with");
});

test("a text that is left right after it was typed is kept", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Left at once"));
  const here = page.url();
  const kept = keeping(page, "I have to go");
  await page.getByLabel("Your reply").fill("I have to go");
  await page.getByRole("link", { name: "Drafts" }).first().click();
  await kept;
  await page.goto(here);
  await expect(page.getByLabel("Your reply")).toHaveValue("I have to go");
});

test("a text that is left before what keeps it has come is kept", async ({ page, signInAs }) => {
  await signInAs("mira");
  const bring = await heldBack(page);
  await page.goto("/groups/chain-and-spoke/new");
  await awake(page);
  await page.getByLabel("Text", { exact: true }).fill("Left before anybody came");
  const kept = keeping(page, "Left before anybody came");
  await page.getByRole("link", { name: "Drafts" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Drafts");
  bring();
  await kept;
  await page.goto("/groups/chain-and-spoke/new");
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Left before anybody came");
  await page.getByLabel("Text", { exact: true }).fill("");
  await expect(page.getByText("Draft kept")).toBeVisible();
});

test("a text that is sent before what keeps it has come is no draft", async ({ page, signInAs }) => {
  await signInAs("mira");
  const bring = await heldBack(page);
  await page.goto("/groups/chain-and-spoke/new");
  await awake(page);
  const title = unique("Sent before anybody came");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill("In a hurry.");
  const asked: string[] = [];
  page.on("request", (it) => it.url().endsWith("/drafts/keep") && asked.push(it.postData() ?? ""));
  // What keeps it comes while it is on its way.
  await page.route(/\/new\.data/, async (route) => {
    const come = page.waitForResponse(KEEPER);
    bring();
    await (await come).finished();
    await route.continue();
  });
  await page.getByRole("button", { name: "Start the discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const next = keeping(page, "And one word more");
  await page.getByLabel("Your reply").fill("And one word more");
  await next;
  expect(asked.filter((it) => it.includes("hurry"))).toEqual([]);
  await page.getByLabel("Your reply").fill("");
});

test("a text that is sent right after it was typed, and refused, is kept", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/resources/new?kind=document");
  await page.getByLabel("Title").fill("Of more tags than five");
  const kept = keeping(page, "Refused, and not lost");
  await page.getByLabel("Text", { exact: true }).fill("Refused, and not lost");
  await page.getByLabel("Tags").fill("one, two, three, four, five, six");
  await page.getByRole("button", { name: "Add to the library" }).click();
  await expect(page.getByText("Five tags at most.").first()).toBeVisible();
  await kept;
  await page.goto("/resources/new?kind=document");
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Refused, and not lost");
  await page.getByLabel("Tags").fill("one, two, three, four, five");
  await page.getByRole("button", { name: "Add to the library" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Of more tags than five");
});

test("one's own text on a slow line is nobody else's", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("On a slow line"));
  let asked = 0;
  await page.route("**/drafts/keep", async (route) => {
    asked += 1;
    const answer = await route.fetch();
    // The first is stored, and its answer comes when the next is on its way already.
    if (asked === 1) await new Promise((later) => setTimeout(later, 4_000));
    await route.fulfill({ response: answer }).catch(() => {});
  });
  const box = page.getByLabel("Your reply");
  const first = page.waitForRequest(/\/drafts\/keep/);
  await box.fill("Begun");
  await first;
  await box.fill("Begun, and gone on with");
  await expect(page.getByText("Draft kept")).toBeVisible();
  await expect(page.getByText("You have been writing this in another place too.")).toBeHidden();
  await page.reload();
  await expect(box).toHaveValue("Begun, and gone on with");
});

test("tags and a poll that were begun with a text are kept with it", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await page.goto("/groups/seed-library/new");
  const title = unique("Which beans next");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill("There is room for two.");
  await page.locator("summary", { hasText: "Add a poll" }).click();
  await page.getByLabel("Options").fill("Runner\nBroad");
  await page.getByLabel("Everybody chooses").selectOption("several");
  const kept = page.waitForRequest((it) => it.url().endsWith("/drafts/keep") && /beans/.test(it.postData() ?? ""));
  await page.getByLabel("Tags (optional)").fill("beans, seeds");
  await (await kept).response();
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(page.getByLabel("Options")).toHaveValue("Runner\nBroad");
  await expect(page.getByLabel("Everybody chooses")).toHaveValue("several");
  await expect(page.getByLabel("Tags (optional)")).toHaveValue("beans, seeds");
  await accessible();
  await page.getByRole("button", { name: "Start the discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByRole("main").getByText("Runner")).toBeVisible();
  await page.goto("/groups/seed-library/new");
  await expect(page.getByLabel("Tags (optional)")).toHaveValue("");
});

test("the same text with other tags, from two tabs, asks nobody: what was typed last is kept", async ({ page, context, signInAs }) => {
  await signInAs("mira");
  await page.goto("/groups/chain-and-spoke/new");
  const other = await context.newPage();
  await other.goto("/groups/chain-and-spoke/new");
  await awake(other);
  const words = { Title: unique("Which bell"), Text: "It rings." };
  for (const [label, text] of Object.entries(words)) await page.getByLabel(label, { exact: true }).fill(text);
  await expect(page.getByText(/^Draft kept/)).toBeVisible();

  // All of it at once, so that the other tab learns of the first draft by its answer only.
  for (const [label, text] of Object.entries(words))
    await other.getByLabel(label, { exact: true }).evaluate((field, typed) => void ((field as HTMLInputElement).value = typed), text);
  await other.getByLabel("Tags (optional)").fill("bells");
  await expect(other.getByText(/^Draft kept/)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Tags (optional)")).toHaveValue("bells");
  await page.getByLabel("Title").fill("");
  await page.getByLabel("Text", { exact: true }).fill("");
});

test("what was typed without a network is kept as soon as there is one", async ({ page, context, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("In a tunnel"));
  const box = page.getByLabel("Your reply");
  await box.fill("Before the tunnel");
  await expect(page.getByText("Draft kept")).toBeVisible();
  await context.setOffline(true);
  await box.fill("In the tunnel");
  await expect(page.getByText("The draft could not be kept just now.")).toBeVisible();
  const kept = keeping(page, "In the tunnel");
  await context.setOffline(false);
  await kept;
  await expect(page.getByText("Draft kept")).toBeVisible();
  await page.reload();
  await expect(box).toHaveValue("In the tunnel");
});

test("what could not be kept is tried again by itself", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("In bad shape"));
  await page.route("**/drafts/keep", (route) => route.fulfill({ status: 503, body: "" }));
  await page.getByLabel("Your reply").fill("Said to a wall");
  await expect(page.getByText("The draft could not be kept just now.")).toBeVisible();
  await page.unroute("**/drafts/keep");
  await expect(page.getByText("Draft kept")).toBeVisible();
});

test("what is left without a choice between two texts is kept behind the other", async ({ page, context, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("Left unanswered"));
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel("Your reply").fill("From the phone.");
  await expect(page.getByText("Draft kept")).toBeVisible();
  await other.getByLabel("Your reply").fill("From the table.");
  await expect(other.getByText("You have been writing this in another place too.")).toBeVisible();
  await other.getByLabel("Your reply").fill("From the table, and more.");
  const kept = keeping(other, "From the table, and more.");
  await other.getByRole("link", { name: "Drafts" }).first().click();
  await kept;
  await page.reload();
  await expect(page.getByLabel("Your reply")).toHaveValue("From the phone.\n\nFrom the table, and more.");
});

test("a change that was not saved waits where it was begun, and among the drafts", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await startDiscussion(page, unique("When to sow"), "Sow in May.");
  await page.getByLabel("More for post 1").click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Your post").fill("Sow in May, under glass.");
  await expect(page.getByText("Draft kept")).toBeVisible();
  await page.getByRole("link", { name: "Drafts" }).first().click();
  await page.getByRole("main").getByRole("link", { name: "A change of a post" }).first().click();
  await expect(page.getByText("You began to change this before, and what you wrote stands below.")).toBeVisible();
  await expect(page.getByLabel("What stands here now")).toHaveValue("Sow in May.");
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in May, under glass.");
  await accessible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#post-1 .prose")).toHaveText("Sow in May, under glass.");
  await page.goto("/drafts");
  await expect(page.getByRole("main").getByText("Sow in May, under glass.")).toHaveCount(0);
});
