import { expect, test } from "./fixtures.ts";
import { arrive, elsewhere, field, fillIn, heading, linkIn, newcomer, OTHER_PASSWORD, PASSWORD, signIn, signOut } from "./newcomers.ts";
import { press, startDiscussion, unique } from "./steps.ts";

test("a person registers, confirms, passes the welcome and ends in an active discussion", async ({ page, mail, another }) => {
  const who = newcomer();
  await page.goto("/register");
  await fillIn(page, { ...who, email: "no address" }, "short");
  await expect(page.getByRole("main")).toContainText(/mail address|at least/i);
  await expect(field(page, "User name")).toHaveValue(who.username);
  await fillIn(page, who, "short");
  await expect(page.getByText("Please use at least 10 characters.").first()).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /I have read the rules/ })).toBeChecked();
  await fillIn(page, who);
  await heading(page, "Check your inbox");
  await expect(page.getByRole("main")).toContainText(who.email);

  await page.goto(linkIn(await mail(who.email)));
  await press(page, "Confirm my address");
  await expect(page.getByText("Thank you: your address is confirmed.")).toBeVisible();
  await expect(field(page, "E-mail address or user name")).toHaveValue(who.email);
  await signIn(page, who.email);

  await heading(page, "Welcome to Lindenhof Commons");
  await expect(field(page, "Your name")).toHaveValue(who.name);
  await press(page, "Continue");
  await expect(page.getByText("You agreed to these when you registered.")).toBeVisible();
  // The most active groups are suggested: this must not depend on other tests.
  await startDiscussion(await another("tomas"), unique("Is the kettle mended"), "It leaks again.", "repair-evening");
  await page.getByRole("main").getByRole("link", { name: "Continue" }).click();
  await page.getByRole("checkbox", { name: /Repair Evening/ }).check();
  await press(page, "Join and continue");
  await expect(page.getByRole("heading", { name: "How much mail do you want?" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/You are in Repair Evening/)).toBeVisible();
  await page.goForward();
  await page.getByRole("radio", { name: /Everything/ }).check();
  await press(page, "Take me in");
  await expect(page).toHaveURL(/\/discussions\/[0-9a-f-]+#reply$/);
  await expect(page.getByRole("textbox", { name: "Your reply" })).toBeVisible();
  await page.goto("/welcome");
  await expect(page).toHaveURL(/\/$/);
});

test("a registration link works once, and a new one is easy to request", async ({ page, mail }) => {
  const who = newcomer();
  await page.goto("/register");
  await fillIn(page, who);
  await heading(page, "Check your inbox");
  const link = linkIn(await mail(who.email));
  await page.goto(link);
  await page.goto(link);
  await press(page, "Confirm my address");
  await heading(page, "Sign in");
  await page.goto(link);
  await press(page, "Confirm my address");
  await heading(page, "This link does not work any more");
  await page.goto("/login/confirm?token=nonsense");
  await press(page, "Confirm my address");
  await heading(page, "This link does not work any more");
});

test("a link opened in another browser asks for the password, or for a new one", async ({ page, mail }) => {
  const who = newcomer();
  await page.goto("/register");
  await fillIn(page, who);
  await heading(page, "Check your inbox");
  const link = linkIn(await mail(who.email));
  await page.context().clearCookies();
  await page.goto(link);
  await press(page, "Confirm my address");
  await expect(page.getByText(`@${who.username} was registered with your address in another browser.`)).toBeVisible();
  await field(page, "The password you chose there").fill("not the one they chose");
  await press(page, "Confirm my address");
  await expect(page.getByText("That is not the password of this registration.").first()).toBeVisible();
  await page.getByText("I don’t know that password").click();
  await field(page, "New password").fill(OTHER_PASSWORD);
  await press(page, "Set password and confirm");
  await heading(page, "Welcome to Lindenhof Commons");
  await page.context().clearCookies();
  await page.goto("/login");
  await signIn(page, who.email);
  await expect(page.getByText("That does not fit together.").first()).toBeVisible();
});

