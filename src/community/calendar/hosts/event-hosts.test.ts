import { expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { leaveGroup } from "#community/groups";
import { calendarRules, type SignedIn } from "#community/rules";
import type { z } from "zod";
import { createTestEvent, eventFields } from "../../../../test/support/calendar-setup.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { describeDeliveries, dispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  cancelEvent,
  createEvent,
  editEvent,
  EventChange,
  getEvent,
  NewEvent,
  releaseHosts,
  stopHosting,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const refused = (reason: string) => expect.objectContaining({ reason }) as object;
const onHosts = expect.objectContaining({ fields: { hosts: expect.anything() as object } }) as object;

/** Mira's event with Nora as second host, in Tomas's group, of which Lea is a member too. */
async function setup(more: Partial<z.input<typeof NewEvent>> = {}) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const [nora, lea] = await within(async (tx) => [
    await createPerson(tx, "nora"),
    await createPerson(tx, "lea"),
  ]);
  for (const who of [nora, lea]) await within((tx) => setMembership(tx, group.id, who, "member"));
  const { id } = await createTestEvent(database, people.mira, group.id, { hosts: "@Nora", ...more });
  const edit = (who: SignedIn, fields: Partial<z.input<typeof EventChange>>) => {
    const { body: _, ...words } = eventFields(clock.at);
    return within((tx) =>
      editEvent(tx, who, EventChange.parse({ ...words, eventId: id, changes: 0, ...fields })),
    );
  };
  const hosts = async (eventId = id) =>
    (await getEvent(db, people.tomas, eventId)).hosts.map(({ username }) => username);
  return { ...people, nora, lea, group, id, edit, hosts };
}

test("each host may do what the first may", async () => {
  const { nora, lea, id, edit } = await setup({ onlineUrl: "https://example.org/call" });
  const event = await getEvent(db, nora, id);
  expect(event).toMatchObject({ isHost: true, onlineUrl: "https://example.org/call" });
  expect(calendarRules.seeNotes(nora, event)).toBe(true);
  await edit(nora, { place: "The shed" });
  expect(await many(db, sql`select act from audit_events where object_id = ${id}`)).toEqual([]);
  await expect(edit(lea, { changes: 1 })).rejects.toEqual(refused("not-allowed"));
  expect((await getEvent(db, lea, id)).onlineUrl).toBeNull();
  await within((tx) => cancelEvent(tx, nora, { eventId: id, reason: "Rain." }));
});

test("only members whom no block separates from the editor become hosts", async () => {
  const { mira, noor, lea, edit, hosts, group } = await setup();
  await expect(edit(mira, { hosts: "mira, nora, noor" })).rejects.toEqual(onHosts);
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  await within((tx) => blockPerson(tx, lea, { personId: mira.id }));
  await expect(edit(mira, { hosts: "mira, nora, lea" })).rejects.toEqual(onHosts);
  await edit(mira, { hosts: "mira, nora, noor" });
  expect((await hosts()).toSorted()).toEqual(["mira", "noor", "nora"]);
});

test("a host who blocks the editor is hidden from them and stays", async () => {
  const { mira, nora, id, edit, hosts } = await setup();
  await within((tx) => blockPerson(tx, nora, { personId: mira.id }));
  expect((await getEvent(db, mira, id)).hosts.map(({ username }) => username)).toEqual(["mira"]);
  await edit(mira, { hosts: "mira" });
  expect(await hosts()).toEqual(["mira", "nora"]);
});

test("a removed first host is replaced, and an event keeps at least one host and at most ten", async () => {
  const { nora, group, id, edit, hosts } = await setup();
  await expect(edit(nora, { hosts: "" })).rejects.toEqual(onHosts);
  await edit(nora, { hosts: "nora" });
  expect(await hosts()).toEqual(["nora"]);
  expect((await getEvent(db, nora, id)).hostId).toBe(nora.id);
  const names = Array.from({ length: 10 }, (_, i) => `helper${i}`);
  for (const name of names)
    await within(async (tx) => setMembership(tx, group.id, await createPerson(tx, name), "member"));
  await expect(edit(nora, { changes: 1, hosts: ["nora", ...names] })).rejects.toThrow();
  await edit(nora, { changes: 1, hosts: ["nora", ...names.slice(1)] });
  expect(await hosts()).toHaveLength(10);
});

