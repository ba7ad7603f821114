import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { main } from "../support/browser/steps.ts";

const isReady = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-sign-in", "ready");
const aDiscussion = (page: Page) => main(page).locator('a[href^="/discussions/"]').first();

/** Times on the page, as shown and as expected in this zone. */
const momentsOn = (page: Page) =>
  page.locator("main time[data-moment]").evaluateAll((all) =>
    all.map((it) => {
      const at = new Date((it as HTMLTimeElement).dateTime);
      const age = Date.now() - at.getTime();
      const year = age > 300 * 86_400_000 ? ({ year: "numeric" } as const) : {};
      const day = at.toLocaleDateString("en", { day: "numeric", month: "short", ...year });
      const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" }).format(at);
      return {
        displayed: [age < 7 * 86_400_000 ? day : it.textContent, (it as HTMLElement).title],
        expected: [day, exact],
        other: at.getDate() !== at.getUTCDate(),
      };
    }),
  );

test("a guest sees dates and times in their own zone, before and after hydration", async ({
  another,
  baseURL,
}) => {
  // In this time zone (UTC+14) the date is ahead of UTC for fourteen of 24 hours.
  const page = await another(undefined, { timezoneId: "Pacific/Kiritimati", locale: "en" });
  const right = async () => {
    await expect(async () => {
      const moments = await momentsOn(page);
      expect(moments.map(({ displayed }) => displayed)).toEqual(moments.map(({ expected }) => expected));
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

test("a guest's keyboard shortcut hydrates the page and takes effect", async ({ page }) => {
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
  // Sent together: on a busy machine, more than the time for the second key would pass between two calls.
  await Promise.all(["g", "r"].map((key) => page.keyboard.press(key)));
  await expect(page).toHaveURL(/\/resources$/);

  // After hydration the page itself handles the keys, each exactly once.
  await isReady(page);
  await Promise.all(["g", "d"].map((key) => page.keyboard.press(key)));
  await expect(page).toHaveURL(/\/discussions$/);
});

test("letters typed into a field trigger no shortcut", async ({ page }) => {
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
