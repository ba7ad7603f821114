import type { APIRequestContext, Browser, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { clickButton, sendForm } from "./steps.ts";

export const PASSWORD = "walnut kettle orbit seven";
export const OTHER_PASSWORD = "copper lantern ninety quilt";
export type NewMember = { name: string; username: string; email: string };
export type ReadMail = (to: string) => Promise<string>;

export const createNewMember = (): NewMember => {
  const tail = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  return { name: "Nora Newcomer", username: `nora.${tail}`.slice(0, 20), email: `nora.${tail}@example.net` };
};
export const findLink = (text: string) => /https?:\/\/\S+/.exec(text)![0];
export const fieldByLabel = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const expectHeading = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();

export async function fillRegistration(page: Page, who: NewMember, password = PASSWORD) {
  const startedAt = Date.now();
  await fieldByLabel(page, "Display name").fill(who.name);
  // The username field is visible already if the form is shown again with a username.
  if (!(await fieldByLabel(page, "Username").isVisible())) await page.getByText("Choose a username").click();
  await fieldByLabel(page, "Username").fill(who.username);
  await fieldByLabel(page, "Email address").fill(who.email);
  await fieldByLabel(page, "Password").fill(password);
  // A form that is submitted within two seconds is treated as a bot's.
  await expect.poll(() => Date.now() - startedAt).toBeGreaterThan(2_100);
  await clickButton(page, "Sign up");
}

export async function signIn(page: Page, login: string, password = PASSWORD) {
  await fieldByLabel(page, "Email address or username").fill(login);
  await fieldByLabel(page, "Password").fill(password);
  await clickButton(page, "Sign in");
}

export const signOut = async (page: Page) => {
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
};

/**
 * Fields of the registration form, fetched once per worker: a form submitted within two seconds is rejected,
 * so a form fetched for each registration would need a wait.
 */
let formToken: Promise<string> | undefined;

async function fetchFormToken(request: APIRequestContext): Promise<string> {
  const form = await (await request.get("/register")).text();
  const [, started] = /name="started" value="([^"]+)"/.exec(form)!;
  const fetched = Date.now();
  await expect.poll(() => Date.now() - fetched).toBeGreaterThan(2_100);
  return started!;
}

/**
 * Registers a new member by the requests of the forms, including the welcome. The forms themselves are
 * tested in accounts.spec.ts.
 */
export async function registerMember(page: Page, mail: ReadMail): Promise<NewMember> {
  const who = createNewMember();
  const started = await (formToken ??= fetchFormToken(page.context().request));
  await sendForm(page, "/register", { ...who, password: PASSWORD, website: "", started });
  await sendForm(page, findLink(await mail(who.email)), {});
  await sendForm(page, "/welcome", { intent: "skip-all" });
  await page.goto("/");
  return who;
}

/** Opens the viewer's settings at this tab. */
export async function openSettings(page: Page, tab: string) {
  const home = await (await page.context().request.get("/")).text();
  await page.goto(/href="(\/users\/settings\/[0-9a-f-]{36})"/.exec(home)![1]!);
  await expectHeading(page, "Settings");
  const link = page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: tab });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "page");
}

export const inOtherBrowser = async (browser: Browser, page: Page, work: (other: Page) => Promise<void>) => {
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  await work(await context.newPage());
  await context.close();
};
