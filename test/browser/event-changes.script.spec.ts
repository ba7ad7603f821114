import { expect, test } from "../support/browser/fixtures.ts";
import { answerPanel, createEvent, dayAhead } from "../support/browser/event-steps.ts";
import { registerMember } from "../support/browser/registration-steps.ts";
import {
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  openNotification,
  uniqueName,
} from "../support/browser/steps.ts";

test("an event is edited, and cancelled with a reason that members read", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const title = uniqueName("Pruning the pears");
  await signInAs("mira");
  await createEvent(page, title);
  await followLink(main(page).getByRole("link", { name: "Edit event" }));
  await expect(page.getByLabel("Start", { exact: true })).toHaveValue(`${dayAhead(3)}T18:00`);
  await accessible();
  await page.getByLabel("Place (optional)").fill("Under the pear");
  await clickButton(page, "Save");
  await expect(main(page)).toContainText("Under the pear");
  await followLink(main(page).getByRole("link", { name: "Edit event" }));
  await page.getByLabel("Reason").fill("The ladder is broken.");
  await clickButton(page, "Cancel event");
  await expect(main(page)).toContainText("The ladder is broken.");

  const ines = await another("ines");
  await ines.goto(page.url());
  await expect(main(ines)).toContainText("This event was cancelled.");
  await expect(answerPanel(ines)).toHaveCount(0);
  await ines.goto("/groups/long-beds/events");
  await expect(main(ines).getByRole("listitem").filter({ hasText: title })).toContainText("Cancelled");
  await accessible(undefined, ines);
});

test("guests read the events of a public group, and are asked to sign in to answer", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const title = uniqueName("Open garden");
  await signInAs("mira");
  await createEvent(page, title);
  const guest = await another();
  await guest.goto("/events");
  await followLink(guest.getByRole("link", { name: title }));
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(guest.getByRole("link", { name: "Sign in to answer" })).toBeVisible();
  await accessible(undefined, guest);
});

test("a postponed event is shown as such and accepts no answers until it has a new time", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const title = uniqueName("Cider pressing");
  await signInAs("mira");
  await createEvent(page, title);
  const address = new URL(page.url()).pathname;
  const ines = await another("ines");
  await ines.goto(address);
  await clickButton(ines, "Going");
  await expect(answerPanel(ines)).toContainText("You're going.");

  await followLink(main(page).getByRole("link", { name: "Edit event" }));
  await page.getByLabel("Reason").fill("The apples need another week.");
  await clickButton(page, "Postpone event");
  await expect(main(page)).toContainText("This event is postponed. Its new date is not known yet.");
  await accessible();
  await ines.goto(address);
  await expect(main(ines)).toContainText("The apples need another week.");
  // The title is isolated, as it may be right-to-left.
  await openNotification(ines, `${title}\u2069 is postponed`, "another week");
  await expect(ines.getByRole("heading", { level: 1 })).toHaveText(title);

  await followLink(main(page).getByRole("link", { name: "Edit event" }));
  await accessible();
  await page.getByLabel("Start", { exact: true }).fill(`${dayAhead(10)}T18:00`);
  await page.getByLabel("End", { exact: true }).fill(`${dayAhead(10)}T21:00`);
  await clickButton(page, "Save");
  await expect(main(page)).not.toContainText("This event is postponed.");
});

test("a calendar feed lists the events that its owner answered, and is empty once revoked", async ({
  page,
  signInAs,
  request,
  accessible,
}) => {
  const title = uniqueName("Bat walk");
  await signInAs("mira");
  await createEvent(page, title);
  await clickButton(page, "Going");
  await expect(answerPanel(page)).toContainText("You're going.");
  await page.goto("/events");
  await followLink(main(page).getByRole("link", { name: "Subscribe to calendar" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Calendar feeds");
  await accessible();
  const answered = main(page).getByRole("region", { name: "Events you answered" });
  await answered.getByRole("button", { name: "Create address" }).click();
  const field = answered.getByLabel("Address");
  await expect(field).toHaveValue(/\.ics/);
  await accessible();
  const address = await field.inputValue();
  await expect(answered.getByRole("link", { name: "Subscribe" })).toHaveAttribute("href", /^webcal:/);
  // The program that reads the feed is not signed in.
  const feed = await request.get(address);
  expect(feed.headers()["content-type"]).toContain("text/calendar");
  expect(await feed.text()).toContain(`SUMMARY:${title}`);

  await answered.getByRole("button", { name: "New address" }).click();
  await expect(field).not.toHaveValue(address);
  const next = await field.inputValue();
  expect([(await request.get(address)).status(), (await request.get(next)).status()]).toEqual([404, 200]);
  await answered.getByRole("button", { name: "Revoke" }).click();
  await expect(field).toHaveCount(0);
  expect((await request.get(next)).status()).toBe(404);
});

test("a new member's event is pending until a moderator approves it", async ({
  page,
  signInAs,
  another,
  mail,
  accessible,
}) => {
  test.slow();
  const title = uniqueName("Seed swap");
  const name = uniqueName("Seed swappers");
  await signInAs("tomas");
  await createGroup(page, name);
  const group = new URL(page.url()).pathname;
  const newcomer = await another();
  await newcomer.goto("/");
  await registerMember(newcomer, mail);
  await join(newcomer, group);
  await newcomer.goto(`/events/new?group=${group.split("/").at(-1)}`);
  await newcomer.getByLabel("Title").fill(title);
  await newcomer.getByLabel("Start", { exact: true }).fill(`${dayAhead(5)}T18:00`);
  await newcomer.getByLabel("End", { exact: true }).fill(`${dayAhead(5)}T21:00`);
  await newcomer.getByLabel("Description").fill("Seeds: https://beans.example/shop");
  await clickButton(newcomer, "Create event");
  await expect(newcomer).toHaveURL(/\/drafts#waiting$/);
  await expect(main(newcomer).getByRole("heading", { name: title })).toBeVisible();
  await accessible(undefined, newcomer);

  await openNotification(page, name, "awaits approval");
  const pending = main(page).getByRole("listitem").filter({ hasText: title });
  await expect(pending).toContainText("no posts so far");
  await accessible();
  await pending.getByRole("button", { name: /^Approve/ }).click();
  await expect(main(page).getByText("Nothing to do.")).toBeVisible();
  await page.goto(`${group}/events`);
  await followLink(main(page).getByRole("link", { name: title }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});
