import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { answerEvent, cancelEvent, EventAnswer, getEvent, releasePlaces } from "#community/calendar";
import type { SignedIn } from "#community/rules";
import { createTestEvent } from "../../../../test/support/calendar-setup.ts";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createPerson, setMembership } from "../../../../test/support/test-users.ts";
import { undoDecision } from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { setup: setupCase, decide, notificationsOf } = createCaseSetup(database);

/** An event of Mira with places for some people, and members who answer it. Noor is banned by the case. */
async function setup(capacity: number | undefined) {
  const it = await setupCase();
  const { id } = await createTestEvent(database, it.mira, it.group.id, {
    ...(capacity !== undefined && { capacity }),
    companions: 2,
  });
  const { occurrenceId } = await getEvent(db, it.mira, id);
  const join = (name: string) =>
    within(async (tx) => {
      const who = await createPerson(tx, name);
      await setMembership(tx, it.group.id, who, "member");
      return who;
    });
  const answer = (who: SignedIn, what: string, more: object = {}) =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: what, ...more })));
  const ban = async () => {
    clock.pass(MINUTE);
    await decide(it.tomas, it.caseId, "banned");
    clock.pass(MINUTE);
  };
  const release = () =>
    releasePlaces(database, { type: "group.banned", groupId: it.group.id, personId: it.noor.id });
  const undo = () =>
    within((tx) => undoDecision(tx, it.tomas, { caseId: it.caseId, reason: "The decision was a mistake." }));
  const answers = () =>
    many(
      db,
      sql<{ name: string; answer: string }>`
        select p.username as name, a.answer, a.companions, a.note, a.answered_at from attendances a
        join people p on p.id = a.person_id where a.occurrence_id = ${occurrenceId}
        order by array_position(array['going', 'waiting'], a.answer), a.waiting_number, p.username`,
    );
  const line = async () => (await answers()).map(({ name, answer: given }) => `${name} ${given}`);
  return { ...it, id, join, answer, ban, release, undo, answers, line };
}

describe("undoing a group ban", () => {
  test.each(["going", "maybe", "declined"])(
    "restores the answer %s with its note and companions",
    async (what) => {
      const { noor, answer, ban, release, undo, answers } = await setup(4);
      await answer(noor, what, { note: "I bring beans.", companions: "1" });
      const before = await answers();
      await ban();
      await release();
      expect(await answers()).toEqual([]);
      await undo();
      expect(await answers()).toEqual(before);
    },
  );

  test("puts the person at the end of the waiting list if the place was given to others", async () => {
    const { noor, join, answer, ban, release, undo, line } = await setup(1);
    await answer(noor, "going");
    for (const name of ["anna", "bram"]) await answer(await join(name), "going");
    await ban();
    await release();
    expect(await line()).toEqual(["anna going", "bram waiting"]);
    await undo();
    expect(await line()).toEqual(["anna going", "bram waiting", "noor waiting"]);
  });

  test("does not let the person pass others who wait for more places", async () => {
    const { noor, join, answer, ban, release, undo, line } = await setup(2);
    await answer(noor, "going");
    await answer(await join("anna"), "going", { companions: "0" });
    await answer(await join("bram"), "going", { companions: "1" });
    await ban();
    await release();
    expect(await line()).toEqual(["anna going", "bram waiting"]);
    await undo();
    expect(await line()).toEqual(["anna going", "bram waiting", "noor waiting"]);
  });

  test("restores the position in the waiting list unless it was given away", async () => {
    const { noor, join, answer, ban, release, undo, line } = await setup(1);
    await answer(await join("anna"), "going");
    await answer(noor, "going");
    await answer(await join("bram"), "going");
    await ban();
    await release();
    expect(await line()).toEqual(["anna going", "bram waiting"]);
    await undo();
    expect(await line()).toEqual(["anna going", "noor waiting", "bram waiting"]);
  });

  test("tells a person who has a place again", async () => {
    const { noor, answer, ban, release, undo, line } = await setup(undefined);
    await answer(noor, "going");
    await ban();
    await release();
    await undo();
    expect(await line()).toEqual(["noor going"]);
    expect((await notificationsOf(noor)).map(([kind]) => kind)).toContain("event_place");
  });

  test("keeps answers that were not released yet, and leaves out events that were cancelled", async () => {
    const { mira, noor, id, answer, ban, release, undo, line, caseId, tomas } = await setup(1);
    await answer(noor, "going");
    await ban();
    await undo();
    await release();
    expect(await line()).toEqual(["noor going"]);
    await decide(tomas, caseId, "banned");
    await release();
    await within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Storm." }));
    await undo();
    expect(await line()).toEqual([]);
  });
});
