import { expect, test } from "../support/browser/fixtures.ts";
import {
  followLink,
  startDiscussion,
  uniqueName,
  waitForFormResponse,
  waitForHydration,
} from "../support/browser/steps.ts";

test("a reaction shows at once and is stored", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Frost tonight"), "Cover the courgettes.");
  const post = page.locator("#post-1");
  // The response is held back: the page shows the action, not the server's result.
  let letGo = () => {};
  const released = new Promise<void>((resolve) => (letGo = resolve));
  await page.route("**/*.data*", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  await post.getByLabel("React to post 1").click();
  const response = waitForFormResponse(page);
  await post.getByRole("button", { name: "Thank you" }).click();
  await expect(post.getByRole("button", { pressed: true })).toContainText("1");
  letGo();
  await response;
  await page.reload();
  await post.getByRole("button", { pressed: true }).click();
  await expect(post.getByRole("button", { pressed: true })).toHaveCount(0);
});

test("text is saved as a draft, even if typed before hydration", async ({ page, signInAs }) => {
  await signInAs("mira");
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  await page.route("**/assets/entry.client-*.js", async (route) => {
    await asleep;
    await route.continue();
  });
  await page.goto("/groups/repair-evening/new", { waitUntil: "commit" });
  await page.getByLabel("Text", { exact: true }).fill("A lamp that hums in B flat.");
  wake();
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("A lamp that hums in B flat.");
});

test("text typed into a long field before hydration is kept", async ({ page, signInAs }) => {
  await signInAs("ada");
  await page.goto("/admin/settings");
  const words = await page.getByRole("textbox", { name: "Rules" }).inputValue();
  expect(words).not.toBe("");
  let wake = () => {};
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  await page.route("**/assets/entry.client-*.js", async (route) => {
    await asleep;
    await route.continue();
  });
  await page.goto("/admin/settings", { waitUntil: "commit" });
  await page.getByRole("textbox", { name: "Rules" }).fill("Be kind, and close the gate.");
  wake();
  await waitForHydration(page);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox", { name: "Rules" })).toHaveValue("Be kind, and close the gate.");
});

test("the summary of a group's access changes with the selected options", async ({ page, signInAs }) => {
  await signInAs("tomas");
  await page.goto("/groups/new");
  await page.getByLabel("Private").check();
  await page.getByLabel("By request").check();
  await expect(
    page.getByText("Anyone can find it; only members can read it; you approve join requests."),
  ).toBeVisible();
  await page.getByLabel("Secret").check();
  await expect(page.getByLabel("Invite only")).toBeChecked();
  await expect(page.getByLabel("By request")).toBeDisabled();
});

test("shortcuts move between posts, and can be switched off", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(page.locator("main").getByRole("link", { name: "What do we do about the water?" }));
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.locator("article:focus")).toHaveCount(1);
  await page.keyboard.press("r");
  await expect(page.getByLabel("Your reply")).toBeFocused();
  // The field gets the focus again when the page shows which post is replied to.
  await expect(
    page.getByRole("region", { name: "Reply" }).getByRole("link", { name: "Reply to discussion" }),
  ).toBeVisible();
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("r");
  await expect(page.getByLabel("Your reply")).not.toBeFocused();
});
