import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { banFromGroup, leaveGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createTestEvent } from "../../../test/support/calendar-setup.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  listEmittedEvents,
  setMembership,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { answerEvent, cancelEvent, EventAnswer, getEvent, releasePlaces } from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

/** Anna has the only place of Mira's event, and Bram waits. */
async function setup(visibility: "public" | "private" = "private") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const [anna, bram] = await within(async (tx) => {
    const newMembers: SignedIn[] = [];
    for (const name of ["anna", "bram"]) {
      newMembers.push(await createPerson(tx, name));
      await setMembership(tx, group.id, newMembers.at(-1)!, "member");
    }
    return newMembers as [SignedIn, SignedIn];
  });
  const { id } = await createTestEvent(database, people.mira, group.id, { capacity: 1 });
  const { occurrenceId } = await getEvent(db, people.mira, id);
  for (const who of [anna, bram])
    await within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: "going" })));
  const going = async () => {
    const { going: count } = await getEvent(db, people.mira, id);
    return [count, (await getEvent(db, bram, id)).answer];
  };
  const release = (type: string, fields: Record<string, string> = {}) =>
    releasePlaces(database, { type, groupId: group.id, ...fields });
  return { ...people, group, anna, bram, id, going, release };
}

test("the place of a member who leaves is given to one waiting person, even if the job runs twice", async () => {
  const { anna, group, going, release } = await setup();
  await within((tx) => leaveGroup(tx, anna, { groupId: group.id }));
  expect(await going()).toEqual([1, "waiting"]);
  for (let times = 0; times < 2; times++) await release("group.left", { by: anna.id });
  expect(await going()).toEqual([1, "going"]);
  const types = await listEmittedEvents(database);
  expect(types.filter((type) => /^calendar\.(moved-up|places-released)$/.test(type))).toEqual([
    "calendar.places-released",
    "calendar.moved-up",
  ]);
});

test("a banned member loses their place", async () => {
  const { tomas, anna, group, going, release } = await setup();
  await within((tx) => banFromGroup(tx, tomas, { groupId: group.id, personId: anna.id, reason: "Spam." }));
  await release("group.banned", { personId: anna.id });
  expect(await going()).toEqual([1, "going"]);
});

test("a closed account loses its places in all groups", async () => {
  const { anna, going } = await setup();
  await run(db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${anna.id}`);
  await releasePlaces(database, { type: "person.left", personId: anna.id });
  expect(await going()).toEqual([1, "going"]);
});

test("a former member keeps their place in a group open to readers, until it is closed to readers", async () => {
  const { anna, bram, group, going, release } = await setup("public");
  await run(db, sql`update groups set replies_by = 'readers' where id = ${group.id}`);
  await within((tx) => leaveGroup(tx, anna, { groupId: group.id }));
  await release("group.left", { by: anna.id });
  expect(await going()).toEqual([1, "waiting"]);
  await run(db, sql`update groups set replies_by = 'members' where id = ${group.id}`);
  await release("group.changed", { by: bram.id });
  expect(await going()).toEqual([1, "going"]);
});

test("a reader who never was a member loses their place once the group is closed to readers", async () => {
  const { anna, bram, group, going, release } = await setup("public");
  await run(db, sql`update groups set replies_by = 'readers' where id = ${group.id}`);
  await run(db, sql`delete from memberships where person_id = ${anna.id}`);
  await release("group.changed", { by: bram.id });
  expect(await going()).toEqual([1, "waiting"]);
  await run(db, sql`update groups set replies_by = 'members' where id = ${group.id}`);
  await release("group.changed", { by: bram.id });
  expect(await going()).toEqual([1, "going"]);
});

test("past and cancelled events keep their answers", async () => {
  const { mira, anna, group, id, going, release } = await setup();
  await within((tx) => leaveGroup(tx, anna, { groupId: group.id }));
  clock.pass(5 * DAY);
  await release("group.left", { by: anna.id });
  clock.pass(-5 * DAY);
  await within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Storm." }));
  await release("group.left", { by: anna.id });
  expect(await going()).toEqual([1, "waiting"]);
});
