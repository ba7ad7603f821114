import { addMilliseconds, DAY } from "../../src/platform/clock/index.ts";
import { expect, test } from "../support/browser/fixtures.ts";
import { clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";
import { calendarFile, fileEvent } from "../support/calendar-files.ts";

const inDays = (days: number) =>
  addMilliseconds(new Date(), days * DAY)
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, "");
const fileOf = (text: string) => ({ name: "club.ics", mimeType: "text/calendar", buffer: Buffer.from(text) });

test("a calendar file is previewed, imported and undone", async ({ page, signInAs, accessible }) => {
  const [tea, yoga] = [uniqueName("Tea"), uniqueName("Yoga")];
  await signInAs("mira");
  await page.goto("/groups/long-beds/events");
  await followLink(main(page).getByRole("link", { name: "Import events" }));
  await accessible();
  const field = page.getByLabel("Calendar file");
  await field.setInputFiles(fileOf("Hello"));
  await clickButton(page, "Show preview");
  await expect(main(page)).toContainText("This is not a calendar file.");
  await field.setInputFiles(
    fileOf(
      calendarFile(
        fileEvent(tea, tea, inDays(3), "LOCATION:Kitchen", "DESCRIPTION:With cake."),
        fileEvent(yoga, yoga, inDays(2), "RRULE:FREQ=WEEKLY;COUNT=4"),
        fileEvent("old", "Long ago", "20200101T100000Z"),
        fileEvent("zone", "Second breakfast", "20300101T100000", "DTEND;TZID=Middle/Earth:20300101T110000"),
      ),
    ),
  );
  await clickButton(page, "Show preview");
  await expect(main(page)).toContainText("New events (2)");
  await expect(main(page)).toContainText("3 more dates");
  await expect(main(page)).toContainText("Already over: 1 event");
  await expect(main(page)).toContainText("Unknown time zone “Middle/Earth”: 1 event");
  await accessible();
  await clickButton(page, "Import");
  await expect(main(page)).toContainText("The events are imported.");
  await expect(main(page)).toContainText("5 new, 0 changed, 0 removed");
  await accessible();
  const address = page.url();
  await followLink(main(page).getByRole("link", { name: "Show events" }));
  await followLink(main(page).getByRole("link", { name: tea }));
  await expect(main(page)).toContainText("With cake.");
  await expect(main(page)).toContainText("Kitchen");
  await page.goto(address);
  await clickButton(page, "Undo import");
  await expect(main(page)).toContainText("This import was undone.");
  await page.goto("/groups/long-beds/events");
  await expect(main(page).getByRole("link", { name: tea })).toHaveCount(0);
});

test("moderators subscribe the group to a calendar and remove it again", async ({
  page,
  signInAs,
  accessible,
}) => {
  const host = `${uniqueName("calendar")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "-")}.invalid`;
  await signInAs("ines");
  await page.goto("/groups/long-beds/events/subscriptions");
  await page.getByLabel("Address").fill("ftp://example.org/");
  await clickButton(page, "Add calendar");
  await expect(main(page)).toContainText("An address begins with webcal:// or https://.");
  await page.getByLabel("Address").fill(`webcal://${host}/club.ics`);
  await clickButton(page, "Add calendar");
  const calendar = main(page).getByRole("region", { name: host });
  await expect(calendar).toContainText(`https://${host}/club.ics`);
  await expect(async () => {
    await page.reload();
    await expect(calendar).toContainText("The server did not respond.", { timeout: 500 });
  }).toPass();
  await accessible();
  await calendar.getByRole("button", { name: "Remove calendar" }).click();
  await expect(calendar).toHaveCount(0);
});
