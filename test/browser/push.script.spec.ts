import { expect, test } from "../support/browser/fixtures.ts";
import { openSettings } from "../support/browser/registration-steps.ts";

test.use({ serviceWorkers: "allow" });

/** A browser whose push service answers at once, because tests have none. The test chooses the permission. */
const withMaker = (permission: NotificationPermission) => `
  const key = (size) => new Uint8Array(size).fill(4).buffer;
  let made = null;
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async () => (made = {
    endpoint: "https://push.example/" + Math.random().toString(36).slice(2),
    getKey: (name) => key(name === "auth" ? 16 : 65),
    unsubscribe: async () => { made = null; return true; },
  });
  Notification.requestPermission = async () => {
      window.permissionAsked = (window.permissionAsked ?? 0) + 1;
      return "${permission}";
    };
  Object.defineProperty(Notification, "permission", { get: () => "${permission}" });
`;

test("push is enabled by a button and hides names and content by default", async ({
  page,
  signInAs,
  accessible,
}) => {
  await page.addInitScript(withMaker("granted"));
  await signInAs("tomas");
  await openSettings(page, "Notifications");
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Browser notifications" }) });
  expect(await page.evaluate("window.permissionAsked")).toBeUndefined();
  await section.getByRole("button", { name: "Turn on push notifications in this browser" }).click();
  const here = section.getByRole("listitem").filter({ hasText: "This device" });
  await expect(here).toContainText("Shows only that there is a notification.");
  await expect(
    section.getByRole("button", { name: "Turn on push notifications in this browser" }),
  ).toHaveCount(0);
  await accessible();
  await here.getByRole("button", { name: "Show sender and content" }).click();
  await expect(here).toContainText("Shows sender and content.");
  await here.getByRole("button", { name: "Turn off" }).click();
  await expect(here).toHaveCount(0);
  await expect(
    section.getByRole("button", { name: "Turn on push notifications in this browser" }),
  ).toBeVisible();
});

test("a browser that blocks notifications gets an explanation of where to change that", async ({
  page,
  signInAs,
}) => {
  await page.addInitScript(withMaker("denied"));
  await signInAs("ines");
  await openSettings(page, "Notifications");
  await expect(page.getByText("Notifications are blocked in this browser.")).toBeVisible();
});

test("a page without network shows our own offline page", async ({ page, context, signInAs }) => {
  await page.addInitScript(withMaker("granted"));
  await signInAs("ada");
  await openSettings(page, "Notifications");
  await page.getByRole("button", { name: "Turn on push notifications in this browser" }).click();
  await expect(page.getByText("Shows only that there is a notification.").first()).toBeVisible();
  await context.setOffline(true);
  await page.goto("/groups/long-beds").catch(() => {});
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The Long Beds" })).toBeVisible();
});
