import { describe, expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { groupFactsJson, leaveGroup, viewerMembership } from "#community/groups";
import { type DatePollAnswerName, datePollRules, type GroupFacts, type SignedIn } from "#community/rules";
import type { z } from "zod";
import {
  createTestDatePoll,
  type DatePollFields,
  datePollFields,
} from "../../../../test/support/calendar-setup.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  answerDatePoll,
  ChosenTime,
  closeDatePoll,
  createDatePoll,
  createEventFromPoll,
  DatePollAnswer,
  deleteDatePoll,
  getDatePoll,
  getEvent,
  listDatePollAnswers,
  listOpenDatePolls,
  NewDatePoll,
  reopenDatePoll,
} from "../index.ts";
import { isDatePollVisible } from "./date-poll-columns.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

/** Mira's date poll in a group of Tomas's, of which Noor is a member too. */
async function setup(more: DatePollFields = {}) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const { id } = await createTestDatePoll(database, people.mira, group.id, more);
  const answer = (who: SignedIn, ...answers: (DatePollAnswerName | undefined)[]) =>
    within((tx) =>
      answerDatePoll(
        tx,
        who,
        DatePollAnswer.parse({ datePollId: id, answer1: answers[0], answer2: answers[1] }),
      ),
    );
  const poll = (who: SignedIn = people.mira) => getDatePoll(db, who, id);
  const choose = async (who: SignedIn, index = 0, fields: Partial<z.input<typeof ChosenTime>> = {}) => {
    const timeId = (await poll()).times[index]!.id;
    const input = { timeId, title: "Turning the compost", body: "Bring forks.", ...fields };
    return within((tx) => createEventFromPoll(tx, who, ChosenTime.parse(input)));
  };
  return { ...people, group, id, ref: { datePollId: id }, answer, poll, choose };
}
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { reason: string }) => error.reason,
  );

describe("new date poll", () => {
  const create = async (fields: DatePollFields) => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    return createTestDatePoll(database, people.mira, group.id, fields);
  };
  const at = (ms: number) => addMilliseconds(clock.at, ms).toISOString().slice(0, 16);

  test("lists its times in order, each with the chosen length", async () => {
    const day = datePollFields(clock.at).starts1.slice(0, 10);
    const { id, mira } = await setup({
      timeZone: "Europe/Berlin",
      starts1: `${day}T20:00`,
      starts2: `${day}T09:30`,
      length: "90",
    });
    const { times } = await getDatePoll(db, mira, id);
    expect(times.map(({ endsAt, startsAt }) => endsAt.getTime() - startsAt.getTime())).toEqual([
      90 * MINUTE,
      90 * MINUTE,
    ]);
    expect(times[0]!.startsAt < times[1]!.startsAt).toBe(true);
  });

  test("offers whole days", async () => {
    const { poll } = await setup({ length: "day" });
    const { times, allDay } = await poll();
    expect(allDay).toBe(true);
    expect(times[0]!.endsAt.getTime() - times[0]!.startsAt.getTime()).toBe(DAY);
  });

  test.each<[string, DatePollFields, string]>([
    ["one time", { starts2: "" }, "starts2"],
    ["a time that has passed", { starts2: at(-3 * HOUR) }, "starts2"],
    ["the same time twice", { starts3: datePollFields(clock.at).starts1 }, "starts3"],
    ["a time in five years", { starts3: at(1_830 * DAY) }, "starts3"],
    ["a deadline that has passed", { closesAt: at(-HOUR) }, "closesAt"],
    ["a deadline after the last time", { closesAt: at(9 * DAY) }, "closesAt"],
  ])("with %s gets an error at the invalid field", async (_, fields, field) => {
    await expect(create(fields)).rejects.toMatchObject({
      reason: "invalid",
      fieldDescriptors: { [field]: expect.anything() },
    });
  });

  test("fails for people who may not create events, and for newcomers who need approval", async () => {
    const { ines, tomas, mira, group } = await setup();
    // Staff who are not members cannot create a poll, because they would not see it.
    expect(await reasonOf(createTestDatePoll(database, ines, group.id))).toBe("not-allowed");
    await run(db, sql`update groups set events_by = 'moderators' where id = ${group.id}`);
    expect(await reasonOf(createTestDatePoll(database, mira, group.id))).toBe("not-allowed");
    expect(await reasonOf(createTestDatePoll(database, tomas, group.id))).toBe("done");
    await run(db, sql`update groups set events_by = 'members' where id = ${group.id}`);
    const newcomer = await within(async (tx) => {
      const it = await createPerson(tx, "newcomer", "member", "new");
      await setMembership(tx, group.id, it, "member");
      await run(
        tx,
        sql`insert into settings (key, value, changed_at) values ('firstPosts', '"all"', ${tx.now})`,
      );
      return it;
    });
    expect(await reasonOf(createTestDatePoll(database, newcomer, group.id))).toBe("not-allowed");
  });

  test("gets stored once if submitted twice, and counts towards a limit of ten a day", async () => {
    const { mira, group } = await setup();
    const input = NewDatePoll.parse({
      ...datePollFields(clock.at),
      groupId: group.id,
      clientId: "01900000-0000-7000-8000-000000000001",
    });
    const [first, second] = await Promise.all(
      [1, 2].map(() => within((tx) => createDatePoll(tx, mira, input))),
    );
    expect(first).toEqual(second);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    for (let n = 0; n < 8; n++) await createTestDatePoll(database, mira, group.id);
    expect(await reasonOf(createTestDatePoll(database, mira, group.id))).toBe("too-many");
  });
});

