import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { hidePost, unhidePost } from "#community/discussions";
import { getGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { createGuestReportSetup } from "../../../../test/support/moderation/guest-report-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  createPerson,
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
} from "../../../../test/support/test-users.ts";
import {
  appealRemoval,
  type CaseQuery,
  listCases,
  markDuplicate,
  NewPostReport,
  reportPerson,
  reportPost,
  undoDecision,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { setup: setupCase, decide } = createCaseSetup(database);
const guests = createGuestReportSetup(database);

/** Members of Tomas' group, whose accounts are sixty days old. `reported` is a new post that Mira reports. */
async function setup() {
  const it = await setupCase();
  await decide(it.tomas, it.caseId, "rejected", { rule: "" });
  const setAge = (days: number, id: string | null = null) =>
    run(
      db,
      sql`update people set created_at = ${new Date(clock.at.getTime() - days * DAY)}
        where id = coalesce(${id}::uuid, id)`,
    );
  await setAge(60);
  const join = async (name: string, { days = 60, groupId = it.group.id } = {}) => {
    const who = await within((tx) => createPerson(tx, name));
    await setAge(days, who.id);
    await within((tx) => setMembership(tx, groupId, who, "member"));
    return who;
  };
  const write = async (author: SignedIn, discussionId = it.discussion.id) =>
    (await createTestReply(database, author, discussionId)).id;
  const report = async (who: SignedIn, postId: string, category = "spam") => {
    clock.pass(SECOND);
    const input = { ...NewPostReport.parse({ postId, reason: "It sells beans." }), category, law: "" };
    const { id } = await within((tx) => reportPost(tx, who, input));
    const stored = sql<{ caseId: string }>`select case_id as "caseId" from reports where id = ${id}`;
    return (await one(db, stored)).caseId;
  };
  const reported = async (category = "spam", author = it.noor, by = it.mira) =>
    report(by, await write(author), category);
  const list = async (query: Partial<CaseQuery> = {}, who = it.ines) =>
    (await listCases(db, who, { tab: "open", ...query })).rows;
  const order = async (query: Partial<CaseQuery> = {}, who = it.ines) =>
    (await list(query, who)).map(({ caseId }) => caseId);
  const riskOf = async (caseId: string) => (await list()).find((row) => row.caseId === caseId)!.risk;
  return { ...it, join, write, reportBy: report, reported, list, order, riskOf };
}

describe("order by risk", () => {
  test("puts grave categories first and equal cases by age; the other orders do not use it", async () => {
    const { reported, list, order } = await setup();
    const ids: string[] = [];
    for (const category of ["off-topic", "spam", "other", "harassment", "illegal", "self-harm"])
      ids.push(await reported(category));
    const later = await reported("harassment");
    const [offTopic, spam, other, harassment, illegal, selfHarm] = ids;
    expect(await order()).toEqual([selfHarm, illegal, harassment, later, other, spam, offTopic]);
    const levels = (await list()).map(({ risk }) => risk.level);
    expect(levels).toEqual(["high", "high", "medium", "medium", "low", "low", "low"]);
    expect(await order({ sort: "oldest" })).toEqual([...ids, later]);
    expect(await order({ sort: "newest" })).toEqual([...ids, later].toReversed());
  });

  test("grows with the number of reporters, of whose categories the gravest counts", async () => {
    const { mira, tomas, join, write, reportBy, reported, order, riskOf } = await setup();
    const first = await reported();
    // Reports do not hide what a moderator wrote.
    const post = await write(tomas);
    const caseId = await reportBy(mira, post);
    await reportBy(await join("olga"), post, "off-topic");
    expect(await order()).toEqual([caseId, first]);
    expect(await riskOf(caseId)).toMatchObject({ reporters: 2, category: { id: "spam" } });
    await reportBy(await join("pia"), post, "harassment");
    expect(await riskOf(caseId)).toMatchObject({ reporters: 3, category: { id: "harassment" } });
  });

  test("counts a guest and an automatic report less than a member's", async () => {
    const { noor, write, reported, riskOf, list } = await setup();
    const { points } = await riskOf(await reported());
    const post = await write(noor);
    await guests.report({ kind: "post", subjectId: post });
    const byGuest = (await list({ sort: "newest" }))[0]!;
    expect(byGuest.risk).toMatchObject({ points: points - 5, reporters: 1 });
  });

  test("grows for new accounts, and with upheld cases about the author until one is undone", async () => {
    const { tomas, noor, join, reported, order, riskOf } = await setup();
    const anna = await join("anna", { days: 6 });
    const [old, recent] = [await reported(), await reported("spam", anna)];
    expect(await order()).toEqual([recent, old]);
    expect(await riskOf(recent)).toMatchObject({ newAccount: true, points: (await riskOf(old)).points + 10 });
    const decided = [await reported("other", noor), await reported("other", noor)];
    for (const caseId of decided) await decide(tomas, caseId, "warned");
    expect(await order()).toEqual([old, recent]);
    expect(await riskOf(old)).toMatchObject({ upheld: 2, newAccount: false });
    await within((tx) => undoDecision(tx, tomas, { caseId: decided[0]!, reason: "A mistake." }));
    expect(await riskOf(old)).toMatchObject({ upheld: 1 });
    expect(await riskOf(decided[0]!)).toMatchObject({ upheld: 1 });
    expect(await riskOf(recent)).toMatchObject({ upheld: 0 });
  });

  test("grows for reporters who are usually right, and falls for those who rarely are", async () => {
    const { tomas, noor, join, reported, order, riskOf } = await setup();
    const reporters = [await join("rita"), await join("wim"), await join("nils")] as const;
    const [right, wrong, unknown] = reporters;
    for (let times = 0; times < 3; times++) {
      await decide(tomas, await reported("spam", await join(`seller${times}`), right), "warned");
      await decide(tomas, await reported("spam", noor, wrong), "rejected", { rule: "" });
    }
    const ids: string[] = [];
    for (const who of [wrong, unknown, right]) ids.push(await reported("spam", noor, who));
    expect(await order()).toEqual(ids.toReversed());
    expect(await riskOf(ids[2]!)).toMatchObject({ reliable: 1, unreliable: 0 });
    expect(await riskOf(ids[0]!)).toMatchObject({ reliable: 0, unreliable: 1 });
  });

  test("falls while the content is hidden", async () => {
    const { ines, mira, noor, write, reportBy, reported, order, riskOf } = await setup();
    const postId = await write(noor);
    const [first, second] = [await reportBy(mira, postId), await reported()];
    expect(await order()).toEqual([first, second]);
    await within((tx) => hidePost(tx, postId));
    expect(await order()).toEqual([second, first]);
    expect(await riskOf(first)).toMatchObject({ hidden: true });
    await within((tx) => unhidePost(tx, ines, { postId }));
    expect(await order()).toEqual([first, second]);
  });

  test("never puts spam above self-harm", async () => {
    const { tomas, noor, group, join, write, reportBy, reported, order, riskOf } = await setup();
    const anna = await join("anna", { days: 1 });
    // Reports do not hide what a moderator wrote.
    await within((tx) => setMembership(tx, group.id, anna, "moderator"));
    for (let times = 0; times < 4; times++) await decide(tomas, await reported("spam", anna), "warned");
    const spam = await write(anna);
    const caseId = await reportBy(await join("bram"), spam);
    for (const name of ["cleo", "dora", "emil", "fritz"]) await reportBy(await join(name), spam);
    expect(await riskOf(caseId)).toMatchObject({ reporters: 5, upheld: 3, newAccount: true, level: "high" });
    const selfHarm = await reported("self-harm", noor);
    expect(await order()).toEqual([selfHarm, caseId]);
  });

  test("includes the reports of duplicates, and gives appeals a place of their own", async () => {
    const { tomas, ines, mira, noor, write, reportBy, reported, order, riskOf } = await setup();
    const removed = await write(noor);
    const caseId = await reportBy(mira, removed);
    await decide(tomas, caseId, "removed");
    const [first, second] = [await reported("spam"), await reported("harassment")];
    await within((tx) => markDuplicate(tx, tomas, { caseId: second, originalId: first }));
    expect(await riskOf(first)).toMatchObject({ category: { id: "harassment" }, reporters: 2 });
    const other = await reported("off-topic");
    await within((tx) => appealRemoval(tx, noor, { postId: removed, text: "They are gifts." }));
    expect(await order({}, ines)).toEqual([first, caseId, other]);
    expect(await riskOf(caseId)).toMatchObject({ category: null, reporters: 0, hidden: false });
  });
});

test("pages neither repeat nor leave out a case, in every order", async () => {
  const { tomas, ines, noor, join, reported } = await setup();
  const ids: string[] = [];
  const reporters = {
    spam: await join("rita"),
    harassment: await join("wim"),
    "self-harm": await join("nils"),
  };
  for (let times = 0; times < 9; times++)
    for (const [category, who] of Object.entries(reporters)) ids.push(await reported(category, noor, who));
  const pages = async (query: Partial<CaseQuery>) => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listCases(db, ines, { tab: "open", ...query, after });
      expect(page.rows.length).toBeLessThan(ids.length);
      seen.push(...page.rows.map(({ caseId }) => caseId));
      after = page.next ?? undefined;
    } while (after);
    return seen;
  };
  const inCategory = (at: number) => ids.filter((_, n) => n % 3 === at);
  expect(await pages({})).toEqual([...inCategory(2), ...inCategory(1), ...inCategory(0)]);
  for (const sort of ["oldest", "reports"] as const) expect(await pages({ sort })).toEqual(ids);
  expect(await pages({ sort: "newest" })).toEqual(ids.toReversed());
  await run(
    db,
    sql`update reports set resolved_at = created_at + interval '1 hour', resolved_by = ${tomas.id},
      outcome = 'upheld' where resolved_at is null`,
  );
  expect((await pages({ tab: "resolved" })).slice(0, ids.length)).toEqual(ids.toReversed());
});

