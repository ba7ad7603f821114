import type { Page } from "@playwright/test";
import { addMilliseconds, DAY } from "../../src/platform/clock/index.ts";
import { expect, test } from "../support/browser/fixtures.ts";
import { clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";

/** Returns a time in this many days, in the format of a form field. */
const timeAhead = (days: number) =>
  `${addMilliseconds(new Date(), days * DAY)
    .toISOString()
    .slice(0, 10)}T18:00`;

const choices = (page: Page) => page.getByRole("form", { name: "Your answer" }).getByRole("group");

test("a date poll is created, answered by members, and turned into an event by its host", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const title = uniqueName("Turning the compost");
  await signInAs("mira");
  await page.goto("/groups/long-beds/events");
  await followLink(main(page).getByRole("link", { name: "Find a date" }).first());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Find a date");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Time 1", { exact: true }).fill(timeAhead(3));
  await clickButton(page, "Add times");
  await expect(page.getByLabel("Time 8", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Time 1", { exact: true })).toHaveValue(timeAhead(3));
  await accessible();
  // A time that was typed twice is refused at its field, with everything that was typed.
  await page.getByLabel("Time 2", { exact: true }).fill(timeAhead(3));
  await clickButton(page, "Create poll");
  await expect(page.getByLabel("Time 2", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await page.getByLabel("Time 2", { exact: true }).fill(timeAhead(4));
  await page.getByLabel("Time 8", { exact: true }).fill(timeAhead(5));
  await clickButton(page, "Create poll");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(main(page)).toContainText("Nobody has answered yet.");
  const address = new URL(page.url()).pathname;

  const ines = await another("ines");
  await ines.goto("/groups/long-beds/events");
  await followLink(main(ines).getByRole("link", { name: title }));
  await expect(choices(ines)).toHaveCount(3);
  await clickButton(ines, "Save answers");
  await expect(main(ines)).toContainText("Choose an answer for at least one time.");
  await choices(ines).nth(0).getByLabel("No", { exact: true }).check();
  await choices(ines).nth(1).getByLabel("Yes").check();
  await choices(ines).nth(2).getByLabel("If need be").check();
  await clickButton(ines, "Save answers");
  await expect(main(ines)).toContainText("Saved. You can change it until the poll closes.");
  await expect(choices(ines).nth(1).getByLabel("Yes")).toBeChecked();
  await accessible(undefined, ines);

  await page.goto(address);
  await choices(page).nth(1).getByLabel("If need be").check();
  await clickButton(page, "Save answers");
  const table = main(page).getByRole("table");
  await expect(table.getByRole("row").filter({ hasText: "Inês" }).getByRole("cell")).toHaveText([
    /No$/,
    /Yes$/,
    /If need be$/,
  ]);
  await expect(table.getByText("Best time")).toHaveCount(1);
  await accessible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(table).toBeHidden();
  await expect(main(page).getByRole("paragraph").filter({ hasText: "1 yes, 1 if need be" })).toBeVisible();
  await accessible();
  await followLink(
    main(page)
      .getByRole("link", { name: /^Choose/ })
      .nth(1),
  );
  await expect(main(page)).toContainText("1 person said yes and will be going.");
  await accessible();
  await page.getByLabel("Description").fill("Bring forks.");
  await clickButton(page, "Create event");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.getByRole("form", { name: "Your answer" })).toContainText("You answered “Maybe”.");
  await ines.goto(address);
  await expect(main(ines)).toContainText("The date is chosen.");
  await followLink(main(ines).getByRole("link", { name: "Go to the event" }));
  await expect(ines.getByRole("form", { name: "Your answer" })).toContainText("You're going.");
});
