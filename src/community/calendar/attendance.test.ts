import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import type { z } from "zod";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  listEmittedEvents,
  setMembership,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  cancelEvent,
  editEvent,
  EventAnswer,
  EventChange,
  getEvent,
  listAttendees,
  type NewEvent,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

/** An event of Mira's with these members of its group. */
async function setup(more: Partial<z.input<typeof NewEvent>> = {}, names = ["anna", "bram", "cleo"]) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const members = await within(async (tx) => {
    const newMembers: SignedIn[] = [];
    for (const name of names) {
      newMembers.push(await createPerson(tx, name));
      await setMembership(tx, group.id, newMembers.at(-1)!, "member");
    }
    return newMembers;
  });
  const { id } = await createTestEvent(database, people.mira, group.id, more);
  const { occurrenceId } = await getEvent(db, people.mira, id);
  const answer = (who: Viewer, given: z.input<typeof EventAnswer>["answer"], fields = {}) =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: given, ...fields })));
  const state = async (who: SignedIn) => {
    const { answer: own, position } = await getEvent(db, who, id);
    return [own, position];
  };
  const edit = (fields: Partial<z.input<typeof EventChange>>) => {
    const { body: _, ...words } = eventFields(clock.at);
    return within((tx) =>
      editEvent(tx, people.mira, EventChange.parse({ ...words, eventId: id, changes: 0, ...fields })),
    );
  };
  return { ...people, group, members, id, occurrenceId, answer, state, edit };
}
const refused = (reason: string) => expect.objectContaining({ reason }) as object;

describe("places of an event", () => {
  test("go to 10 of 200 concurrent answers; the other 190 wait in order", async () => {
    const names = Array.from({ length: 200 }, (_, i) => `person${i}`);
    const { members, answer, occurrenceId } = await setup({ capacity: 10 }, names);
    const answers = await Promise.all(members.map((who) => answer(who, "going")));
    expect(answers.filter((it) => it.answer === "going").length).toBe(10);
    const stored = await one(
      db,
      sql<{ going: number; waiting: number; first: number; last: number; different: number }>`
        select count(*) filter (where answer = 'going')::int as going,
          count(*) filter (where answer = 'waiting')::int as waiting, min(waiting_number) as first,
          max(waiting_number) as last, count(distinct waiting_number)::int as different
        from attendances where occurrence_id = ${occurrenceId}`,
    );
    expect(stored).toEqual({ going: 10, waiting: 190, first: 1, last: 190, different: 190 });
  });

  test("go to the first person on the waiting list when they become free", async () => {
    const { members, answer, state } = await setup({ capacity: 1 });
    const [anna, bram, cleo] = members as [SignedIn, SignedIn, SignedIn];
    for (const who of members) await answer(who, "going");
    expect([await state(anna), await state(bram), await state(cleo)]).toEqual([
      ["going", null],
      ["waiting", 1],
      ["waiting", 2],
    ]);
    await answer(anna, "declined");
    expect([await state(bram), await state(cleo)]).toEqual([
      ["going", null],
      ["waiting", 1],
    ]);
    expect((await listEmittedEvents(database)).filter((type) => type === "calendar.moved-up").length).toBe(1);
  });

  test("include companions, and a free place goes to no one further down the waiting list", async () => {
    const { members, answer, state } = await setup({ capacity: 3, companions: 2 });
    const [anna, bram, cleo] = members as [SignedIn, SignedIn, SignedIn];
    await answer(anna, "going", { companions: 1 });
    expect(await answer(bram, "going", { companions: 1 })).toEqual({ answer: "waiting" });
    expect(await answer(cleo, "going")).toEqual({ answer: "waiting" });
    await expect(answer(anna, "going", { companions: 2 })).resolves.toEqual({ answer: "going" });
    await answer(anna, "going");
    expect([await state(bram), await state(cleo)]).toEqual([
      ["going", null],
      ["waiting", 1],
    ]);
  });

  test("go to the next person on the waiting list when the first one leaves it", async () => {
    const { members, answer, state } = await setup({ capacity: 3, companions: 2 });
    const [anna, bram, cleo] = members as [SignedIn, SignedIn, SignedIn];
    await answer(anna, "going", { companions: 1 });
    await answer(bram, "going", { companions: 1 });
    await answer(cleo, "going");
    expect(await state(cleo)).toEqual(["waiting", 2]);
    await answer(bram, "maybe");
    expect(await state(cleo)).toEqual(["going", null]);
  });

  test("stay assigned after the capacity is lowered, and more are assigned after it is raised", async () => {
    const { members, answer, state, edit } = await setup({ capacity: 2 });
    for (const who of members) await answer(who, "going");
    await edit({ capacity: 1 });
    expect(await Promise.all(members.map(state))).toEqual([
      ["going", null],
      ["going", null],
      ["waiting", 1],
    ]);
    await edit({ capacity: "", changes: 1 });
    expect(await state(members[2]!)).toEqual(["going", null]);
  });

  test("cannot be taken for more companions than the event allows", async () => {
    const { mira, answer } = await setup({ capacity: 3, companions: 1 });
    await expect(answer(mira, "going", { companions: 2 })).rejects.toMatchObject({
      reason: "invalid",
      fields: { companions: expect.any(String) },
    });
    expect(await answer(mira, "going", { companions: 1 })).toEqual({ answer: "going" });
    expect(EventAnswer.safeParse({ companions: 1000 }).success).toBe(false);
  });
});