test("a known address gets the same response", async ({ page, mail }) => {
  await page.goto("/register");
  await fillIn(page, { ...newcomer(), email: "tomas@example.org" });
  await heading(page, "Check your inbox");
  await expect(page.getByRole("main")).toContainText("tomas@example.org");
  await mail("tomas@example.org", "You have an account already");
});

test("an unconfirmed person is informed at sign-in and can request the mail again", async ({ page, mail }) => {
  const who = newcomer();
  await page.goto("/register");
  await fillIn(page, who);
  await heading(page, "Check your inbox");
  await mail(who.email);
  await page.context().clearCookies();
  await page.goto("/login");
  await signIn(page, who.username);
  await heading(page, "Check your inbox");
  await expect(page.getByText("Your address has to be confirmed before you can sign in.")).toBeVisible();
  await press(page, "Write again");
  await expect(page.getByRole("main")).toContainText("We have written again");
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

test("every wrong sign-in gets the same error, and a delay after two", async ({ page }, { project }) => {
  const nobody = `nobody.${Date.now().toString(36)}`;
  await page.goto("/login?next=%2Fgroups");
  await signIn(page, nobody, "wrong");
  await expect(page.getByRole("alert")).toContainText("That does not fit together.");
  await expect(field(page, "E-mail address or user name")).toHaveValue(nobody);
  // All tests share one address, with few failed attempts allowed.
  if (project.name !== "scripts") return;
  await signIn(page, nobody, "wrong");
  await expect(page.getByRole("alert")).toContainText("That does not fit together.");
  await signIn(page, nobody, "wrong");
  await expect(page.getByRole("alert")).toContainText(/Please wait \d+ seconds/);
});

test("a reset password ends every other session", async ({ page, browser, mail }) => {
  const who = await arrive(page, mail);
  await elsewhere(browser, page, async (other) => {
    await other.goto("/resetPassword");
    await field(other, "E-mail address").fill(who.email);
    await press(other, "Send me a link");
    await heading(other, "Check your inbox");
    const link = linkIn(await mail(who.email));
    await other.goto(link);
    await field(other, "New password").fill(OTHER_PASSWORD);
    await field(other, "Once more").fill(PASSWORD);
    await press(other, "Set the password");
    await expect(other.getByText("The two do not match.").first()).toBeVisible();
    await field(other, "New password").fill(OTHER_PASSWORD);
    await field(other, "Once more").fill(OTHER_PASSWORD);
    await press(other, "Set the password");
    await expect(other).toHaveURL(/\/$/);
    await signOut(other);
    await other.goto(link);
    await heading(other, "This link does not work any more");
  });
  await page.goto("/messages");
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, who.username, OTHER_PASSWORD);
  await expect(page).toHaveURL(/\/messages$/);
});

test("a sign-in link works at once in the same browser, after a confirmation elsewhere, and never on a mere visit", async ({
  page,
  browser,
  mail,
}) => {
  const who = await arrive(page, mail);
  await signOut(page);
  const ask = async () => {
    await page.goto("/login?next=%2Fgroups");
    await page.getByRole("link", { name: "E-mail me a link instead" }).click();
    await field(page, "E-mail address").fill(who.email);
    await press(page, "Send me a link");
    await heading(page, "Check your inbox");
    return linkIn(await mail(who.email));
  };
  const link = await ask();
  await page.request.get(link);
  await page.goto(link);
  await press(page, "Sign in");
  await expect(page).toHaveURL(/\/groups$/);
  await signOut(page);
  await page.goto(link);
  await press(page, "Sign in");
  await heading(page, "This link does not work any more");

  const second = await ask();
  await elsewhere(browser, page, async (other) => {
    await other.goto(second);
    await press(other, "Sign in");
    await heading(other, "Sign in on this device?");
    await press(other, "Yes, sign in here");
    await expect(other).toHaveURL(/\/$/);
    await expect(other.getByRole("button", { name: "Sign out" })).toBeVisible();
  });
});

test("signing out needs a form, and unknown steps return 404", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/logout");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  expect((await page.goto("/login/nonsense"))!.status()).toBe(404);
});
