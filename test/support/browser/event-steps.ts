import { expect, type Page } from "@playwright/test";
import { addMilliseconds, DAY } from "../../../src/platform/clock/index.ts";
import { clickButton } from "./steps.ts";

/** Returns the date in this many days, in the format of a form field. */
export const dayAhead = (days: number) =>
  addMilliseconds(new Date(), days * DAY)
    .toISOString()
    .slice(0, 10);

/** Creates an event in Long Beds by the form, as a member who is signed in. */
export async function createEvent(
  page: Page,
  title: string,
  more: () => Promise<unknown> = async () => {},
  days = 3,
) {
  await page.goto("/events/new?group=long-beds");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Start", { exact: true }).fill(`${dayAhead(days)}T18:00`);
  await page.getByLabel("End", { exact: true }).fill(`${dayAhead(days)}T21:00`);
  await page.getByLabel("Place (optional)").fill("Tool shed");
  await page.getByLabel("Description").fill("Bring **gloves**.");
  await more();
  await clickButton(page, "Create event");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
}
export const answerPanel = (page: Page) => page.getByRole("form", { name: "Your answer" });