describe("answer to an event", () => {
  test("cannot be given by non-members", async () => {
    const { mira, noor, ines, guest, answer, group } = await setup();
    expect(await answer(mira, "maybe")).toEqual({ answer: "maybe" });
    for (const who of [noor, ines]) await expect(answer(who, "going")).rejects.toEqual(refused("not-found"));
    await expect(answer(guest, "going")).rejects.toEqual(refused("not-signed-in"));
    await run(db, sql`update groups set visibility = 'public' where id = ${group.id}`);
    await expect(answer(noor, "going")).rejects.toEqual(refused("not-allowed"));
    await expect(answer({ ...mira, limited: true }, "going")).rejects.toEqual(refused("not-allowed"));
  });

  test("can only be a decline after the deadline", async () => {
    const { starts, ...words } = eventFields(clock.at);
    const { mira, answer } = await setup({ ...words, starts, answersUntil: starts.replace("T10", "T00") });
    expect(await answer(mira, "going")).toEqual({ answer: "going" });
    clock.at = new Date(`${starts.replace("T10", "T01")}:00Z`);
    await expect(answer(mira, "maybe")).rejects.toEqual(refused("conflict"));
    expect(await answer(mira, "declined")).toEqual({ answer: "declined" });
  });

  test("cannot be given after a cancellation or the end", async () => {
    const { mira, id, answer } = await setup();
    clock.pass(5 * DAY);
    await expect(answer(mira, "going")).rejects.toEqual(refused("conflict"));
    clock.pass(-5 * DAY);
    await within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Storm." }));
    await expect(answer(mira, "declined")).rejects.toEqual(refused("conflict"));
  });
});

describe("list of attendees", () => {
  test("leaves out blocked people, and shows notes and declines to managers only", async () => {
    const { mira, tomas, noor, guest, members, id, answer } = await setup();
    const [anna, bram] = members as [SignedIn, SignedIn];
    await answer(anna, "going", { note: "I bring soup." });
    await answer(bram, "declined");
    const names = async (who: Viewer, choice: "going" | "declined") =>
      (await listAttendees(db, who, await getEvent(db, who, id), { answer: choice })).rows.map((it) => [
        it.username,
        it.note,
      ]);
    expect(await names(mira, "going")).toEqual([["anna", "I bring soup."]]);
    expect(await names(bram, "going")).toEqual([["anna", ""]]);
    expect(await names(mira, "declined")).toEqual([["bram", ""]]);
    await expect(names(anna, "declined")).rejects.toEqual(refused("not-found"));
    for (const who of [noor, guest]) await expect(names(who, "going")).rejects.toEqual(refused("not-found"));
    await within((tx) => blockPerson(tx, anna, { personId: bram.id }));
    expect(await names(bram, "going")).toEqual([]);
    expect(await names(tomas, "going")).toEqual([["anna", "I bring soup."]]);
  });

  test("shows the waiting list in order, page by page", async () => {
    const names = Array.from({ length: 53 }, (_, i) => `person${i}`);
    const { mira, members, id, answer } = await setup({ capacity: 1 }, names);
    for (const who of members) await answer(who, "going");
    const event = await getEvent(db, mira, id);
    const first = await listAttendees(db, mira, event, { answer: "waiting" });
    const second = await listAttendees(db, mira, event, { answer: "waiting", after: first.next! });
    expect([...first.rows, ...second.rows].map(({ username }) => username)).toEqual(names.slice(1));
    expect([first.rows.length, second.next]).toEqual([50, null]);
  });
});
