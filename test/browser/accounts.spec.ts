import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  registerMember,
  inOtherBrowser,
  fieldByLabel,
  fillRegistration,
  expectHeading,
  findLink,
  createNewMember,
  OTHER_PASSWORD,
  PASSWORD,
  signIn,
  signOut,
} from "../support/browser/registration-steps.ts";
import { clickButton, followLink, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test("a person registers, confirms their address, completes onboarding and reaches an active discussion", async ({
  page,
  mail,
  another,
}) => {
  const who = createNewMember();
  await page.goto("/register");
  await fillRegistration(page, { ...who, email: "no address" }, "short");
  await expect(page.getByRole("main")).toContainText(/mail address|at least/i);
  await expect(fieldByLabel(page, "Username")).toHaveValue(who.username);
  await fillRegistration(page, who, "short");
  await expect(page.getByText("At least 10 characters.").first()).toBeVisible();
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  await expect(page.getByRole("main")).toContainText(who.email);

  // The link signs in, in the browser that registered.
  await page.goto(findLink(await mail(who.email)));
  await expectHeading(page, "Welcome to Lindenhof Commons");
  await expect(fieldByLabel(page, "Display name")).toHaveValue(who.name);
  await clickButton(page, "Continue");
  await expect(page.getByText("You accepted these when you registered.")).toBeVisible();
  // The most active groups are suggested: a new discussion puts this group among them, whatever other tests
  // do.
  await startDiscussion(
    await another("tomas"),
    uniqueName("Is the kettle mended"),
    "It leaks again.",
    "repair-evening",
  );
  await followLink(page.getByRole("main").getByRole("link", { name: "Continue" }));
  await page.getByRole("checkbox", { name: /Repair Evening/ }).check();
  await clickButton(page, "Join and continue");
  await expect(page.getByRole("heading", { name: "How much email do you want?" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/You are already in Repair Evening/)).toBeVisible();
  await page.goForward();
  await page.getByRole("radio", { name: /Everything/ }).check();
  await clickButton(page, "Finish");
  await expect(page).toHaveURL(/\/discussions\/[0-9a-f-]+#reply$/);
  await expect(page.getByRole("textbox", { name: "Your reply" })).toBeVisible();
  await page.goto("/welcome");
  await expect(page).toHaveURL(/\/$/);
});

test("a registration link works only once", { tag: JAVASCRIPT_ONLY }, async ({ page, mail }) => {
  const who = createNewMember();
  await page.goto("/register");
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  const link = findLink(await mail(who.email));
  await page.goto(link);
  await expectHeading(page, "Welcome to Lindenhof Commons");
  await page.goto(link);
  await expectHeading(page, "This link no longer works");
  await page.goto("/login/confirm?token=nonsense");
  await expectHeading(page, "This link no longer works");
});

test("a registration link opened in another browser confirms with one button and removes the password", async ({
  page,
  browser,
  mail,
  accessible,
}) => {
  const who = createNewMember();
  await page.goto("/register");
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  const link = findLink(await mail(who.email));
  await inOtherBrowser(browser, page, async (other) => {
    await other.goto(link);
    await expect(
      other.getByText(`@${who.username} was registered with your address in another browser.`),
    ).toBeVisible();
    // Opening the link changes nothing.
    await other.goto("/messages");
    await expect(other).toHaveURL(/\/login/);
  });
  await page.context().clearCookies();
  await page.goto(link);
  await accessible();
  await page.getByText("Keep the password, or set a new one").click();
  await fieldByLabel(page, "The password you chose when you registered").fill("not the one they chose");
  await clickButton(page, "Confirm email address");
  await expect(page.getByText("That is not the password of this registration.").first()).toBeVisible();
  await clickButton(page, "Confirm and sign in");
  await expectHeading(page, "Welcome to Lindenhof Commons");
  await page.context().clearCookies();
  await page.goto("/login");
  await signIn(page, who.email);
  await expect(page.getByText("Wrong username or password.").first()).toBeVisible();
});

test(
  "registration with another account's address shows the usual page",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, mail }) => {
    await page.goto("/register");
    await fillRegistration(page, { ...createNewMember(), email: "tomas@example.org" });
    await expectHeading(page, "Check your inbox");
    await expect(page.getByRole("main")).toContainText("tomas@example.org");
    await mail("tomas@example.org", "You already have an account");
  },
);

test("an unconfirmed person sees the reason at sign-in and can request another confirmation email", async ({
  page,
  mail,
}) => {
  const who = createNewMember();
  await page.goto("/register");
  await fillRegistration(page, who);
  await expectHeading(page, "Check your inbox");
  await mail(who.email);
  await page.context().clearCookies();
  await page.goto("/login");
  await signIn(page, who.username);
  await expectHeading(page, "Check your inbox");
  await expect(page.getByText("Confirm your email address before you sign in.")).toBeVisible();
  await clickButton(page, "Resend");
  await expect(page.getByRole("main")).toContainText("We have sent another email");
});

test("signing out and in returns to the requested page", async ({ page }) => {
  await page.goto("/messages");
  await expect(page).toHaveURL(/\/login\?next=%2Fmessages/);
  await signIn(page, "ines", "lindenhof-garden-26");
  await expect(page).toHaveURL(/\/messages$/);
  await page.goto("/login?next=%2F%2Fevil.example");
  await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/$/);
  await signOut(page);
  await page.goto("/messages");
  await expect(page).toHaveURL(/\/login/);
});

