import { expect, test } from "../support/browser/fixtures.ts";
import { clickButton, main, uniqueName } from "../support/browser/steps.ts";

test("arrow keys move between the days of a month, and Tab leaves the month", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/events?view=month&month=2026-03");
  const day = (name: string) => main(page).getByRole("table").getByRole("link", { name, exact: true });
  await day("March 1").focus();
  await page.keyboard.press("ArrowRight");
  await expect(day("March 2")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(day("March 9")).toBeFocused();
  await page.keyboard.press("End");
  await expect(day("March 14")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(day("March 8")).toBeFocused();
  await expect(main(page).locator("[data-day]:not([tabindex='-1'])")).toHaveCount(1);
});

test("an answer to an event appears on the open page of another member", async ({
  page,
  signInAs,
  another,
}) => {
  const title = uniqueName("Compost day");
  await signInAs("mira");
  await page.goto("/events/new?group=long-beds");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("All day").check();
  await page.getByLabel("Start", { exact: true }).fill("2027-06-05");
  await expect(page.getByLabel("End", { exact: true })).toHaveValue("2027-06-05");
  await page.getByLabel("Description").fill("All of it.");
  await clickButton(page, "Create event");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(main(page)).toContainText("All day");

  const ines = await another("ines");
  await ines.goto(page.url());
  await clickButton(ines, "Going");
  await expect(main(page).getByRole("region", { name: "Attendees" })).toContainText("Inês");
});

test("nothing is cut off on narrow pages and with doubled text size", async ({ page, signInAs }) => {
  await signInAs("mira");
  for (const [width, size] of [
    [320, "100%"],
    [390, "200%"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/events", "/events?view=month", "/groups/long-beds/events", "/events/new"]) {
      await page.goto(path);
      await page.evaluate((it) => (document.documentElement.style.fontSize = it), size);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(excess, `${path} ${width}`).toBeLessThanOrEqual(0);
    }
  }
});
