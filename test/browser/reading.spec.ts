import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import {
  followLink,
  main,
  reply,
  startDiscussion,
  submitAndWait,
  uniqueName,
} from "../support/browser/steps.ts";

test("a guest navigates from the home page to a discussion", async ({ page, accessible }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Lindenhof Commons");
  await followLink(main(page).getByRole("link", { name: "The Long Beds" }).last());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Long Beds");
  // Other tests may have started discussions here meanwhile.
  await followLink(main(page).getByRole("link", { name: "Popular" }));
  await followLink(main(page).getByRole("link", { name: "What do we do about the water?" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What do we do about the water?");
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1);
  await accessible();
  // One navigation has the pages and the link that shows more posts.
  const pages = main(page).getByRole("navigation", { name: "Pages" });
  await followLink(pages.getByRole("link", { name: "Show the next 20 posts" }));
  await expect(pages.getByText("Pages 1 to 2 of 3")).toBeVisible();
  await followLink(pages.getByRole("link", { name: "Last page" }));
  await expect(pages.getByText("Page 3 of 3")).toBeVisible();
  await followLink(pages.getByRole("link", { name: "Previous page" }));
  await expect(pages.getByText("Page 2 of 3")).toBeVisible();
});

test("a member's discussion opens at the first unread post", async ({
  page,
  signInAs,
  javaScriptEnabled,
  another,
}) => {
  const title = uniqueName("Who has the long ladder?");
  await signInAs("tomas");
  await startDiscussion(page, title, "It is not in the shed.");
  const address = page.url();

  const mira = await another("mira");
  const seen = javaScriptEnabled ? mira.waitForResponse(/\/seen$/) : null;
  await mira.goto(address);
  await seen;
  await expect(mira.getByText("It is not in the shed.")).toBeVisible();
  await expect(mira.getByText("New since your last visit")).toHaveCount(0);

  // Leaves the open page, on which the reply would appear and be marked as read.
  await mira.goto("/rules");
  await reply(page, "Found it under the beans.");
  await mira.goto("/discussions");
  // With scripts, read positions are reported a moment later.
  const response = javaScriptEnabled ? mira.waitForResponse(/\/seen$/) : null;
  await followLink(main(mira).getByRole("link", { name: title }));
  await expect(mira).toHaveURL(/post=2#post-2$/);
  await expect(mira.getByText("New since your last visit")).toBeVisible();
  await expect(mira.locator("#post-2")).toBeInViewport();
  await response;
  await mira.goto("/discussions");
  await expect(main(mira).getByRole("link", { name: title })).not.toHaveAttribute("href", /post=/);
});

test(
  "a reader without unread posts gets related discussions",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail, another, accessible }) => {
    const hedge = uniqueName("Hedge").replace(" ", "");
    const mira = await another("mira");
    await startDiscussion(mira, `${hedge}: who cuts it?`);
    await startDiscussion(mira, `The birds of ${hedge}`);
    const near = mira.url();
    await startDiscussion(mira, `${hedge}: when?`);

    await registerMember(page, mail);
    await expect(page.getByRole("heading", { name: /^Because you read/ })).toHaveCount(0);
    const seen = page.waitForResponse(/\/seen(\?|$)/);
    await page.goto(mira.url());
    await seen;
    await page.goto("/");
    const because = page.getByRole("region", { name: `Because you read “\u2068${hedge}: when?\u2069”` });
    await expect(because.getByRole("listitem")).toHaveCount(2);
    await accessible();
    await followLink(because.getByRole("link", { name: `The birds of ${hedge}` }));
    await expect(page).toHaveURL(near);
  },
);

test("a member replies, edits and deletes the reply, and takes the deletion back", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Twelve jars of plum jam"), "Who takes two?");
  await accessible();
  await reply(page, "Two for me.");
  await expect(page.getByLabel("Your reply")).toHaveValue("");
  const mine = page.locator("#post-2");
  await mine.getByLabel("More for post 2").click();
  await followLink(mine.getByRole("link", { name: "Edit" }));
  await page.getByLabel("Your post").fill("Three for me.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#post-2")).toContainText("Three for me.");
  await page.locator("#post-2").getByLabel("More for post 2").click();
  await followLink(page.locator("#post-2").getByRole("link", { name: "Delete…" }));
  await page.locator("#post-2").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.locator("#post-2")).toContainText("Deleted by the author.");
  const notices = page.locator("#notices");
  await expect(notices).toContainText("Your post was deleted.");
  await notices.getByRole("button", { name: "Undo" }).click();
  await expect(notices).toContainText("Undone.");
  await expect(page.locator("#post-2")).toContainText("Three for me.");
});

