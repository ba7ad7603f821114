import { TOTP } from "otpauth";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  registerMember,
  fieldByLabel,
  expectHeading,
  findLink,
  openSettings,
  OTHER_PASSWORD,
  PASSWORD,
  signIn,
  signOut,
} from "../support/browser/registration-steps.ts";
import { clickButton } from "../support/browser/steps.ts";

test("two-factor sign-in is set up, required, passed by a recovery code and switched off", async ({
  page,
  mail,
}) => {
  const who = await registerMember(page, mail);
  await openSettings(page, "Security");
  await page.locator("[name=begin-totp-proof]").fill("not the password");
  await clickButton(page, "Set up");
  await expect(page.getByText("Wrong password or code.").first()).toBeVisible();
  await page.locator("[name=begin-totp-proof]").fill(PASSWORD);
  await clickButton(page, "Set up");
  const secret = (await page.locator("[data-totp-secret]").textContent())!;
  const code = (later = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + later });
  await fieldByLabel(page, "6-digit code").fill("000000");
  await clickButton(page, "Turn on");
  await expect(page.getByText(/This code is wrong/).first()).toBeVisible();
  await fieldByLabel(page, "6-digit code").fill(code());
  await clickButton(page, "Turn on");
  await expect(page.locator("[data-recovery-code]")).toHaveCount(10);
  const codes = await page.locator("[data-recovery-code]").allTextContents();
  await signOut(page);

  await page.goto("/login?next=%2Fgroups");
  await signIn(page, who.username);
  await expectHeading(page, "Two-factor authentication");
  await page.goto("/messages");
  await expect(page).toHaveURL(/\/login/);
  await page.goto("/login/second-step?next=%2Fgroups");
  await fieldByLabel(page, "Code").fill("000000");
  await clickButton(page, "Continue");
  await expect(page.getByRole("alert")).toContainText("This code is wrong");
  await fieldByLabel(page, "Code").fill(code(30_000));
  await clickButton(page, "Continue");
  await expect(page).toHaveURL(/\/groups$/);
  await signOut(page);

  await page.goto("/login");
  await signIn(page, who.username);
  await fieldByLabel(page, "Code").fill(codes[0]!);
  await clickButton(page, "Continue");
  await expect(page).toHaveURL(/\/$/);
  await openSettings(page, "Security");
  await expect(page.getByText("9 recovery codes are left.")).toBeVisible();
  await page.locator("form:has([value=disable-totp])").getByLabel("Password or code").fill(PASSWORD);
  await clickButton(page, "Turn off");
  await expect(page.getByText("Two-factor authentication is off.")).toBeVisible();
});

test("sessions are listed, and all other sessions can be ended", async ({ page, browser, mail }) => {
  const who = await registerMember(page, mail);
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const other = await context.newPage();
  await other.goto("/login?next=%2Fmessages");
  await signIn(other, who.username);
  await expect(other).toHaveURL(/\/messages$/);
  await openSettings(page, "Security");
  await expect(page.locator("[data-session]")).toHaveCount(2);
  await clickButton(page, "Sign out everywhere else");
  await expect(page.getByText("You were signed out everywhere else.")).toBeVisible();
  await expect(page.locator("[data-session]")).toHaveCount(1);
  await other.goto("/messages");
  await expect(other).toHaveURL(/\/login/);
  await context.close();
});

