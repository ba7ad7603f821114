import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("only an admin sees and cancels scheduled messages", async ({ page, signInAs, accessible }) => {
  const channel = "greenhouse scripted";
  const later = {
    message: { text: "Open the windows" },
    publishAt: Date.now() + 3_600_000,
    repeatEvery: 60,
    repeatExpiresAt: Date.now() + 86_400_000,
  };
  expect(
    (await page.request.post(`/api/messaging/${encodeURIComponent(channel)}`, { data: later })).status(),
  ).toBe(200);
  await signInAs("ada");
  await page.goto("/admin");
  const navigation = page.getByRole("navigation", { name: "Administration" });
  await followLink(navigation.getByRole("link", { name: "Developers" }));
  const main = page.getByRole("main");
  await followLink(navigation.getByRole("link", { name: "Realtime channels" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Realtime channels");
  const line = main
    .getByRole("listitem")
    .filter({ hasText: "Open the windows" })
    .filter({ hasText: channel });
  await expect(line).toContainText("every 60 seconds");
  await accessible();
  await main.getByRole("button", { name: `Cancel message on ${channel}` }).click();
  await expect(line).toHaveCount(0);
  await main.getByRole("button", { name: `Delete channel ${channel}` }).click();
  await expect(main.getByText(channel)).toHaveCount(0);
  await accessible();

  await page.context().clearCookies();
  expect((await page.goto("/admin/messages"))?.status()).toBe(404);
  await signInAs("ines");
  expect((await page.goto("/admin/messages"))?.status()).toBe(404);
});
