import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("only an admin sees devices, and creates, tests and deletes push templates", async ({
  page,
  signInAs,
  accessible,
}) => {
  const name = "frost scripted";
  const deviceId = "phone-scripted";
  const device = {
    deviceToken: `secret-${deviceId}`,
    deviceId,
    os: "IOS",
    osVersion: "17.4",
    channels: [name],
  };
  expect((await page.request.post("/api/messaging/registrations", { data: device })).status()).toBe(200);
  await signInAs("ada");
  await page.goto("/admin/programs");
  const main = page.getByRole("main");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Devices and push" }),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Devices and push");
  await expect(main.getByRole("listitem").filter({ hasText: name })).toContainText("1 device");
  await expect(main).toContainText("Not configured. Set APNS_KEY");
  await expect(main).not.toContainText("secret-");

  await main.getByLabel("Name", { exact: true }).fill(name);
  await main.getByLabel("Title", { exact: true }).fill("Garden");
  await main.getByLabel("Text", { exact: true }).fill("Frost, {who}!");
  await main.getByLabel("Headers").fill("no header");
  await main.getByRole("button", { name: "Create template" }).click();
  await expect(main.locator("#field-headers-fault")).toHaveText("Each line is a name, a colon and a text.");
  await expect(main.getByLabel("Text", { exact: true })).toHaveValue("Frost, {who}!");
  await main.getByLabel("Headers").fill("bed: 7");
  await main.getByRole("button", { name: "Create template" }).click();
  const line = main
    .getByRole("listitem")
    .filter({ hasText: "Garden: Frost, {who}!" })
    .filter({ hasText: name });
  await expect(line).toContainText("To all devices");
  await accessible();

  await followLink(main.getByRole("link", { name: `Edit ${name}` }));
  await expect(main.getByLabel("Headers")).toHaveValue("bed: 7");
  await main.getByLabel("Text", { exact: true }).fill("Thaw, {who}!");
  await main.getByRole("button", { name: "Save template" }).click();
  await expect(
    main.getByRole("listitem").filter({ hasText: "Garden: Thaw, {who}!" }).filter({ hasText: name }),
  ).toHaveCount(1);

  await main.getByLabel("Template", { exact: true }).selectOption(name);
  await main.getByLabel("Device ID").fill(deviceId);
  await main.getByRole("button", { name: "Send to device" }).click();
  await expect(main).toContainText("{who} is missing");
  await main.getByLabel("Placeholder values").fill("who: Mira");
  await main.getByRole("button", { name: "Send to device" }).click();
  await expect(page).toHaveURL(/tried=/);
  await expect(async () => {
    await page.reload();
    expect(await main.textContent()).toContain("Refused for 1 of 1 devices (ApnsIsNotSetUp).");
  }).toPass();
  await expect(main.getByRole("listitem").filter({ hasText: "apns: ApnsIsNotSetUp" })).toBeVisible();
  await accessible();

  await main.getByRole("button", { name: `Delete template ${name}` }).click();
  await expect(main.getByRole("link", { name: `Edit ${name}` })).toHaveCount(0);
  await page.context().clearCookies();
  expect((await page.goto("/admin/push"))?.status()).toBe(404);
  await signInAs("ines");
  expect((await page.goto("/admin/push"))?.status()).toBe(404);
});
