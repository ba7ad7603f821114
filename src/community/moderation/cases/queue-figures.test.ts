import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { one, sql } from "#platform/database";
import { listPendingPosts } from "#community/discussions";
import { getGroup } from "#community/groups";
import type { Viewer } from "#community/rules";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestGroup, createTestReply } from "../../../../test/support/test-users.ts";
import {
  appealRemoval,
  claimCase,
  getGroupQueueCounts,
  getQueueCounts,
  getResponseTimes,
  handOverCase,
  listCases,
  listResponseTimes,
  releaseCase,
  reportPerson,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { report, setup, decide } = createCaseSetup(database);

const timesOf = (who: Viewer) => getResponseTimes(db, who, clock.at);
const tableOf = (who: Viewer) => listResponseTimes(db, who, clock.at);
const NONE = { claimSeconds: null, decisionSeconds: null };
const NOT_FOUND = { reason: "not-found" };

describe("counts of the queue", () => {
  test("count all cases for staff and their groups for moderators, without cases that involve them", async () => {
    const { tomas, ines, ada, mira, noor, discussion, caseId } = await setup();
    await within((tx) => reportPerson(tx, mira, { personId: noor.id, reason: "Adverts everywhere." }));
    const own = await createTestReply(database, tomas, discussion.id);
    await report(mira, own.id);
    const counts = async (who: Viewer) => {
      const { rows } = await listCases(db, who, { tab: "open" });
      const pending = (await listPendingPosts(db, who)).rows.length;
      expect(await getQueueCounts(db, who)).toEqual({ open: rows.length, pending });
      return [rows.length, pending];
    };
    expect(await counts(tomas)).toEqual([1, 0]);
    for (const who of [ines, ada]) expect(await counts(who)).toEqual([3, 0]);
    await decide(tomas, caseId, "warned");
    expect(await counts(tomas)).toEqual([0, 0]);
    expect(await counts(ines)).toEqual([2, 0]);
  });

  test("count those of one group for its moderators only", async () => {
    const { tomas, ines, mira, noor, guest, group } = await setup();
    const other = await createTestGroup(database, { tomas, mira });
    await within((tx) => reportPerson(tx, mira, { personId: noor.id, reason: "Adverts everywhere." }));
    const countsOf = async (who: Viewer, groupId: string) =>
      getGroupQueueCounts(db, who, await getGroup(db, who, groupId));
    expect(await countsOf(tomas, group.id)).toEqual({ open: 1, pending: 0 });
    expect(await countsOf(tomas, other.id)).toEqual({ open: 0, pending: 0 });
    // Staff decide in the queue of the site.
    for (const who of [ines, mira, guest])
      expect(await countsOf(who, group.id)).toEqual({ open: 0, pending: 0 });
  });

  test("stay hidden from people who moderate nothing", async () => {
    const { mira, noor, guest } = await setup();
    for (const who of [mira, noor, guest]) {
      await expect(getQueueCounts(db, who)).rejects.toMatchObject(NOT_FOUND);
      await expect(timesOf(who)).rejects.toMatchObject(NOT_FOUND);
      await expect(tableOf(who)).rejects.toMatchObject(NOT_FOUND);
    }
  });
});

describe("response times", () => {
  test("give medians of 30 days, from the first report to the first claim and to the decision", async () => {
    const { tomas, ines, mira, noor, group, discussion, caseId } = await setup();
    expect(await timesOf(tomas)).toEqual(NONE);
    clock.pass(10 * MINUTE);
    await within((tx) => claimCase(tx, tomas, { caseId }));
    await within((tx) => releaseCase(tx, tomas, { caseId }));
    clock.pass(10 * MINUTE);
    // Later claims do not count: the first one says when somebody looked at the case.
    await within((tx) => claimCase(tx, ines, { caseId }));
    await within((tx) => handOverCase(tx, ines, { caseId, personId: tomas.id }));
    expect(await timesOf(tomas)).toEqual({ claimSeconds: 600, decisionSeconds: null });
    await decide(tomas, caseId, "warned");
    const second = await report(mira, (await createTestReply(database, noor, discussion.id)).id);
    clock.pass(HOUR);
    await decide(tomas, second.id, "warned");
    const expected = { claimSeconds: 600, decisionSeconds: (1_200 + 3_600) / 2 };
    for (const who of [tomas, ines]) {
      expect(await timesOf(who)).toEqual(expected);
      expect(await tableOf(who)).toEqual([
        { group: { slug: group.slug, name: expect.any(String) }, claimed: 1, decided: 2, ...expected },
      ]);
    }
    clock.pass(31 * DAY);
    expect(await timesOf(tomas)).toEqual(NONE);
    expect(await tableOf(ines)).toEqual([]);
  });

  test("do not tell moderators of cases elsewhere, or of cases that involve them", async () => {
    const { tomas, ines, mira, noor, discussion } = await setup();
    const person = await within((tx) =>
      reportPerson(tx, mira, { personId: noor.id, reason: "Adverts everywhere." }),
    );
    const own = await report(mira, (await createTestReply(database, tomas, discussion.id)).id);
    clock.pass(MINUTE);
    for (const { id } of [person, own]) await decide(ines, id, "upheld", { rule: "" });
    expect(await timesOf(tomas)).toEqual(NONE);
    expect(await tableOf(tomas)).toEqual([]);
    expect(await timesOf(ines)).toEqual({ claimSeconds: null, decisionSeconds: 60 });
    expect((await tableOf(ines)).map(({ group, decided }) => [group === null, decided])).toEqual(
      expect.arrayContaining([
        [true, 1],
        [false, 1],
      ]),
    );
  });

  test("leave out appeals", async () => {
    const { tomas, ada, noor, post, caseId } = await setup();
    clock.pass(MINUTE);
    await decide(tomas, caseId, "removed");
    expect(await timesOf(ada)).toMatchObject({ decisionSeconds: 60 });
    const appeal = await within((tx) =>
      appealRemoval(tx, noor, { postId: post.id, text: "They are gifts." }),
    );
    clock.pass(DAY);
    await decide(ada, appeal.id, "restored", { rule: "" });
    expect(await timesOf(ada)).toEqual(NONE);
    expect(await one(db, sql`select claimed_at from cases where id = ${caseId}`)).toEqual({
      claimed_at: null,
    });
  });
});
