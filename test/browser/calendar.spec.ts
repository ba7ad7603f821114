import { expect, test } from "../support/browser/fixtures.ts";
import { answerPanel, createEvent, dayAhead } from "../support/browser/event-steps.ts";
import { chooseByMode, clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";
import { addMilliseconds, HOUR } from "../../src/platform/clock/index.ts";

test("an event is created, answered by a member, and shown in the group and to its host", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const title = uniqueName("Digging the long bed");
  await signInAs("mira");
  await page.goto("/groups/long-beds/events");
  await followLink(main(page).getByRole("link", { name: "New event" }).first());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New event");
  await accessible();
  await createEvent(page, title, async () => {
    await page.getByLabel("Number of places (optional)").fill("1");
    await page.getByLabel("Maximum companions per person").selectOption("2");
  });
  await expect(main(page)).toContainText("0 of 1 place taken");
  await expect(main(page).getByText("gloves")).toBeVisible();
  await expect(main(page)).toContainText("Tool shed");
  await accessible();
  const address = new URL(page.url()).pathname;

  const ines = await another("ines");
  await ines.goto(address);
  await clickButton(ines, "Going");
  await expect(answerPanel(ines)).toContainText("You're going.");
  await expect(main(ines)).toContainText("1 of 1 place taken");
  await accessible(undefined, ines);

  await page.goto(address);
  await clickButton(page, "Join the waiting list");
  await expect(answerPanel(page)).toContainText("You're number 1 on the waiting list.");
  await clickButton(ines, "Not going");
  await expect(answerPanel(ines)).toContainText("You're not going.");
  await page.goto(address);
  await expect(answerPanel(page)).toContainText("You're going.");

  await page.goto("/events");
  await expect(main(page).getByRole("listitem").filter({ hasText: title })).toContainText("You're going");
  await accessible();
  await page.goto("/groups/long-beds/events");
  await expect(main(page).getByRole("link", { name: title })).toBeVisible();
  await accessible();
});

test("a rejected form keeps its values and shows the error at its field", async ({
  page,
  signInAs,
  accessible,
}) => {
  const title = uniqueName("Ends before it starts");
  await signInAs("mira");
  await page.goto("/events/new?group=long-beds");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Start", { exact: true }).fill(`${dayAhead(3)}T18:00`);
  await page.getByLabel("End", { exact: true }).fill(`${dayAhead(3)}T17:00`);
  await page.getByLabel("Time zone").selectOption("Australia/Lord_Howe");
  await page.getByLabel("Description").fill("Bring gloves.");
  await clickButton(page, "Create event");
  await expect(page.getByLabel("End", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(main(page)).toContainText("The event has to end after it starts.");
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(page.getByLabel("Description")).toHaveValue("Bring gloves.");
  await expect(page.getByLabel("Time zone")).toHaveValue("Australia/Lord_Howe");
  await expect(page.getByLabel("Start", { exact: true })).toHaveValue(`${dayAhead(3)}T18:00`);
  await accessible();
});

test("a month is a table of days with their events, and links lead to the months before and after", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  const title = uniqueName("Sowing");
  // The event has a day of its own, because a cell of the calendar names few events.
  const days = chooseByMode(javaScriptEnabled, 41, 42);
  await signInAs("mira");
  await createEvent(page, title, undefined, days);
  await page.goto(`/groups/long-beds/events?view=month&month=${dayAhead(days).slice(0, 7)}`);
  const month = main(page).getByRole("table");
  await expect(month.getByRole("columnheader")).toHaveCount(7);
  await expect(month.getByRole("link", { name: title })).toBeVisible();
  await accessible();
  const heading = main(page).getByRole("heading", { level: 2 }).first();
  const shown = await heading.innerText();
  await followLink(main(page).getByRole("link", { name: "Next month" }));
  await expect(heading).not.toHaveText(shown);
  await followLink(main(page).getByRole("link", { name: "Previous month" }));
  await expect(heading).toHaveText(shown);
  await followLink(month.getByRole("link", { name: title }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});

test("a host checks people in, undoes it, and downloads the answers", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const title = uniqueName("Soup kitchen");
  const timeIn = (hours: number) =>
    addMilliseconds(new Date(), hours * HOUR)
      .toISOString()
      .slice(0, 16);
  await signInAs("mira");
  await createEvent(page, title, async () => {
    await page.getByLabel("Start", { exact: true }).fill(timeIn(3));
    await page.getByLabel("End", { exact: true }).fill(timeIn(6));
  });
  const address = new URL(page.url()).pathname;
  const ines = await another("ines");
  await ines.goto(address);
  await clickButton(ines, "Going");
  await expect(answerPanel(ines)).toContainText("You're going.");
  await page.goto(address);
  await expect(main(page)).toContainText("0 of 1 checked in");
  await clickButton(page, "Check in Inês Duarte");
  await expect(main(page)).toContainText("1 of 1 checked in");
  await accessible();
  const file = await page.request.get(`${address}/answers.csv`);
  expect(await file.text()).toMatch(/Inês Duarte,ines,going,0,,\d{4}-\S+,\d{4}-/);
  await clickButton(page, "Undo Inês Duarte");
  await expect(main(page)).toContainText("0 of 1 checked in");
});

test("two hosts share an event, the slower of two edits keeps its text, and one host leaves", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const title = uniqueName("Bread oven");
  await signInAs("mira");
  await createEvent(page, title, () => page.getByLabel("Other hosts (optional)").fill("ines"));
  const address = new URL(page.url()).pathname;
  const hosts = main(page).getByRole("region", { name: "Hosts" });
  await expect(hosts.getByRole("listitem")).toHaveCount(2);
  await page.goto(`${address}/edit`);
  await page.getByLabel("Place (optional)").fill("The yard");

  const ines = await another("ines");
  await ines.goto(`${address}/edit`);
  await ines.getByLabel("Place (optional)").fill("The bakery");
  await clickButton(ines, "Save");
  await expect(main(ines)).toContainText("The bakery");

  await clickButton(page, "Save");
  await expect(main(page)).toContainText("Someone else changed this event.");
  await expect(page.getByLabel("Place (optional)")).toHaveValue("The yard");
  await accessible();

  await main(ines).getByText("Stop hosting…").click();
  await accessible(undefined, ines);
  await clickButton(ines, "Stop hosting");
  await expect(
    main(ines).getByRole("region", { name: "Host", exact: true }).getByRole("listitem"),
  ).toHaveCount(1);
  await expect(main(ines).getByText("Stop hosting…")).toHaveCount(0);
});
