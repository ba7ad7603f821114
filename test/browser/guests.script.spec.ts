import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { main } from "./steps.ts";

const isReady = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-sign-in", "ready");
const aDiscussion = (page: Page) => main(page).locator('a[href^="/discussions/"]').first();

/** Moments of the page, as it tells them and as a reader in this zone would. */
const momentsOn = (page: Page) =>
  page.locator("main time[data-moment]").evaluateAll((all) =>
    all.map((it) => {
      const at = new Date((it as HTMLTimeElement).dateTime);
      const age = Date.now() - at.getTime();
      const year = age > 300 * 86_400_000 ? ({ year: "numeric" } as const) : {};
      const day = at.toLocaleDateString("en", { day: "numeric", month: "short", ...year });
      const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" }).format(at);
      return {
        told: [age < 7 * 86_400_000 ? day : it.textContent, (it as HTMLElement).title],
        meant: [day, exact],
        other: at.getDate() !== at.getUTCDate(),
      };
    }),
  );

test("a guest is told days and hours of their own zone, before the page wakes and after", async ({ another, baseURL }) => {
  // There it is the next day for fourteen hours of each.
  const page = await another(undefined, { timezoneId: "Pacific/Kiritimati", locale: "en" });
  const right = async () => {
    await expect(async () => {
      const moments = await momentsOn(page);
      expect(moments.map(({ told }) => told)).toEqual(moments.map(({ meant }) => meant));
      expect(moments.some(({ other }) => other)).toBe(true);
    }).toPass();
  };
  await page.goto(`${baseURL}/groups/long-beds`);
  await right();
  await page.getByRole("searchbox", { name: "Search" }).first().focus();
  await isReady(page);
  await right();
  await aDiscussion(page).click();
  await expect(page).toHaveURL(/\/discussions\//);
  await expect(page.getByRole("article").first()).toBeVisible();
  await right();
});

test("a key that a guest presses while they read wakes the page, and does what it means", async ({ page }) => {
  const arrive = async () => {
    await page.goto("/groups/long-beds");
    await expect(page.locator("html")).not.toHaveAttribute("data-sign-in");
  };
  await arrive();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search" }).first()).toBeFocused();
  await expect(page.locator(":focus")).toHaveValue("");

  await arrive();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();

  await arrive();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();

  await arrive();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/resources$/);

  // Once it is awake the page hears keys itself, and each of them once.
  await isReady(page);
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(page).toHaveURL(/\/discussions$/);
});

test("a letter that a guest writes is no key, and another one wakes nothing", async ({ page }) => {
  await page.goto("/groups/long-beds");
  await page.keyboard.press("x");
  await page.keyboard.press("Tab");
  await expect(page.locator('script[type="text/kith"]')).not.toHaveCount(0);
  const field = page.getByRole("searchbox", { name: "Search" }).first();
  await field.focus();
  await page.keyboard.type("g?");
  await isReady(page);
  await expect(field).toHaveValue("g?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
