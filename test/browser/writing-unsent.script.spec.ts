import { expect, test } from "../support/browser/fixtures.ts";
import { startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a failed reply is listed once after a reload and no longer after it was sent", async ({
  page,
  signInAs,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("It broke"));
  const box = page.getByLabel("Your reply");
  const waiting = page.getByRole("list", { name: "Not sent yet" });
  await box.fill("Said once.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.route("**/replies", (route) => route.fulfill({ status: 500, body: "" }));
  await box.press("Control+Enter");
  await expect(waiting).toContainText("Something went wrong on the server. Your text is kept in this tab.");
  await page.reload();
  await expect(waiting).toContainText("Said once.");
  await expect(waiting).toContainText("Something went wrong on the server. Your text is kept in this tab.");
  await expect(box).toHaveValue("");
  await page.unroute("**/replies");
  await waiting.getByRole("button", { name: "Retry" }).click();
  await expect(page.locator("#post-2")).toContainText("Said once.");
  await expect(box).toHaveValue("");
  await page.reload();
  await expect(page.locator("#post-2")).toContainText("Said once.");
  await expect(box).toHaveValue("");
});

test("a failed and discarded reply does not return as a draft", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Better not"));
  const box = page.getByLabel("Your reply");
  await box.fill("Better not.");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.route("**/replies", (route) => route.fulfill({ status: 500, body: "" }));
  await box.press("Control+Enter");
  const dropped = page.waitForResponse(/\/drafts\/keep/);
  await page.getByRole("button", { name: "Discard" }).click();
  await dropped;
  await page.reload();
  await expect(box).toHaveValue("");
  await expect(page.getByRole("list", { name: "Not sent yet" })).toBeHidden();
});

test("a rate-limited reply shows when it can be sent, also after a reload", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Too early"));
  const refused = {
    reason: "too-many",
    message: "Let others speak. Please try again in 40 minutes.",
    fields: {},
    retryAfter: 2_400,
  };
  await page.route("**/replies", (route) => route.fulfill({ status: 429, json: { refused, typed: {} } }));
  await page.getByLabel("Your reply").fill("Once more.");
  await page.getByLabel("Your reply").press("Control+Enter");
  const waiting = page.getByRole("list", { name: "Not sent yet" });
  await expect(waiting).toContainText("Please try again in 40 minutes.");
  await page.reload();
  await expect(waiting).toContainText("You can send this in 40 minutes.");
  await accessible();
});

test("unsent text is neither sent nor shown for another person who signs in in the same browser", async ({
  page,
  context,
  signInAs,
  another,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Two at one machine"));
  const box = page.getByLabel("Your reply");
  await box.fill("Mira has begun");
  await expect(page.getByText("Draft saved")).toBeVisible();
  const tomas = await another("tomas");
  await context.addCookies(await tomas.context().cookies());
  await box.fill("Mira has begun to say it.");
  await expect(page.getByText("You are signed out, so this draft is not saved.")).toBeVisible();
  await box.press("Control+Enter");
  const waiting = page.getByRole("list", { name: "Not sent yet" });
  await expect(waiting).toContainText("You are signed out. Your text is kept in this tab");
  await page.reload();
  await expect(box).toHaveValue("");
  await expect(waiting).toBeHidden();
  await expect(page.getByText("Mira has begun")).toHaveCount(0);
  await signInAs("mira");
  await page.reload();
  await expect(waiting).toContainText("Mira has begun to say it.");
});
