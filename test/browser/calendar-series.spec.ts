import { addMilliseconds, DAY } from "../../src/platform/clock/index.ts";
import { expect, JAVASCRIPT_ONLY, test } from "../support/browser/fixtures.ts";
import { createEvent } from "../support/browser/event-steps.ts";
import { clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";

/** Returns the date in this many days, in the format of a form field. */
const dayAhead = (days: number) =>
  addMilliseconds(new Date(), days * DAY)
    .toISOString()
    .slice(0, 10);

test("a series is previewed, created, changed from one date on, and cancelled as a whole", async ({
  page,
  signInAs,
  accessible,
}) => {
  const title = uniqueName("Evening watering");
  await signInAs("mira");
  await page.goto("/events/new?group=long-beds");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Start", { exact: true }).fill(`${dayAhead(3)}T18:00`);
  await page.getByLabel("End", { exact: true }).fill(`${dayAhead(3)}T19:00`);
  await page.getByLabel("Repeats", { exact: true }).selectOption("weekly");
  await page.getByLabel("Last day (optional)").fill(dayAhead(40));
  await page.getByLabel("Number of dates (optional)").fill("6");
  await clickButton(page, "Show dates");
  await expect(main(page)).toContainText("Choose either a last day or a number of dates, not both.");
  await page.getByLabel("Last day (optional)").fill("");
  await clickButton(page, "Show dates");
  await expect(page.getByRole("region", { name: "Dates" }).getByRole("listitem")).toHaveCount(6);
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await accessible();
  await page.getByLabel("Description").fill("Bring a can.");
  await clickButton(page, "Create event");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(main(page)).toContainText("Every week: ");
  const dates = page.getByRole("region", { name: "More dates" });
  await expect(dates.getByRole("listitem")).toHaveCount(5);
  await accessible();

  // Each date has the same links, so the next click must wait for the page of the third date.
  const third = (await dates.getByRole("link").nth(1).getAttribute("href"))!;
  await followLink(dates.getByRole("link").nth(1));
  await expect(page).toHaveURL(third);
  await followLink(main(page).getByRole("link", { name: "Edit event" }));
  await page.getByLabel("Applies to").first().selectOption("following");
  await page.getByLabel("Interval").fill("2");
  await page.getByLabel("Place (optional)").fill("Long bed");
  await accessible();
  await clickButton(page, "Save");
  await expect(main(page)).toContainText("Every 2 weeks: ");
  await expect(dates.getByRole("listitem")).toHaveCount(1);

  await followLink(main(page).getByRole("link", { name: "Edit event" }));
  await page.getByLabel("Reason").fill("It rains.");
  await page.getByLabel("Applies to").last().selectOption("all");
  await clickButton(page, "Cancel event");
  await expect(main(page)).toContainText("It rains.");
  await expect(dates.getByRole("listitem").filter({ hasText: "Cancelled" })).toHaveCount(1);
});

test(
  "a single event becomes a series, and a date of it an event that no longer repeats",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const title = uniqueName("Turning the compost");
    await signInAs("mira");
    await createEvent(page, title, undefined, 50);
    const address = new URL(page.url()).pathname;
    await page.goto(`${address}/edit`);
    await page.getByLabel("Repeats").selectOption("daily");
    await page.getByLabel("Number of dates (optional)").fill("3");
    await accessible();
    await clickButton(page, "Save");
    await expect(main(page)).toContainText("Every day");
    await page.goto(`${address}/edit`);
    await page.getByLabel("Applies to").first().selectOption("all");
    await page.getByLabel("Repeats").selectOption("once");
    await clickButton(page, "Save");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(main(page)).not.toContainText("Every day");
  },
);
