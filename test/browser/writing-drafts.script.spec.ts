import { expect, test } from "./fixtures.ts";
import { startDiscussion, unique } from "./steps.ts";

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