test("each settings form is saved separately and shows errors beside its fields", async ({ page, mail }) => {
  const who = await registerMember(page, mail);
  await openSettings(page, "Profile");
  await fieldByLabel(page, "Pronouns").fill("they/them");
  await fieldByLabel(page, "Field 1: label").fill("Good at");
  await fieldByLabel(page, "Field 1: value").fill("Sharpening scissors");
  await clickButton(page, "Save profile");
  await expect(page.locator("#profile").getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await page.reload();
  await expect(fieldByLabel(page, "Field 1: value")).toHaveValue("Sharpening scissors");

  await openSettings(page, "Security");
  await fieldByLabel(page, "Current password").fill("not my password");
  await fieldByLabel(page, "New password").fill(OTHER_PASSWORD);
  await clickButton(page, "Change password");
  await expect(page.locator("#password").getByText("This is not your password.").first()).toBeVisible();
  await expect(page.locator("#passkeys").getByText("This is not your password.")).toHaveCount(0);

  await openSettings(page, "Account");
  const moved = `moved.${who.email}`;
  await fieldByLabel(page, "New address").fill(moved);
  await page.locator("#email").getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await clickButton(page, "Change the address");
  await expect(
    page
      .locator("#email")
      .getByRole("status")
      .filter({ hasText: "We have sent an email to the new address" }),
  ).toBeVisible();
  await page.goto(findLink(await mail(moved)));
  await clickButton(page, "Use this address");
  await expect(page.locator("#email")).toContainText(moved);
});

test(
  "settings have a page for each topic, and old anchor links redirect there",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("mira");
    for (const tab of [
      "Profile",
      "Account",
      "Security",
      "Privacy settings",
      "Notifications",
      "Appearance & region",
      "Your data",
    ]) {
      await openSettings(page, tab);
      await accessible();
    }
    const first = new URL(page.url()).pathname.replace(/\/data$/, "");
    await page.goto(`${first}#sessions`);
    await expect(page).toHaveURL(`${first}/security#sessions`);
    await expect(page.locator("[data-session]").first()).toBeVisible();
    await page.goto(`${first}#notify-group_invitation`);
    await expect(page).toHaveURL(`${first}/notifications#notify-group_invitation`);
    await expect(page.getByRole("checkbox", { name: "Group invitations: Email" })).toBeInViewport();
    await page.goto(`${first}/nothing`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Page Not Found");
  },
);

test("settings are visible to their owner only", { tag: JAVASCRIPT_ONLY }, async ({ page, signInAs }) => {
  await signInAs("mira");
  await openSettings(page, "Profile");
  const mine = new URL(page.url()).pathname;
  await signOut(page);
  await page.goto(mine);
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, "ada", "lindenhof-garden-26");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Page Not Found");
});

test(
  "guests choose language and theme in the footer, members in their settings",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail }) => {
    await page.goto("/rules");
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("contentinfo").getByLabel("Theme", { exact: true }).selectOption("dark");
    await page.locator("footer").getByRole("button").click();
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page).toHaveURL(/\/rules$/);
    await page.context().clearCookies();
    await registerMember(page, mail);
    await openSettings(page, "Appearance & region");
    await page.locator("#display").getByLabel("Language").selectOption("ar");
    await page.locator("#display").getByRole("button", { name: "Save" }).click();
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  },
);

test("an account is closed, and signing in reopens it", async ({ page, mail }) => {
  const who = await registerMember(page, mail);
  await openSettings(page, "Your data");
  await page.locator("#leave").getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await clickButton(page, "Delete account");
  await expect(page.getByText(/Your account is deactivated/)).toBeVisible();
  await signIn(page, who.username);
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
});

test(
  "an access token is created, shown once, used by an API client and revoked",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail, request, accessible }) => {
    await registerMember(page, mail);
    await openSettings(page, "Access tokens");
    await expect(page.getByText("You have no access tokens yet.")).toBeVisible();
    const form = page.locator("form:has([value=grant-access])");
    await form.getByLabel("Name").fill("Backup");
    await form.getByLabel("Password or code").fill(PASSWORD);
    await clickButton(page, "Create token");
    await expect(form.getByText("Choose at least one scope.")).toBeVisible();
    await expect(form.getByLabel("Name")).toHaveValue("Backup");
    await form.getByLabel("Groups").selectOption("Read only");
    await form.getByLabel("Password or code").fill(PASSWORD);
    await clickButton(page, "Create token");
    await accessible();
    const token = (await page.locator("[data-secret]").textContent())!;
    await expect(page.getByText("Groups (read)")).toBeVisible();
    const call = () =>
      request.get("/api/data/Groups/count", { headers: { authorization: `Bearer ${token}` } });
    expect((await call()).status()).toBe(200);

    await openSettings(page, "Access tokens");
    await expect(page.locator("[data-secret]")).toHaveCount(0);
    const row = page.getByRole("list", { name: "Your access tokens" }).getByRole("listitem");
    await expect(row).toContainText("last used on");
    await row.locator("summary").click();
    await clickButton(page, "Revoke token");
    await expect(page.getByText("The token was revoked.")).toBeVisible();
    expect((await call()).status()).toBe(400);
  },
);
