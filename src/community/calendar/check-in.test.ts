import { expect, test } from "vitest";
import { addMilliseconds, DAY } from "#platform/clock";
import type { SignedIn } from "#community/rules";
import { createTestEvent } from "../../../test/support/calendar-setup.ts";
import { createTestGroup, createTestUsers, setMembership } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  cancelEvent,
  CheckIn,
  checkInAttendee,
  EventAnswer,
  getEvent,
  iterateAttendees,
  listAttendees,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

/** Mira's event tomorrow, which allows two companions per person. Noor is going with one companion. */
async function setup() {
  const people = await createTestUsers(database);
  const { mira, noor } = people;
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const { id } = await createTestEvent(database, mira, group.id, { companions: 2 });
  const { occurrenceId } = await getEvent(db, mira, id);
  const answer = (who: SignedIn, choice: "going" | "maybe" | "declined", companions = 0) =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: choice, companions })));
  await answer(noor, "going", 1);
  const checkIn = (by: SignedIn, who: SignedIn, isPresent: "yes" | "no" = "yes") =>
    within((tx) =>
      checkInAttendee(tx, by, CheckIn.parse({ occurrenceId, personId: who.id, isPresent })),
    ).then(
      () => "done",
      (error: { reason: string }) => error.reason,
    );
  const count = async () => (await getEvent(db, mira, id)).checkedIn;
  return { ...people, group, id, answer, checkIn, count };
}

test("check-in includes companions, starts twelve hours before the event, and can be undone", async () => {
  const { mira, tomas, noor, id, checkIn, count } = await setup();
  expect(await checkIn(mira, noor)).toBe("conflict");
  clock.at = addMilliseconds((await getEvent(db, mira, id)).startsAt, -DAY / 2);
  expect(await checkIn(mira, noor)).toBe("done");
  expect(await checkIn(tomas, noor)).toBe("done");
  expect(await count()).toBe(2);
  const going = async (viewer: SignedIn) =>
    (await listAttendees(db, viewer, await getEvent(db, viewer, id), { answer: "going" })).rows;
  expect(await going(mira)).toMatchObject([{ id: noor.id, checkedInAt: clock.at }]);
  expect(await going(noor)).toMatchObject([{ checkedInAt: null }]);
  expect(await checkIn(mira, noor, "no")).toBe("done");
  expect(await count()).toBe(0);
});

test("check-in is possible after an event, but not if it was cancelled", async () => {
  const { mira, noor, id, checkIn, count } = await setup();
  const before = clock.at;
  clock.at = addMilliseconds(clock.at, 3 * DAY);
  expect(await checkIn(mira, noor)).toBe("done");
  expect(await count()).toBe(2);
  clock.at = before;
  await within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Rain." }));
  expect(await checkIn(mira, noor)).toBe("conflict");
});

test("check-in fails for ordinary members, and of people who are not coming", async () => {
  const { mira, tomas, noor, answer, id, checkIn } = await setup();
  clock.at = addMilliseconds((await getEvent(db, mira, id)).startsAt, -DAY / 2);
  expect(await checkIn(noor, noor)).toBe("not-allowed");
  expect(await checkIn(mira, tomas)).toBe("not-found");
  await answer(noor, "declined");
  expect(await checkIn(mira, noor)).toBe("not-found");
});

test("declining an event undoes the check-in", async () => {
  const { mira, noor, answer, id, checkIn, count } = await setup();
  clock.at = addMilliseconds((await getEvent(db, mira, id)).startsAt, -DAY / 2);
  await checkIn(mira, noor);
  await answer(noor, "maybe");
  expect(await count()).toBe(1);
  await answer(noor, "declined");
  expect(await count()).toBe(0);
});

test("only managers of an event can list all answers", async () => {
  const { mira, tomas, noor, answer, id } = await setup();
  await answer(tomas, "declined");
  const list = async (viewer: SignedIn) => {
    const answers: string[] = [];
    for await (const it of iterateAttendees(db, viewer, await getEvent(db, viewer, id)))
      answers.push(`${it.name} ${it.answer} ${it.companions}`);
    return answers;
  };
  expect(await list(mira)).toEqual(["Noor going 1", "Tomas declined 0"]);
  await expect(list(noor)).rejects.toMatchObject({ reason: "not-found" });
});
