import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("an admin creates a webhook, copies its secret, sends a test, reads the log, pauses and deletes it", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  const name = javaScriptEnabled ? "Scripted chat" : "Plain chat";
  await signInAs("ada");
  await page.goto("/admin/webhooks");
  const main = page.getByRole("main");
  await main.getByLabel("Name").fill(name);
  await main.getByLabel("Address").fill("https://127.0.0.1/hook");
  await main.getByRole("button", { name: "Create webhook" }).click();
  await expect(main.getByText("Choose at least one event.").first()).toBeVisible();
  await expect(main.getByLabel("Name")).toHaveValue(name);
  await main.getByLabel("Discussion started").check();
  await main.getByRole("button", { name: "Create webhook" }).click();
  await expect(main.locator("[data-secret]")).toHaveText(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await accessible();

  await followLink(main.getByRole("link", { name }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(main.locator("[data-secret]")).toHaveCount(0);
  await main.getByRole("button", { name: "Send test" }).click();
  await expect(main.getByText("The test is on its way.")).toBeVisible();
  // Discussions that other tests start are deliveries too.
  const row = main
    .getByRole("list", { name: "Deliveries" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: "Test", exact: true }) });
  // The sender looks for deliveries each second.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("The address is not public.", { timeout: 500 });
  }).toPass();
  await followLink(row.getByRole("link", { name: "Test" }));
  await expect(main.getByRole("region", { name: "Request" })).toContainText("This is a test.");
  await accessible();
  await main.getByRole("button", { name: "Pause" }).click();
  await expect(main.getByText("What happens during the pause is not sent, even later.")).toBeVisible();
  await main.getByLabel("State").selectOption("Delivered");
  await main.getByRole("button", { name: "Filter" }).click();
  await expect(main.getByText("No deliveries match.")).toBeVisible();
  await main.locator("summary", { hasText: "Delete webhook" }).click();
  await main.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhooks");
  await expect(main.getByRole("link", { name })).toHaveCount(0);
});