test(
  "a member deletes their posts in a closed discussion",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another }) => {
    await signInAs("mira");
    await startDiscussion(page, uniqueName("Twelve jars, and a lock"), "Who takes two?", "chain-and-spoke");
    await reply(page, "Two for me.");
    const here = page.url().replace(/[?#].*/, "");
    const tomas = await another("tomas", { javaScriptEnabled: true });
    await tomas.goto(here);
    await tomas.getByLabel("More actions for this discussion").first().click();
    await tomas.getByText("Lock…").click();
    await tomas.getByRole("textbox", { name: "Reason" }).fill("All gone.");
    await tomas.getByRole("button", { name: "Lock discussion" }).click();
    await expect(tomas.getByText("This discussion is locked.").first()).toBeVisible();
    await page.goto(here);
    const mine = page.locator("#post-2");
    await mine.getByLabel("More for post 2").click();
    await expect(mine.getByRole("link", { name: "Edit" })).toHaveCount(0);
    await followLink(mine.getByRole("link", { name: "Delete…" }));
    await mine.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(mine).toContainText("Deleted by the author.");
  },
);

test(
  "a link to a deleted discussion shows that the discussion was deleted",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another }) => {
    await signInAs("tomas");
    await startDiscussion(page, uniqueName("Gone tomorrow"), "Here today.", "chain-and-spoke");
    const here = page.url().replace(/[?#].*/, "");
    await page.locator("#post-1").getByLabel("More for post 1").click();
    const post = (await page.locator('#post-1 a[href*="/posts/"]').first().getAttribute("href"))!.replace(
      /\?.*/,
      "",
    );
    await followLink(page.locator("#post-1").getByRole("link", { name: "Delete…" }));
    await submitAndWait(page, page.locator("#post-1").getByRole("button", { name: "Delete", exact: true }));
    const mira = await another("mira", { javaScriptEnabled: true });
    expect((await mira.goto(here))?.status()).toBe(410);
    await expect(mira.getByText("This discussion was deleted.")).toBeVisible();
    expect((await mira.goto(new URL(post, here).href))?.status()).toBe(410);
    const guest = await page.context().browser()!.newPage();
    await guest.goto(here);
    await expect(guest.getByText("Gone tomorrow")).toHaveCount(0);
    await guest.close();
  },
);

test("a rejected form keeps its text", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill("    ab    ");
  await page.getByLabel("Text", { exact: true }).fill("A text that took a while.");
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.getByText("The title needs 5 characters at least.").first()).toBeVisible();
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("A text that took a while.");
});

test("a person joins an open group and leaves it", async ({ page, signInAs }, { project }) => {
  const slug = project.name === "scripts" ? "blinking-things" : "many-tongues";
  await signInAs("ada");
  await page.goto(`/groups/${slug}`);
  await main(page).getByRole("button", { name: /^Join/ }).click();
  await expect(main(page).getByRole("link", { name: "New discussion" })).toBeVisible();
  await main(page)
    .getByLabel(/^Your role/)
    .click();
  await main(page).getByText("Leave group…").click();
  await main(page)
    .getByRole("button", { name: /^Leave/ })
    .click();
  await expect(main(page).getByRole("button", { name: /^Join/ })).toBeVisible();
});

test("a person asks to join a private group, and withdraws the request", async ({
  page,
  signInAs,
  accessible,
}, { project }) => {
  await signInAs(project.name === "scripts" ? "tomas" : "ada");
  await page.goto("/groups/linden-street");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Linden Street Tenants");
  await expect(
    page.getByRole("link", { name: "Discussions", exact: true }).and(page.locator("main *")),
  ).toHaveCount(0);
  await accessible();
  for (const field of await page.locator("#ask textarea").all()) await field.fill("Number 18, and the bell.");
  await page.locator("#ask").getByRole("button", { name: "Request to join" }).click();
  await expect(page.getByText("Your join request was sent.")).toBeVisible();
  await main(page)
    .getByRole("button", { name: /^Withdraw/ })
    .click();
  await expect(page.locator("#ask")).toBeVisible();
});

test("a group is created", async ({ page, signInAs, accessible }) => {
  const name = uniqueName("Night owls");
  await signInAs("tomas");
  await page.goto("/groups/new");
  await accessible();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Purpose").fill("Listening to owls together.");
  await page.getByLabel("Private").check();
  await page.getByLabel("By request").check();
  await page.getByLabel("Rules (optional)").fill("No torches.\nNo dogs.");
  await page.getByLabel("Moss").check();
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await followLink(main(page).getByRole("link", { name: "About", exact: true }));
  await expect(page.getByText("No torches.")).toBeVisible();
  await accessible();
});

test("a secret group returns 404 to a stranger", { tag: JAVASCRIPT_ONLY }, async ({ page, signInAs }) => {
  await signInAs("ada");
  const secret = await page.goto("/groups/eighty-candles");
  const itsWords = await main(page).innerText();
  const absent = await page.goto("/groups/never-was-there");
  expect([secret?.status(), absent?.status()]).toEqual([404, 404]);
  expect(itsWords).toBe(await main(page).innerText());
  expect(itsWords).not.toMatch(/candle/i);
});

test("a members' discussion asks a guest to sign in without showing its title", async ({
  page,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  await page.goto("/groups/linden-street");
  await main(page).locator("li[data-item] h3 a").first().click();
  await expect(page.getByRole("article").first()).toBeVisible();
  const title = await page.getByRole("heading", { level: 1 }).innerText();
  const guest = await another(undefined, { javaScriptEnabled: false });
  const answer = await guest.goto(page.url());
  expect(answer?.status()).toBe(401);
  await expect(main(guest).getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await guest.content()).not.toContain(title);
  await guest.context().close();
});

for (const path of [
  "/rules",
  "/privacy",
  "/about",
  "/discussions",
  "/search?q=water",
  "/search?q=%F0%9F%90%8C",
]) {
  test(`a guest finds ${path}`, async ({ page, accessible }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await accessible();
  });
}