describe("answers to a date poll", () => {
  test("count per time, replace earlier answers, and determine the best time", async () => {
    const { mira, tomas, noor, answer, poll, id } = await setup();
    await answer(mira, "yes", "no");
    await answer(tomas, "if_need_be", "yes");
    await answer(noor, "no", "yes");
    await answer(noor, "no", "if_need_be");
    const { times } = await poll(noor);
    expect(times).toMatchObject([
      { yes: 1, ifNeedBe: 1, no: 1, answer: "no", isBest: true },
      { yes: 1, ifNeedBe: 1, no: 1, answer: "if_need_be", isBest: true },
    ]);
    await answer(noor, undefined, "yes");
    expect((await poll(noor)).times).toMatchObject([
      { no: 0, answer: null, isBest: false },
      { yes: 2, isBest: true },
    ]);
    const { rows } = await listDatePollAnswers(db, mira, await poll());
    expect(rows.map(({ name }) => name).toSorted()).toEqual(["Mira", "Noor", "Tomas"]);
    expect(await listOpenDatePolls(db, noor, { now: clock.at })).toMatchObject([
      { id, timesCount: 2, answersCount: 3, isAnswered: true },
    ]);
  });

  test("no longer count after the person has left the group", async () => {
    const { mira, noor, answer, poll, group } = await setup();
    await answer(noor, "yes", "yes");
    await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
    expect((await poll()).times[0]).toMatchObject({ yes: 0, isBest: false });
    expect((await listDatePollAnswers(db, mira, await poll())).rows).toEqual([]);
  });

  test("fail without a choice, for outsiders and restricted people, and after the poll", async () => {
    const { ines, noor, tomas, answer, poll, ref, mira } = await setup();
    expect(await reasonOf(answer(ines, "yes"))).toBe("not-found");
    expect(await reasonOf(answer(noor))).toBe("invalid");
    expect(await reasonOf(answer({ ...noor, limited: true }, "yes"))).toBe("not-allowed");
    await within((tx) => closeDatePoll(tx, mira, ref));
    expect(await reasonOf(answer(noor, "yes"))).toBe("conflict");
    await within((tx) => reopenDatePoll(tx, tomas, ref));
    expect(await reasonOf(answer(noor, "yes"))).toBe("done");
    clock.at = addMilliseconds(clock.at, 3 * DAY);
    expect(await reasonOf(answer(noor, "no"))).toBe("conflict");
    expect(datePollRules.isOpen(await poll(), clock.at)).toBe(false);
    clock.at = addMilliseconds(clock.at, -3 * DAY);
  });
});

