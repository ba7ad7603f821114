import type { Page } from "@playwright/test";
import { DEMO_PASSWORD } from "../../src/app/secrets.ts";
import { expect, test } from "../support/browser/fixtures.ts";
import { openSettings } from "../support/browser/registration-steps.ts";
import { followLink, main, startDiscussion, uniqueName, waitForHydration } from "../support/browser/steps.ts";

test.use({ serviceWorkers: "allow" });

/** Offline copies are kept for people who stay signed in on the device. */
async function staySignedIn(page: Page, username: string) {
  const form = { login: username, password: DEMO_PASSWORD, stay: "on" };
  const origin = test.info().project.use.baseURL!;
  const answer = await page.request.post("/login", { form, headers: { origin }, maxRedirects: 0 });
  expect([username, answer.status()]).toEqual([username, 302]);
}

/** Addresses of all copies in this browser, of all people. */
const keptHere = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("kith-pages-"));
    const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return found.flat().map(({ url }) => new URL(url).pathname);
  });
const isKept = (page: Page, path: string) => expect.poll(() => keptHere(page)).toContain(path);

/** Reads a page until it is copied. */
async function read(page: Page, path: string) {
  await page.goto(path);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await isKept(page, path);
}

test("pages read before can be read offline, and are reloaded when online", async ({
  page,
  context,
  accessible,
}) => {
  const title = uniqueName("Frost at night");
  await staySignedIn(page, "mira");
  await read(page, "/groups/long-beds");
  await read(page, "/");
  await startDiscussion(page, title, "Cover the beans tonight.");
  const { pathname } = new URL(page.url());
  await isKept(page, pathname);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(/^You are offline. This copy is from \d/)).toBeVisible();
  await expect(main(page)).toContainText("Cover the beans tonight.");
  await accessible();
  await page.goto("/groups/long-beds");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Long Beds");

  await page.goto("/resources?sort=new").catch(() => {});
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toHaveAttribute("href", "/resources?sort=new");
  await followLink(page.getByRole("link", { name: title }));
  await expect(main(page)).toContainText("Cover the beans tonight.");

  await page.getByLabel("Your reply").fill("And the tomatoes?");
  await page.reload();
  await expect(page.getByLabel("Your reply")).toHaveValue("And the tomatoes?");
  await context.setOffline(false);
  await expect(page.getByText(/^You are offline/)).toHaveCount(0);
  await waitForHydration(page);
  await expect(page.getByLabel("Your reply")).toHaveValue("And the tomatoes?");
  await expect(main(page).getByText(/^Draft saved/)).toBeVisible();
});

test("a link clicked on an open page opens an offline copy when there is no network", async ({
  page,
  context,
}) => {
  await staySignedIn(page, "tomas");
  await read(page, "/groups");
  await read(page, "/groups/long-beds");
  await page.goto("/groups");
  await context.setOffline(true);
  await followLink(main(page).getByRole("link", { name: "The Long Beds" }).first());
  await expect(page.getByText(/^You are offline. This copy is from \d/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Long Beds");
});

test("offline copies are deleted when their reader signs out, so the next person cannot read them", async ({
  page,
  context,
}) => {
  await staySignedIn(page, "ines");
  await read(page, "/groups/long-beds");
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(page.getByRole("link", { name: "Sign up" }).first()).toBeVisible();
  expect(await keptHere(page)).toEqual([]);

  await staySignedIn(page, "tomas");
  await read(page, "/rules");
  expect(await keptHere(page)).not.toContain("/groups/long-beds");
  await context.setOffline(true);
  await page.goto("/groups/long-beds").catch(() => {});
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
});

test("offline copies are deleted at the first page load after the session has ended", async ({
  page,
  context,
}) => {
  await staySignedIn(page, "ines");
  await read(page, "/groups/long-beds");
  // The cookie of a session that was ended: it is invalid.
  await context.addCookies([{ name: "kith_session", value: "ended", url: new URL(page.url()).origin }]);
  await page.goto("/groups");
  await expect(page.getByRole("link", { name: "Sign up" }).first()).toBeVisible();
  expect(await keptHere(page)).toEqual([]);
});

test("disabling offline copies on a device deletes them", async ({ page, accessible }) => {
  await staySignedIn(page, "ada");
  await read(page, "/groups/long-beds");
  await openSettings(page, "Your data");
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Offline reading" }) });
  await expect(section).toContainText(/\d pages? (is|are) available offline/);
  await accessible();
  await section.getByRole("button", { name: "Turn off offline reading" }).click();
  await expect(section).toContainText("Offline reading is off on this device.");
  expect(await keptHere(page)).toEqual([]);
  await page.reload();
  await section.getByRole("button", { name: "Turn on offline reading" }).click();
  await read(page, "/groups/long-beds");
});
