import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink, uniqueName } from "../support/browser/steps.ts";
import { openOtherPerson } from "../support/browser/other-person.ts";

test(
  "a mention appears among the notifications with its reason, and opening it marks it as read",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, browser, baseURL, signInAs, accessible }) => {
    await signInAs("mira");
    const tomas = await openOtherPerson(browser, "tomas", baseURL!);
    const title = uniqueName("Where is the ladder");
    const id = await tomas.starts("repair-evening", title);
    await tomas.replies(id, "You had it last, @mira?");
    const line = page.getByRole("listitem").filter({ hasText: title });
    // An event handler creates the notification a moment after the post.
    await expect(async () => {
      await page.goto("/notifications");
      await expect(line).toBeVisible({ timeout: 500 });
    }).toPass();
    await expect(line).toContainText(/Tomas Varga\S? mentioned you in/);
    await expect(line).toContainText("Mention");
    await accessible();
    await page.goto("/notifications?tab=mentions");
    await expect(line).toBeVisible();
    await followLink(line.getByRole("link", { name: title }).first());
    await expect(page).toHaveURL(new RegExp(`/discussions/${id}\\?post=2#post-2$`));
    await page.goto("/notifications?tab=unread");
    await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
    await expect(line).toHaveCount(0);
  },
);

test("a notification is marked as unread and read, and its discussion muted, from its menu", async ({
  page,
  browser,
  baseURL,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  const tomas = await openOtherPerson(browser, "tomas", baseURL!);
  const title = uniqueName("Who has the key");
  const id = await tomas.starts("repair-evening", title);
  await tomas.replies(id, "Is it you, @mira?");
  const line = page.getByRole("listitem").filter({ hasText: title });
  await expect(async () => {
    await page.goto("/notifications?tab=unread");
    await expect(line).toBeVisible({ timeout: 500 });
  }).toPass();
  const menu = line.getByRole("button", { name: /^Actions: / });
  await menu.click();
  await accessible();
  await line.getByRole("button", { name: "Mark as read" }).click();
  await expect(line).toHaveCount(0);
  await page.goto("/notifications");
  await menu.click();
  await line.getByRole("button", { name: "Mark as unread" }).click();
  await expect(line.getByText("(unread)")).toBeAttached();
  await menu.click();
  await line.getByRole("button", { name: "Mute discussion" }).click();
  await expect(line.getByText("(unread)")).toHaveCount(0);
  await followLink(line.getByRole("link", { name: /^Settings/ }));
  await expect(page).toHaveURL(/\/users\/settings\/[0-9a-f-]+\/notifications#notify-mention$/);
  const followed = page.getByRole("listitem").filter({ hasText: title });
  await followed.getByRole("button", { name: `Unmute: ${title}` }).click();
  await expect(followed).toHaveCount(0);
  await page.getByRole("main").getByRole("button", { name: "Undo" }).click();
  await expect(followed).toContainText("Muted");
});

test("a changed notification setting is saved at once; without scripts a button saves it", async ({
  page,
  signInAs,
  javaScriptEnabled,
}) => {
  const save = async (button: string) => {
    const shown = page.getByRole("button", { name: button, exact: true });
    if (javaScriptEnabled) await expect(shown).toHaveCount(0);
    else await shown.click();
  };
  // Both browser projects use the same server, so each has its own person.
  await signInAs(javaScriptEnabled ? "ines" : "luka");
  await signInAs("ines");
  await page.goto("/notifications");
  await followLink(page.getByRole("link", { name: "Notification settings" }));
  const box = page.getByRole("checkbox", { name: "Reactions to your posts: Push" });
  const saved = page.locator("#notify").getByRole("status").filter({ hasText: "Saved" });
  await expect(box).not.toBeChecked();
  await box.check();
  await save("Save notifications");
  await expect(saved).toBeVisible();
  await page.reload();
  await expect(box).toBeChecked();
  await box.uncheck();
  await save("Save notifications");
  await expect(saved).toBeVisible();
  await page.reload();
  await expect(box).not.toBeChecked();

  const invitations = page.getByRole("checkbox", { name: "Group invitations: Push" });
  await expect(invitations).toBeHidden();
  await page.getByText("Friends and groups").click();
  await expect(invitations).toBeChecked();
  await page.getByLabel("No email").check();
  await save("Save");
  await expect(page.locator("#mail").getByRole("status")).toContainText("Saved");
  await page.reload();
  await expect(page.getByLabel("No email")).toBeChecked();
});

test(
  "quick changes of notification settings are all saved in order",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("tomas");
    await page.goto("/notifications");
    await followLink(page.getByRole("link", { name: "Notification settings" }));
    const kinds = ["Replies to you", "Messages", "Reactions to your posts"];
    const boxes = kinds.map((kind) => page.getByRole("checkbox", { name: `${kind}: On the site` }));
    for (const box of boxes) await box.uncheck();
    for (const box of boxes.slice(0, 2)) await box.check();
    await expect(page.locator("#notify").getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
    await page.reload();
    expect(await Promise.all(boxes.map((box) => box.isChecked()))).toEqual([true, true, false]);
  },
);

test(
  "invalid quiet hours are explained",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("ines");
    await page.goto("/notifications");
    await followLink(page.getByRole("link", { name: "Notification settings" }));
    const quiet = page.locator("#quiet");
    await quiet.getByLabel("From").fill("22:00");
    await quiet.getByLabel("Until").fill("");
    await page.getByRole("button", { name: "Save quiet hours" }).click();
    await expect(quiet.getByText("Enter both times, or neither.").first()).toBeVisible();
    await accessible();
    await quiet.getByLabel("From").fill("22:00");
    await quiet.getByLabel("Until").fill("07:00");
    await page.getByRole("button", { name: "Save quiet hours" }).click();
    await expect(page).toHaveURL(/saved=quiet#quiet$/);
    await expect(quiet.getByLabel("Until")).toHaveValue("07:00");
  },
);