test(
  "every failed sign-in gets the same error, and a third attempt has to wait",
  { tag: JAVASCRIPT_ONLY },
  async ({ page }, { project }) => {
    const nobody = `nobody.${Date.now().toString(36)}`;
    await page.goto("/login?next=%2Fgroups");
    await signIn(page, nobody, "wrong");
    await expect(page.getByRole("alert")).toContainText("Wrong username or password.");
    await expect(fieldByLabel(page, "Email address or username")).toHaveValue(nobody);
    // All tests share one address, with few failed attempts allowed.
    if (project.name !== "scripts") return;
    await signIn(page, nobody, "wrong");
    await expect(page.getByRole("alert")).toContainText("Wrong username or password.");
    await signIn(page, nobody, "wrong");
    await expect(page.getByRole("alert")).toContainText(/Wait \d+ seconds/);
  },
);

test("a reset password ends every other session", async ({ page, browser, mail }) => {
  const who = await registerMember(page, mail);
  await inOtherBrowser(browser, page, async (other) => {
    await other.goto("/resetPassword");
    await fieldByLabel(other, "Email address").fill(who.email);
    await clickButton(other, "Send link");
    await expectHeading(other, "Check your inbox");
    const link = findLink(await mail(who.email));
    await other.goto(link);
    await fieldByLabel(other, "New password").fill(OTHER_PASSWORD);
    await fieldByLabel(other, "Repeat password").fill(PASSWORD);
    await clickButton(other, "Set the password");
    await expect(other.getByText("The passwords do not match.").first()).toBeVisible();
    await fieldByLabel(other, "New password").fill(OTHER_PASSWORD);
    await fieldByLabel(other, "Repeat password").fill(OTHER_PASSWORD);
    await clickButton(other, "Set the password");
    await expect(other).toHaveURL(/\/$/);
    await signOut(other);
    await other.goto(link);
    await expectHeading(other, "This link no longer works");
  });
  await page.goto("/messages");
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, who.username, OTHER_PASSWORD);
  await expect(page).toHaveURL(/\/messages$/);
});

test("a sign-in link opened in another browser requires a confirmation", async ({ page, browser, mail }) => {
  const who = await registerMember(page, mail);
  await signOut(page);
  const ask = async () => {
    await page.goto("/login?next=%2Fgroups");
    await followLink(page.getByRole("link", { name: "Email me a link instead" }));
    await fieldByLabel(page, "Email address").fill(who.email);
    await clickButton(page, "Send link");
    await expectHeading(page, "Check your inbox");
    return findLink(await mail(who.email));
  };
  const link = await ask();
  await page.request.get(link);
  await page.goto(link);
  await clickButton(page, "Sign in");
  await expect(page).toHaveURL(/\/groups$/);
  await signOut(page);
  await page.goto(link);
  await clickButton(page, "Sign in");
  await expectHeading(page, "This link no longer works");

  const second = await ask();
  await inOtherBrowser(browser, page, async (other) => {
    await other.goto(second);
    await clickButton(other, "Sign in");
    await expectHeading(other, "Sign in on this device?");
    await clickButton(other, "Yes, sign in here");
    await expect(other).toHaveURL(/\/$/);
    await expect(other.getByRole("button", { name: "Sign out" })).toBeVisible();
  });
});

test("signing out requires a button press", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/logout");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  expect((await page.goto("/login/nonsense"))!.status()).toBe(404);
});
