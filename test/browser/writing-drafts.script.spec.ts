import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, startDiscussion, uniqueName } from "../support/browser/steps.ts";

/** The script that saves drafts. */
const KEEPER = /\/assets\/draft-sync-[^/]*\.js$/;

/** Delays the script that saves drafts until the returned function is called. */
async function heldBack(page: Page): Promise<() => void> {
  let bring = () => {};
  const released = new Promise<void>((resolve) => (bring = resolve));
  await page.route(KEEPER, async (route) => {
    await released;
    await route.continue();
  });
  return bring;
}

/** Waits for the response that confirms that this text was saved. */
const keeping = (page: Page, text: string) =>
  page.waitForResponse(
    (it) =>
      it.url().endsWith("/drafts/keep") &&
      new URLSearchParams(it.request().postData() ?? "").get("body") === text,
  );

test("sending a draft from one tab keeps the text written in another tab", async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Sent from one of two"));
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel("Your reply").fill("Short.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await other.getByLabel("Your reply").fill("A longer one, from the phone.");
  await other.getByRole("button", { name: "Keep this text" }).click();
  await expect(other.getByText("Draft saved")).toBeVisible();
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

test("a preview right after typing does not lose the latest text", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Looked at"));
  const box = page.getByLabel("Your reply");
  await box.fill("Begun");
  await expect(page.getByText("Draft saved")).toBeVisible();
  const saving = keeping(page, "Begun, and gone on with");
  await box.fill("Begun, and gone on with");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("gone on with");
  await saving;
  await page.reload();
  await expect(box).toHaveValue("Begun, and gone on with");
});

test("text is saved as a draft if the page is left right after typing", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Left at once"));
  const here = page.url();
  const saving = keeping(page, "I have to go");
  await page.getByLabel("Your reply").fill("I have to go");
  await followLink(page.getByRole("link", { name: "Drafts" }).first());
  await saving;
  await page.goto(here);
  await expect(page.getByLabel("Your reply")).toHaveValue("I have to go");
});

test("text is saved as a draft if the page is left before the draft code has loaded", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  const bring = await heldBack(page);
  await page.goto("/groups/chain-and-spoke/new");
  await page.getByLabel("Text", { exact: true }).fill("Left before anybody came");
  const saving = keeping(page, "Left before anybody came");
  await followLink(page.getByRole("link", { name: "Drafts" }).first());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Drafts");
  bring();
  await saving;
  await page.goto("/groups/chain-and-spoke/new");
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Left before anybody came");
  await page.getByLabel("Text", { exact: true }).fill("");
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("text sent before the draft code has loaded leaves no draft", async ({ page, signInAs }) => {
  await signInAs("mira");
  const bring = await heldBack(page);
  await page.goto("/groups/chain-and-spoke/new");
  const title = uniqueName("Sent before anybody came");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill("In a hurry.");
  const requests: string[] = [];
  page.on("request", (it) => it.url().endsWith("/drafts/keep") && requests.push(it.postData() ?? ""));
  // The save happens during the navigation.
  await page.route(/\/new\.data/, async (route) => {
    const come = page.waitForResponse(KEEPER);
    bring();
    await (await come).finished();
    await route.continue();
  });
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const next = keeping(page, "And one word more");
  await page.getByLabel("Your reply").fill("And one word more");
  await next;
  expect(requests.filter((it) => it.includes("hurry"))).toEqual([]);
  await page.getByLabel("Your reply").fill("");
});

test("a rejected text is saved as a draft if sent right after typing", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/resources/new?kind=document");
  await page.getByLabel("Title").fill("Of more tags than five");
  const saving = keeping(page, "Refused, and not lost");
  await page.getByLabel("Text", { exact: true }).fill("Refused, and not lost");
  await page.getByLabel("Tags").fill("one, two, three, four, five, six");
  await page.getByRole("button", { name: "Add to the library" }).click();
  await expect(page.getByText("Five tags at most.").first()).toBeVisible();
  await saving;
  await page.goto("/resources/new?kind=document");
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Refused, and not lost");
  await page.getByLabel("Tags").fill("one, two, three, four, five");
  await page.getByRole("button", { name: "Add to the library" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Of more tags than five");
});

test("a draft saved slowly does not conflict with the same writer's next save", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("On a slow line"));
  let requests = 0;
  await page.route("**/drafts/keep", async (route) => {
    requests += 1;
    const answer = await route.fetch();
    // The first save is stored, and its response arrives while the next save is under way.
    if (requests === 1) await new Promise((later) => setTimeout(later, 4_000));
    await route.fulfill({ response: answer }).catch(() => {});
  });
  const box = page.getByLabel("Your reply");
  const first = page.waitForRequest(/\/drafts\/keep/);
  await box.fill("Begun");
  await first;
  await box.fill("Begun, and gone on with");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await expect(page.getByText("You also edited this draft elsewhere.")).toBeHidden();
  await page.reload();
  await expect(box).toHaveValue("Begun, and gone on with");
});