test("second host who saves an older form is told that someone else changed the event", async () => {
  const { mira, nora, edit } = await setup();
  const results = await Promise.allSettled([
    edit(mira, { place: "The shed" }),
    edit(nora, { place: "The hall" }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { reason: "conflict", message: expect.stringContaining("Someone else changed this event") },
  });
});

test("a host leaves, unless nobody else can act", async () => {
  const { mira, nora, lea, id, hosts } = await setup();
  const stop = (who: SignedIn) => within((tx) => stopHosting(tx, who, { eventId: id, scope: "this" }));
  await expect(stop(lea)).rejects.toEqual(refused("not-allowed"));
  await run(db, sql`update people set state = 'suspended' where id = ${nora.id}`);
  await expect(stop(mira)).rejects.toEqual(refused("conflict"));
  await run(db, sql`update people set state = 'active' where id = ${nora.id}`);
  await stop(mira);
  expect(await hosts()).toEqual(["nora"]);
  await expect(stop(nora)).rejects.toEqual(refused("conflict"));
});

test("a series takes hosts to later dates, and changes them from a date on", async () => {
  const { mira, nora, id, hosts } = await setup({ repeats: "daily", count: 4 });
  const { seriesId } = await getEvent(db, mira, id);
  const dates = await many(
    db,
    sql<{ id: string }>`select id from calendar_events where series_id = ${seriesId} order by series_date`,
  );
  const listHosts = () => Promise.all(dates.map((date) => hosts(date.id)));
  expect(await listHosts()).toEqual(dates.map(() => ["mira", "nora"]));
  await within((tx) => stopHosting(tx, mira, { eventId: dates[2]!.id, scope: "following" }));
  expect(await listHosts()).toEqual([["mira", "nora"], ["mira", "nora"], ["nora"], ["nora"]]);
  await expect(
    within((tx) => stopHosting(tx, nora, { eventId: dates[0]!.id, scope: "all" })),
  ).rejects.toEqual(refused("conflict"));
  expect(await listHosts()).toEqual([["mira", "nora"], ["mira", "nora"], ["nora"], ["nora"]]);
});

test("a host who leaves the group is replaced, and moderators take over from the last one", async () => {
  const { mira, nora, tomas, lea, group, id, hosts } = await setup();
  await dispatchEvents(database);
  await run(db, sql`delete from notifications`);
  const leave = async (who: SignedIn) => {
    await within((tx) => leaveGroup(tx, who, { groupId: group.id }));
    await releaseHosts(database, { type: "group.left", groupId: group.id, by: who.id });
    await dispatchEvents(database);
  };
  await leave(mira);
  expect(await hosts()).toEqual(["nora"]);
  expect(await one(db, sql`select host_id as "hostId" from calendar_events where id = ${id}`)).toEqual({
    hostId: nora.id,
  });
  expect(await describeDeliveries(database, nora)).toEqual(["event_host you_host"]);
  await leave(nora);
  expect(await hosts()).toEqual([]);
  expect(await describeDeliveries(database, tomas)).toEqual(["event_host you_lead"]);
  expect(await describeDeliveries(database, lea)).toEqual([]);
  await within((tx) => setMembership(tx, group.id, nora, "member"));
  expect(calendarRules.change(tomas, await getEvent(db, tomas, id), clock.at)).toBe(true);
});

test("new hosts and other hosts are notified, with those who answered", async () => {
  const { mira, nora, lea, edit } = await setup();
  await dispatchEvents(database);
  expect(await describeDeliveries(database, nora)).toContain("event_host you_host");
  await run(db, sql`delete from notifications`);
  await edit(mira, { place: "The shed", hosts: "mira, nora, lea" });
  await dispatchEvents(database);
  expect((await describeDeliveries(database, lea)).toSorted()).toEqual([
    "event_changed you_host",
    "event_host you_host",
  ]);
  expect(await describeDeliveries(database, nora)).toEqual(["event_changed you_host"]);
  expect(await describeDeliveries(database, mira)).toEqual([]);
});

test("a new event is not created with a host who is no member", async () => {
  const { mira, group } = await setup();
  await expect(
    within((tx) =>
      createEvent(tx, mira, NewEvent.parse({ ...eventFields(tx.now), groupId: group.id, hosts: "ines" })),
    ),
  ).rejects.toEqual(onHosts);
});
