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