test("tags and a poll are kept with their draft", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await page.goto("/groups/seed-library/new");
  const title = uniqueName("Which beans next");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill("There is room for two.");
  await page.locator("summary", { hasText: "Add a poll" }).click();
  await page.getByLabel("Options").fill("Runner\nBroad");
  await page.getByLabel("Votes", { exact: true }).selectOption("several");
  const saving = page.waitForRequest(
    (it) => it.url().endsWith("/drafts/keep") && /beans/.test(it.postData() ?? ""),
  );
  await page.getByLabel("Tags (optional)").fill("beans, seeds");
  await (await saving).response();
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(page.getByLabel("Options")).toHaveValue("Runner\nBroad");
  await expect(page.getByLabel("Votes", { exact: true })).toHaveValue("several");
  await expect(page.getByLabel("Tags (optional)")).toHaveValue("beans, seeds");
  await accessible();
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByRole("main").getByText("Runner")).toBeVisible();
  await page.goto("/groups/seed-library/new");
  await expect(page.getByLabel("Tags (optional)")).toHaveValue("");
});

test("tabs that differ only in tags cause no conflict: the latest tags are saved", async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs("mira");
  await page.goto("/groups/chain-and-spoke/new");
  const other = await context.newPage();
  await other.goto("/groups/chain-and-spoke/new");
  const words = { Title: uniqueName("Which bell"), Text: "It rings." };
  for (const [label, text] of Object.entries(words)) await page.getByLabel(label, { exact: true }).fill(text);
  await expect(page.getByText(/^Draft saved/)).toBeVisible();

  // All fields are filled at once, so that the other tab learns of the first draft by its response only.
  for (const [label, text] of Object.entries(words))
    await other
      .getByLabel(label, { exact: true })
      .evaluate((field, typed) => void ((field as HTMLInputElement).value = typed), text);
  await other.getByLabel("Tags (optional)").fill("bells");
  await expect(other.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Tags (optional)")).toHaveValue("bells");
  await page.goto("/drafts");
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: words.Title });
  await line.getByRole("button", { name: /^Delete draft: / }).click();
  await expect(line.getByRole("button", { name: /^Delete draft: / })).toHaveCount(0);
});

test("text typed offline is saved as a draft after reconnection", async ({ page, context, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("In a tunnel"));
  const box = page.getByLabel("Your reply");
  await box.fill("Before the tunnel");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await context.setOffline(true);
  await box.fill("In the tunnel");
  await expect(page.getByText("The draft could not be saved.")).toBeVisible();
  const saving = keeping(page, "In the tunnel");
  await context.setOffline(false);
  await saving;
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.reload();
  await expect(box).toHaveValue("In the tunnel");
});

test("a failed save of a draft is retried automatically", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("In bad shape"));
  await page.route("**/drafts/keep", (route) => route.fulfill({ status: 503, body: "" }));
  await page.getByLabel("Your reply").fill("Said to a wall");
  await expect(page.getByText("The draft could not be saved.")).toBeVisible();
  await page.unroute("**/drafts/keep");
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("conflicting texts of a draft are joined if the writer chooses neither", async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Left unanswered"));
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel("Your reply").fill("From the phone.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await other.getByLabel("Your reply").fill("From the table.");
  await expect(other.getByText("You also edited this draft elsewhere.")).toBeVisible();
  await other.getByLabel("Your reply").fill("From the table, and more.");
  const saving = keeping(other, "From the table, and more.");
  await followLink(other.getByRole("link", { name: "Drafts" }).first());
  await saving;
  await page.reload();
  await expect(page.getByLabel("Your reply")).toHaveValue("From the phone.\n\nFrom the table, and more.");
});

test("an unsaved edit is restored in its form and listed among the drafts", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("When to sow"), "Sow in May.");
  await page.getByLabel("More for post 1").click();
  await followLink(page.getByRole("link", { name: "Edit" }));
  await page.getByLabel("Your post").fill("Sow in May, under glass.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await followLink(page.getByRole("link", { name: "Drafts" }).first());
  await followLink(page.getByRole("main").getByRole("link", { name: "Edit of a post" }).first());
  await expect(page.getByText("Your unfinished edit is below.")).toBeVisible();
  await expect(page.getByLabel("Current text")).toHaveValue("Sow in May.");
  await expect(page.getByLabel("Your post")).toHaveValue("Sow in May, under glass.");
  await accessible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#post-1 .prose")).toHaveText("Sow in May, under glass.");
  await page.goto("/drafts");
  await expect(page.getByRole("main").getByText("Sow in May, under glass.")).toHaveCount(0);
});