describe("moderators of a group", () => {
  test("see their own cases only, with a risk that tells nothing about other groups", async () => {
    const { tomas, ines, mira, noor, group, reported, reportBy, write, list, order, riskOf } = await setup();
    const elsewhere = await createTestGroup(database, { tomas: ines, mira }, { visibility: "private" });
    await within((tx) => setMembership(tx, elsewhere.id, noor, "member"));
    const { id: discussionId } = await createTestDiscussion(database, mira, elsewhere.id);
    for (let times = 0; times < 3; times++) {
      const caseId = await reportBy(mira, await write(noor, discussionId), "self-harm");
      if (times < 2) await decide(ines, caseId, "upheld", { rule: "" });
    }
    const caseId = await reported();
    expect(await order({}, tomas)).toEqual([caseId]);
    expect(await order({ group: await getGroup(db, tomas, group.id) }, tomas)).toEqual([caseId]);
    expect(await list()).toHaveLength(2);
    expect(await riskOf(caseId)).toMatchObject({ upheld: 0, reliable: 0 });
    // Staff decide about people, whose whole history counts.
    const { id } = await within((tx) => reportPerson(tx, mira, { personId: noor.id, reason: "Adverts." }));
    expect(await riskOf(id)).toMatchObject({ upheld: 2 });
    // A case that moves to another group does not take the history with it.
    await run(db, sql`update discussions set group_id = ${group.id} where id = ${discussionId}`);
    expect((await list({}, tomas)).map(({ risk }) => risk.upheld)).toEqual([2, 2]);
  });

  test("do not learn from a reporter's record how reports about moderators ended", async () => {
    const { ines, tomas, mira, reported, riskOf } = await setup();
    clock.pass(MINUTE);
    for (let times = 0; times < 3; times++)
      await decide(ines, await reported("spam", tomas), "rejected", { rule: "" });
    clock.pass(HOUR);
    expect(await riskOf(await reported("spam", undefined, mira))).toMatchObject({
      reliable: 0,
      unreliable: 0,
    });
  });
});
