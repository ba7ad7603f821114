import { afterEach, beforeEach, expect, test } from "vitest";
import {
  answerEvent,
  cancelEvent,
  CheckIn,
  checkInAttendee,
  editEvent,
  EventAnswer,
  EventChange,
  getEvent,
  releasePlaces,
  toFormTimes,
} from "#community/calendar";
import { leaveGroup } from "#community/groups";
import { addMilliseconds, HOUR } from "#platform/clock";
import { many, run, sql, type Tx } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  createTestUsers,
  setMembership,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { createTestEvent } from "../../../../test/support/calendar-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  type TestConnection,
  startRealtimeServer,
} from "../../../../test/support/realtime/sdk-connection.ts";
import { connectTableFollower } from "../../../../test/support/realtime/table-followers.ts";

const database = await testDatabase();
const { db } = database;
let line: TestConnection;
let people: TestUsers;
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(() => line.close());

const NAMES = ["mira", "tomas", "noor", "ada", "guest"] as const;
type Name = (typeof NAMES)[number];

/** Subscribes everyone to all changes of an entity. Returns a function that takes each person's new changes. */
async function followAll(table: string) {
  const received = new Map<Name, string[]>(NAMES.map((name) => [name, []]));
  const followers = await Promise.all(NAMES.map((name) => connectTableFollower(line, people[name])));
  for (const [i, follower] of followers.entries())
    for (const event of ["created", "updated", "deleted"]) {
      const { received: it } = await follower.follow(event, undefined, table);
      const take = it.take;
      it.take = (answer) => {
        take(answer);
        received
          .get(NAMES[i]!)!
          .push(`${event} ${String((answer.data as Record<string, unknown>)["objectId"])}`);
      };
    }
  return async () => {
    await line.idle();
    for (const follower of followers) await follower.still();
    return Object.fromEntries([...received].map(([name, list]) => [name, list.splice(0)])) as Record<
      Name,
      string[]
    >;
  };
}
const within = async <T>(work: (tx: Tx) => Promise<T>) => {
  const done = await database.inTransaction(work);
  await line.idle();
  return done;
};

/** A private group of Tomas with Mira and Noor as members; Ada is not a member. */
async function createGroup() {
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  return group;
}

test("changes of an event are delivered to the people who can see it", async () => {
  const group = await createGroup();
  const changes = await followAll("Events");
  const { id } = await createTestEvent(database, people.mira, group.id);
  const inside = (...all: string[]) => ({ mira: all, tomas: all, noor: all, ada: [], guest: [] });
  expect(await changes()).toEqual(inside(`created ${id}`));
  const { occurrenceId } = await getEvent(db, people.mira, id);
  await within((tx) => answerEvent(tx, people.noor, EventAnswer.parse({ occurrenceId, answer: "going" })));
  expect(await changes()).toEqual(inside(`updated ${id}`));
  await within((tx) => cancelEvent(tx, people.mira, { eventId: id, reason: "Snow." }));
  expect(await changes()).toEqual(inside(`updated ${id}`));
});

test("dates of a series are delivered as they are added, changed and deleted", async () => {
  const group = await createGroup();
  const changes = await followAll("Events");
  await createTestEvent(database, people.mira, group.id, { repeats: "weekly", count: 4 });
  const dates = (
    await many(
      db,
      sql<{ id: string }>`select id from calendar_events where group_id = ${group.id} order by ends_at`,
    )
  ).map(({ id }) => id);
  const created = (await changes()).noor;
  expect(created).toEqual(dates.map((id) => `created ${id}`));
  const event = await getEvent(db, people.mira, dates[1]!);
  const lastDay = (await getEvent(db, people.mira, dates[2]!)).seriesDate;
  database.clock.pass(1_000);
  const input = EventChange.parse({
    ...toFormTimes(event),
    timeZone: event.timeZone,
    title: "Welding evening",
    eventId: event.id,
    changes: event.changes,
    scope: "following",
    repeats: "weekly",
    lastDay,
  });
  await within((tx) => editEvent(tx, people.mira, input));
  const { noor, ada } = await changes();
  expect(noor.toSorted()).toEqual(
    [`deleted ${dates[3]}`, `updated ${dates[1]}`, `updated ${dates[2]}`].toSorted(),
  );
  expect(ada).toEqual([]);
});

test("answers are delivered as the lists of the event show them", async () => {
  const group = await createGroup();
  const { id } = await createTestEvent(database, people.mira, group.id);
  const { occurrenceId } = await getEvent(db, people.mira, id);
  const answer = (who: SignedIn, wanted: string) =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: wanted })));
  await within((tx) => setMembership(tx, group.id, people.ada, "member"));
  const changes = await followAll("Attendances");
  const own = `${occurrenceId}:${people.noor.id}`;
  const managers = (event: string) => ({ mira: [event], tomas: [event], noor: [event] });
  await answer(people.noor, "declined");
  expect(await changes()).toEqual({ ...managers(`created ${own}`), ada: [], guest: [] });
  await answer(people.noor, "going");
  expect(await changes()).toEqual({ ...managers(`updated ${own}`), ada: [`created ${own}`], guest: [] });
  await answer(people.noor, "declined");
  expect(await changes()).toEqual({ ...managers(`updated ${own}`), ada: [`deleted ${own}`], guest: [] });
  await answer(people.noor, "maybe");
  await changes();
  await run(
    db,
    sql`update calendar_occurrences set starts_at = ${addMilliseconds(database.clock.at, HOUR)}
      where id = ${occurrenceId}`,
  );
  const checkIn = CheckIn.parse({ occurrenceId, personId: people.noor.id, isPresent: true });
  await within((tx) => checkInAttendee(tx, people.mira, checkIn));
  const seen = [`updated ${own}`];
  expect(await changes()).toEqual({ mira: seen, tomas: seen, noor: [], ada: [], guest: [] });
  await within((tx) => leaveGroup(tx, people.noor, { groupId: group.id }));
  await releasePlaces(database, { type: "group.left", by: people.noor.id, groupId: group.id });
  const gone = [`deleted ${own}`];
  expect(await changes()).toEqual({ mira: gone, tomas: gone, noor: [], ada: gone, guest: [] });
});
