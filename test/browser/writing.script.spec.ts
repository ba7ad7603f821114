import { expect, test } from "../support/browser/fixtures.ts";
import { followLink, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a mention is suggested while typing, chosen by keyboard, and links to the person", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(uniqueName("Who waters on Sunday"));
  const text = page.getByLabel("Text", { exact: true });
  await text.pressSequentially("Could @tom");
  const list = page.getByRole("listbox", { name: "Mention someone" });
  await expect(list.getByRole("option")).toContainText(["@tomas"]);
  await expect(text).toHaveAttribute("aria-activedescendant", /.+/);
  await accessible();
  await text.press("Escape");
  await expect(list).toBeHidden();
  await text.pressSequentially("a");
  await expect(list.getByRole("option", { selected: true })).toContainText("@tomas");
  // Safari ends a word of an input method with an Enter that differs from a real one only by its key code.
  await text.evaluate((field) => {
    const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    field.dispatchEvent(Object.defineProperty(enter, "keyCode", { value: 229 }));
  });
  await expect(text).toHaveValue("Could @toma");
  await text.press("Enter");
  await expect(text).toHaveValue("Could @tomas ");
  await expect(list).toBeHidden();
  await text.pressSequentially("or @nobody-here do it?");
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.locator("#post-1").getByRole("link", { name: "@tomas" })).toHaveAttribute(
    "href",
    /^\/users\/[0-9a-f-]{36}$/,
  );
  await expect(page.getByText("Not notified: @nobody-here.")).toBeVisible();
  await accessible();
});

test("replies appear at once and in order, and are stored once despite lost responses", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Over a bad line"));
  let requests = 0;
  await page.route("**/replies", async (route) => {
    requests += 1;
    if (requests % 3 === 1) {
      await route.fetch();
      await route.abort();
    } else await route.continue();
  });
  const box = page.getByLabel("Your reply");
  for (const words of ["One", "Two", "Three"]) {
    await box.fill(words);
    await box.press("Control+Enter");
    await expect(box).toHaveValue("");
  }
  await expect(page.getByRole("list", { name: "Not sent yet" })).toContainText("Three");
  await expect(page.getByRole("list", { name: "Not sent yet" })).toBeHidden();
  await expect(page.getByRole("article")).toHaveCount(4);
  for (const [at, words] of ["One", "Two", "Three"].entries())
    await expect(page.locator(`#post-${at + 2}`)).toContainText(words);
  await expect(box).toBeFocused();
});

test("a failed reply survives a reload and can be sent again", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Signed out meanwhile"));
  const cookies = await page.context().cookies();
  await page.getByLabel("Your reply").fill("These words must not go.");
  // Signs out last, because any update would render the page for a signed-out reader, without the form.
  await page.context().clearCookies({ name: "kith_session" });
  await page.getByRole("button", { name: "Reply", exact: true }).last().click();
  const waiting = page.getByRole("list", { name: "Not sent yet" });
  await expect(waiting).toContainText("You are signed out. Your text is kept in this tab");
  await accessible();
  await page.context().addCookies(cookies);
  await page.reload();
  await expect(waiting).toContainText("These words must not go.");
  await expect(waiting).toContainText("You were signed out when you sent this.");
  await waiting.getByRole("button", { name: "Retry" }).click();
  await expect(page.locator("#post-2")).toContainText("These words must not go.");
  await expect(waiting).toBeHidden();
  expect(complaints.filter((it) => !it.includes("401"))).toEqual([]);
});

test("a draft edited in two tabs asks the writer to choose the text", async ({
  page,
  context,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("In two tabs"));
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel("Your reply").fill("From the first tab.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await other.getByLabel("Your reply").fill("From the second.");
  await expect(other.getByText("You also edited this draft elsewhere.")).toBeVisible();
  await expect(other.getByLabel("Saved elsewhere")).toHaveValue("From the first tab.");
  await other.getByRole("button", { name: "Combine both" }).click();
  await expect(other.getByLabel("Your reply")).toHaveValue("From the first tab.\n\nFrom the second.");
  await expect(other.getByText("Draft saved")).toBeVisible();
  await other.close();
  await page.reload();
  await expect(page.getByLabel("Your reply")).toHaveValue("From the first tab.\n\nFrom the second.");
  await accessible();
});

test("a writer sees a notice of new posts and can show them without losing text", async ({
  page,
  signInAs,
  another,
}) => {
  // With a socket the reply would appear on its own.
  await page.route(/[?&]EIO=/, (route) => route.abort());
  await page.routeWebSocket(/[?&]EIO=/, (socket) => socket.close());
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Meanwhile"));
  const tomas = await another("tomas", { javaScriptEnabled: false });
  await tomas.goto(page.url());
  await tomas.getByLabel("Your reply").fill("I was quicker.");
  await tomas.getByRole("button", { name: "Reply", exact: true }).last().click();
  await expect(tomas.locator("#post-2")).toContainText("I was quicker.");
  await page.getByLabel("Your reply").fill("While I was still thinking");
  await expect(page.getByText("Tomas Varga replied while you wrote.")).toBeVisible();
  await followLink(page.getByRole("link", { name: "Show", exact: true }));
  await expect(page.locator("#post-2")).toContainText("I was quicker.");
  await expect(page.getByLabel("Your reply")).toHaveValue("While I was still thinking");
});

test("selected text becomes a quote in the reply, which links to the quoted post", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Word for word"), "To begin with.");
  await page.locator("#post-1 .prose p").selectText();
  await page.getByRole("button", { name: "Quote", exact: true }).click();
  await expect(page.getByLabel("Your reply")).toHaveValue("> To begin with.\n\n");
  await expect(page.getByText("Reply to Mira")).toBeVisible();
  await page.getByLabel("Your reply").pressSequentially("Quite so.");
  await page.getByLabel("Your reply").press("Control+Enter");
  const answer = page.locator("#post-2");
  await expect(answer.locator("blockquote")).toHaveText("To begin with.");
  await answer.getByText("Reply to Mira").click();
  await expect(answer.getByRole("link", { name: "Go to post 1" })).toBeVisible();
  await accessible();
});

test("similar discussions are shown while a title is typed", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill("What about the water in the beds");
  await expect(page.getByRole("link", { name: "What do we do about the water?" }).last()).toBeVisible();
  await expect(page.getByText("Similar discussions:")).toBeVisible();
  await accessible();
});

test("a new message is saved as a draft while it is written, even without a recipient", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await page.goto("/messages");
  await page.locator("summary", { hasText: "New message" }).click();
  await page.getByLabel("To", { exact: true }).fill("tomas, ines");
  const words = uniqueName("Dear neighbours");
  await page.getByLabel("Message", { exact: true }).fill(words);
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await page.locator("summary", { hasText: "New message" }).click();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(words);
  await expect(page.getByLabel("To", { exact: true })).toHaveValue("tomas, ines");
  await page.getByLabel("Message", { exact: true }).fill("");
  await expect(page.getByText(/^Draft saved/)).toHaveCount(0);
});

test("posts of later pages do not count as written meanwhile", async ({ page, signInAs }) => {
  await signInAs("tomas");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(page.getByRole("main").getByRole("link", { name: "What do we do about the water?" }));
  await page.goto(`${page.url().split(/[?#]/)[0]}?page=1`);
  const reply = page.getByLabel("Your reply");
  await reply.fill("About the first page.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await expect(page.getByText("while you wrote")).toBeHidden();
  await reply.fill("");
});
