import { expect, test } from "../support/browser/fixtures.ts";

test("hovering a name shows a profile card with a single request", async ({ page, signInAs, accessible }) => {
  const cardRequests: string[] = [];
  page.on("request", (request) => void (/\/card/.test(request.url()) && cardRequests.push(request.url())));
  await signInAs("tomas");
  await page.goto("/groups/long-beds?tab=members");
  const name = page
    .getByRole("main")
    .getByRole("link", { name: /Mira Castellano/ })
    .first();
  const card = page.getByRole("dialog", { name: "About Mira Castellano" });
  await name.hover();
  await expect(card).toBeVisible();
  await expect(card.getByText("@mira")).toBeVisible();
  await expect(card.getByText(/^In common: ./)).toBeVisible();
  expect(cardRequests).toHaveLength(1);
  await accessible();
  // The card stays while the pointer is on it, until Escape closes it.
  await card.hover();
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await page.mouse.move(2, 2);

  // With the keyboard, the focus moves from the name to its card.
  await name.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(name).toBeFocused();
  await expect(card).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(card.getByRole("link", { name: "Mira Castellano" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(name).toBeFocused();
  await expect(card).toHaveCount(0);
  expect(cardRequests).toHaveLength(2);
});

test("a pointer already on a name before hydration shows the profile card too", async ({
  page,
  signInAs,
}) => {
  let arrive: () => void = () => {};
  const there = new Promise<void>((done) => (arrive = done));
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await there;
    await route.continue();
  });
  await signInAs("tomas");
  const entryRequest = page.waitForRequest(/\/assets\/entry\.client-/);
  await page.goto("/groups/long-beds?tab=members", { waitUntil: "commit" });
  const name = page.getByRole("main").getByRole("link", { name: /Mira Castellano/ });
  await name.first().hover();
  await entryRequest;
  arrive();
  await expect(page.getByRole("dialog", { name: "About Mira Castellano" })).toBeVisible();
});

test("a tap on a name opens the profile without requesting a card", async ({
  browser,
  baseURL,
  page,
  signInAs,
}) => {
  await signInAs("ines");
  const touch = await browser.newContext({
    baseURL,
    hasTouch: true,
    isMobile: true,
    storageState: await page.context().storageState(),
  });
  const phone = await touch.newPage();
  const cardRequests: string[] = [];
  phone.on("request", (request) => void (/\/card/.test(request.url()) && cardRequests.push(request.url())));
  await phone.goto("/groups/long-beds?tab=members");
  await phone
    .getByRole("main")
    .getByRole("link", { name: /Mira Castellano/ })
    .first()
    .tap();
  await expect(phone.getByRole("heading", { level: 1, name: "Mira Castellano" })).toBeVisible();
  expect(cardRequests).toEqual([]);
  await touch.close();
});
