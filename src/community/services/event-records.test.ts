import { expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR } from "#platform/clock";
import { getEvent } from "#community/calendar";
import { setMembership } from "../../../test/support/test-users.ts";
import { matchingRefusal, createRecordSetup } from "../../../test/support/services/record-setup.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";

const database = await testDatabase();
const { create, change, remove, getRow, setupGroup } = createRecordSetup(database);
const { clock, db, inTransaction: within } = database;

async function setup(more: Record<string, unknown> = {}) {
  const at = await setupGroup();
  await within((tx) => setMembership(tx, at.groupId, at.noor, "member"));
  const starts = addMilliseconds(new Date(Math.floor(clock.at.getTime() / HOUR) * HOUR), DAY);
  const id = await create(at.mira, "Events", {
    groupId: at.groupId,
    title: "Repair evening",
    text: "Bring what is broken.",
    startsAt: starts.getTime(),
    endsAt: addMilliseconds(starts, HOUR).toISOString(),
    timeZone: "Asia/Kathmandu",
    place: "Behind the mill",
    onlineUrl: "https://call.example/",
    capacity: 1,
    ...more,
  });
  return { ...at, id, starts, occurrenceId: String((await getRow(at.mira, "Events", id))["occurrenceId"]) };
}

test("an event is created with moments, changed, postponed and cancelled, and not deleted", async () => {
  const { mira, noor, id, starts, groupId } = await setup();
  expect(await getRow(mira, "Events", id)).toMatchObject({
    groupId,
    startsAt: starts,
    endsAt: addMilliseconds(starts, HOUR),
    timeZone: "Asia/Kathmandu",
    state: "scheduled",
  });
  expect((await getEvent(db, mira, id)).description).not.toBeNull();
  const later = addMilliseconds(starts, 2 * HOUR);
  // A whole record that comes back changes nothing but the changed values.
  const whole = { ...(await getRow(mira, "Events", id)), title: "Welding evening", endsAt: later };
  await change(mira, "Events", id, whole);
  expect(await getRow(mira, "Events", id)).toMatchObject({
    title: "Welding evening",
    startsAt: starts,
    endsAt: later,
    place: "Behind the mill",
    onlineUrl: "https://call.example/",
    capacity: 1,
    changes: 1,
  });
  await expect(change(mira, "Events", id, { ...whole, title: "Late evening" })).rejects.toMatchObject(
    matchingRefusal("conflict"),
  );
  await expect(change(noor, "Events", id, { title: "Late evening" })).rejects.toMatchObject(
    matchingRefusal("not-allowed"),
  );
  await expect(change(mira, "Events", id, { going: 7 })).rejects.toMatchObject(
    matchingRefusal("not-allowed", /going/),
  );
  await expect(change(mira, "Events", id, { startsAt: "soon" })).rejects.toMatchObject(
    matchingRefusal("invalid"),
  );
  await expect(change(mira, "Events", id, { state: "cancelled" })).rejects.toMatchObject(
    matchingRefusal("invalid"),
  );
  await expect(change(mira, "Events", id, { state: "over" })).rejects.toMatchObject(
    matchingRefusal("not-allowed"),
  );
  await expect(remove(mira, "Events", id)).rejects.toMatchObject(
    matchingRefusal("not-allowed", /Events\/cancel/),
  );
  await change(mira, "Events", id, { state: "postponed", reason: "Snow." });
  expect(await getRow(noor, "Events", id)).toMatchObject({ state: "postponed", reason: "Snow." });
  await change(mira, "Events", id, { state: "cancelled", reason: "More snow." });
  expect(await getRow(noor, "Events", id)).toMatchObject({ state: "cancelled", reason: "More snow." });
});

test("people answer for themselves, and hosts check them in", async () => {
  const { mira, tomas, noor, id, occurrenceId } = await setup();
  const own = await create(tomas, "Attendances", { eventId: id, answer: "going", note: "With a kettle." });
  expect(own).toBe(`${occurrenceId}:${tomas.id}`);
  const waiting = await create(noor, "Attendances", { occurrenceId, answer: "going" });
  expect(await getRow(noor, "Attendances", waiting)).toMatchObject({ answer: "waiting", mine: true });
  await change(noor, "Attendances", waiting, { note: "I can wait." });
  expect(await getRow(mira, "Attendances", waiting)).toMatchObject({
    answer: "waiting",
    note: "I can wait.",
  });
  await expect(change(mira, "Attendances", own, { answer: "declined" })).rejects.toMatchObject(
    matchingRefusal("not-allowed", /themselves/),
  );
  await expect(
    create(mira, "Attendances", { occurrenceId, answer: "going", personId: noor.id }),
  ).rejects.toMatchObject(matchingRefusal("not-allowed", /themselves/));
  await expect(create(noor, "Attendances", { answer: "going" })).rejects.toMatchObject(
    matchingRefusal("not-found"),
  );
  await expect(remove(tomas, "Attendances", own)).rejects.toMatchObject(
    matchingRefusal("not-allowed", /Decline/),
  );
  await change(tomas, "Attendances", own, { answer: "declined" });
  expect(await getRow(noor, "Attendances", waiting)).toMatchObject({ answer: "going" });
  // The declined answer has left the lists that other members see.
  await expect(getRow(noor, "Attendances", own)).rejects.toMatchObject(matchingRefusal("not-found"));

  clock.at = addMilliseconds(clock.at, DAY);
  await expect(change(noor, "Attendances", waiting, { checkedInAt: clock.at })).rejects.toMatchObject(
    matchingRefusal("not-allowed"),
  );
  await change(mira, "Attendances", waiting, { checkedInAt: clock.at });
  expect(await getRow(mira, "Attendances", waiting)).toMatchObject({ checkedInAt: clock.at });
  await change(mira, "Attendances", waiting, { checkedInAt: null });
  expect(await getRow(mira, "Attendances", waiting)).toMatchObject({ checkedInAt: null });
});

test("an all-day event ends where the next day starts", async () => {
  const { mira, id, starts } = await setup({
    allDay: true,
    timeZone: "UTC",
    startsAt: undefined,
    endsAt: undefined,
    starts: addMilliseconds(clock.at, DAY).toISOString().slice(0, 10),
    ends: addMilliseconds(clock.at, DAY).toISOString().slice(0, 10),
  });
  const before = await getRow(mira, "Events", id);
  expect((before["endsAt"] as Date).getTime() - (before["startsAt"] as Date).getTime()).toBe(DAY);
  await change(mira, "Events", id, { ...before, place: "In the hall" });
  expect(await getRow(mira, "Events", id)).toMatchObject({
    startsAt: before["startsAt"],
    endsAt: before["endsAt"],
    place: "In the hall",
  });
  expect(starts > clock.at).toBe(true);
});