describe("chosen time of a date poll", () => {
  test("becomes an event: yes means going or waiting, if need be maybe, no means no answer", async () => {
    const { mira, tomas, noor, group, answer, poll, choose } = await setup();
    const ben = await within((tx) => createPerson(tx, "ben"));
    await within((tx) => setMembership(tx, group.id, ben, "member"));
    await answer(tomas, "yes", "no");
    clock.at = addMilliseconds(clock.at, MINUTE);
    await answer(noor, "yes", "yes");
    await answer(mira, "if_need_be", "yes");
    await answer(ben, "no", "yes");
    const event = await choose(mira, 0, { capacity: 1 });
    const [id] = "id" in event ? [event.id] : [""];
    const { times, ...decided } = await poll();
    expect(decided).toMatchObject({ isDecided: true, eventId: id, closedAt: clock.at });
    expect(times.map(({ isChosen }) => isChosen)).toEqual([true, false]);
    expect(await getEvent(db, mira, id)).toMatchObject({
      startsAt: times[0]!.startsAt,
      endsAt: times[0]!.endsAt,
      going: 1,
      waiting: 1,
      maybe: 1,
      answer: "maybe",
    });
    expect(await getEvent(db, noor, id)).toMatchObject({ answer: "waiting", position: 1 });
    expect(await getEvent(db, ben, id)).toMatchObject({ answer: null });
    expect(await choose(mira, 0)).toEqual({ id });
    expect(await reasonOf(choose(mira, 1))).toBe("conflict");
    expect(await listOpenDatePolls(db, mira, { now: clock.at })).toEqual([]);
  });

  test("must lie in the future, and cannot be chosen by ordinary members", async () => {
    const { mira, noor, ines, choose } = await setup();
    expect(await reasonOf(choose(noor))).toBe("not-allowed");
    expect(await reasonOf(choose(ines))).toBe("not-found");
    clock.at = addMilliseconds(clock.at, 1.9 * DAY);
    expect(await reasonOf(choose(mira, 0))).toBe("conflict");
    clock.at = addMilliseconds(clock.at, -1.9 * DAY);
  });
});

describe("date poll", () => {
  test("can be closed, reopened and deleted only by host and moderators, with audit entries", async () => {
    const { mira, tomas, noor, ref, poll } = await setup();
    for (const command of [closeDatePoll, reopenDatePoll, deleteDatePoll])
      expect(await reasonOf(within<unknown>((tx) => command(tx, noor, ref)))).toBe("not-allowed");
    expect(await reasonOf(within((tx) => reopenDatePoll(tx, mira, ref)))).toBe("conflict");
    await within((tx) => closeDatePoll(tx, tomas, ref));
    expect(await reasonOf(within((tx) => closeDatePoll(tx, mira, ref)))).toBe("conflict");
    await within((tx) => deleteDatePoll(tx, tomas, ref));
    expect(await reasonOf(poll())).toBe("not-found");
    const acts = await many(
      db,
      sql<{ act: string }>`select act from audit_events where act like 'date-poll.%' order by id`,
    );
    expect(acts.map(({ act }) => act)).toEqual(["date-poll.closed", "date-poll.deleted"]);
  });

  test("has the same readers in rules and SQL for every membership status, visibility and time", async () => {
    const people = await createTestUsers(database);
    const outside = await within((tx) =>
      Promise.all((["banned", "invited", "left"] as const).map((name) => createPerson(tx, name))),
    );
    const seen: boolean[] = [];
    for (const [i, visibility] of (["public", "private", "secret"] as const).entries()) {
      const group = await createTestGroup(database, people, {
        visibility,
        name: `Beds ${i}`,
        historyPolicy: "from_joining",
      });
      for (const [n, standing] of (["banned", "invited", "left"] as const).entries())
        await within((tx) => setMembership(tx, group.id, outside[n]!, standing));
      const { id } = await createTestDatePoll(database, people.mira, group.id);
      for (const endsAt of [addMilliseconds(clock.at, DAY), addMilliseconds(clock.at, -DAY)]) {
        await run(db, sql`update date_polls set ends_at = ${endsAt} where id = ${id}`);
        for (const viewer of [...Object.values(people), ...outside]) {
          const row = await one(
            db,
            sql<{ seen: boolean; group: GroupFacts }>`
              select ${isDatePollVisible("dp", "g", "m")} as seen, ${groupFactsJson("g", "m")} as "group"
              from date_polls dp join groups g on g.id = dp.group_id ${viewerMembership(viewer, "g", "m")}
              where dp.id = ${id}`,
          );
          expect([visibility, viewer, row.seen]).toEqual([
            visibility,
            viewer,
            datePollRules.see(viewer, { group: row.group, endsAt }),
          ]);
          seen.push(row.seen);
        }
      }
    }
    expect(new Set(seen)).toEqual(new Set([true, false]));
  });
});
