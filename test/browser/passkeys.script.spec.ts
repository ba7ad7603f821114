import { spawn } from "node:child_process";
import { once } from "node:events";
import { TOTP } from "otpauth";
import type { Page } from "@playwright/test";
import { DEMO_PASSWORD } from "../../src/app/secrets.ts";
import { findFreePort } from "../support/setup/free-port.ts";
import { expect, test as base } from "../support/browser/fixtures.ts";
import { openSettings } from "../support/browser/registration-steps.ts";
import { clickButton, followLink, main } from "../support/browser/steps.ts";

/** Browsers create passkeys for host names only: a separate server called localhost. */
const test = base.extend<object, { named: string }>({
  named: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from it
    async ({}, use) => {
      const port = String(await findFreePort());
      const url = `http://localhost:${port}`;
      const env = { ...process.env, KITH_TEST_PORT: port, KITH_TEST_URL: url };
      const app = spawn(process.execPath, ["test/support/browser/serve.ts"], { env, stdio: "inherit" });
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/readyz`)
          .then(({ ok }) => ok)
          .catch(() => false);
      await expect.poll(ready, { timeout: 90_000 }).toBe(true);
      await use(url);
      const ended = once(app, "exit");
      app.kill("SIGTERM");
      await ended;
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ named }, use) => use(named),
});

/** A virtual authenticator that confirms its user at once. */
async function device(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    knows: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

const section = (page: Page) => main(page).getByRole("region", { name: "Passkeys" });

async function add(page: Page, name: string) {
  await openSettings(page, "Security");
  await section(page).getByLabel("Name of the passkey").last().fill(name);
  await section(page).getByLabel("Password or code").fill(DEMO_PASSWORD);
  await section(page).getByRole("button", { name: "Add a passkey" }).click();
  await expect(section(page).getByText("The passkey was added.")).toBeVisible();
  await expect(section(page).getByRole("listitem")).toContainText(name);
}

test("a passkey is added, signs in on the page and in the dialog, and is removed", async ({
  page,
  signInAs,
  accessible,
  mail,
}) => {
  const phone = await device(page);
  await signInAs("mira");
  await openSettings(page, "Security");
  await section(page).getByLabel("Password or code").fill("not the password");
  await section(page).getByRole("button", { name: "Add a passkey" }).click();
  await expect(section(page).getByRole("alert").first()).toContainText("Wrong password or code.");
  await add(page, "This laptop");
  await accessible();
  expect(await mail("mira@example.org", "This laptop")).toContain("signs in as @mira");

  await page.context().clearCookies();
  await page.goto("/login?next=%2Fgroups");
  await page.getByLabel("Email address or username").focus();
  await phone.knows(false);
  const button = main(page).getByRole("button", { name: "Sign in with a passkey" });
  await button.click();
  await expect(page.getByRole("alert")).toContainText("The passkey request was closed or timed out.");
  await accessible();
  await phone.knows(true);
  await button.click();
  await expect(page).toHaveURL(/\/groups$/);
  await openSettings(page, "Security");
  await expect(section(page).getByRole("listitem")).toContainText("last used");

  await page.context().clearCookies();
  await page.goto("/groups");
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await openSettings(page, "Security");

  await section(page).locator("summary").click();
  await section(page).getByLabel("Name of the passkey").first().fill("The old laptop");
  await section(page).getByRole("button", { name: "Save" }).click();
  await expect(section(page).getByText("The old laptop", { exact: true })).toBeVisible();
  await section(page).getByRole("button", { name: "Remove passkey “The old laptop”" }).click();
  await expect(section(page).getByText(/The passkey was removed/)).toBeVisible();
  await page.context().clearCookies();
  await page.goto("/login/passkey");
  await clickButton(page, "Sign in with a passkey");
  await expect(page.getByRole("alert")).toContainText("This passkey does not work here.");
});

test("the passkey link clicked before hydration leads to a page with passkey sign-in", async ({
  page,
  signInAs,
}) => {
  await device(page);
  await signInAs("ines");
  await add(page, "Phone");
  await page.context().clearCookies();
  await page.goto("/login?next=%2Fmessages");
  await followLink(page.getByRole("link", { name: "Sign in with a passkey" }));
  await expect(page).toHaveURL(/\/login\/passkey/);
  await clickButton(page, "Sign in with a passkey");
  await expect(page).toHaveURL(/\/messages/);
});

test("a passkey replaces the six-digit code after the password", async ({ page, signInAs }) => {
  await device(page);
  await signInAs("tomas");
  await openSettings(page, "Security");
  await page.locator("[name=begin-totp-proof]").fill(DEMO_PASSWORD);
  await clickButton(page, "Set up");
  const secret = (await page.locator("[data-totp-secret]").textContent())!;
  await page.getByLabel("6-digit code").fill(new TOTP({ secret }).generate());
  await clickButton(page, "Turn on");
  await expect(page.locator("[data-recovery-code]")).toHaveCount(10);
  await add(page, "Phone");

  await page.context().clearCookies();
  await page.goto("/login?next=%2Fgroups");
  await page.getByLabel("Email address or username").fill("tomas");
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await clickButton(page, "Sign in");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two-factor authentication");
  await clickButton(page, "Use a passkey");
  await expect(page).toHaveURL(/\/groups$/);
});

test("a passkey is the second factor for an account without an authenticator app", async ({
  page,
  signInAs,
  accessible,
}) => {
  await device(page);
  await signInAs("ada");
  await add(page, "Phone");
  const steps = main(page).getByRole("region", { name: "Two-factor authentication" });
  await steps.locator("[name=require-passkey-proof]").fill(DEMO_PASSWORD);
  await steps.getByRole("button", { name: "Require a passkey" }).click();
  await expect(page.locator("[data-recovery-code]")).toHaveCount(10);
  await accessible();

  await page.context().clearCookies();
  await page.goto("/groups");
  await page.getByRole("link", { name: "Sign in" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email address or username").fill("ada");
  await dialog.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await expect(dialog).toHaveCount(0);
  await openSettings(page, "Security");
  await section(page)
    .getByRole("button", { name: /^Remove passkey/ })
    .click();
  await expect(section(page).getByRole("alert")).toContainText("This passkey is your second factor.");
  await steps.locator("form:has([value=waive-passkey])").getByLabel("Password or code").fill(DEMO_PASSWORD);
  await steps.getByRole("button", { name: "Stop requiring a passkey" }).click();
  await expect(steps.getByText("Two-factor authentication is off.")).toBeVisible();
});
