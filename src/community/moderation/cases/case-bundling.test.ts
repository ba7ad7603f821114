import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { moveDiscussion } from "#community/discussions";
import { appealRemoval } from "../index.ts";
import { createPerson, createTestGroup, createTestReply } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";

const database = await testDatabase();
const { report, resolve, setupReportedPost } = createReportSetup(database);
const { db, inTransaction: within, clock } = database;

const listCaseRows = () =>
  many(
    db,
    sql<{ state: string; action: string | null; count: number; reports: string[]; groupId: string | null }>`
      select state, action, reports_count as count, group_id as "groupId", array(
        select id from reports where case_id = c.id order by created_at, id) as reports
      from cases c order by opened_at, id`,
  );

describe("report", () => {
  test("joins the open case of its subject, even when several are sent at once", async () => {
    const { post, group } = await setupReportedPost("public");
    // Three new members do not hide a post: otherwise the last report would be refused if it came late.
    const names = ["lena", "otto", "ruth"];
    const reporters = await within((tx) =>
      Promise.all(names.map((name) => createPerson(tx, name, "member", "new"))),
    );
    const reports = await Promise.all(reporters.map((who) => report(who, post.id)));
    expect(await listCaseRows()).toEqual([
      {
        state: "open",
        action: null,
        count: 3,
        reports: reports.map(({ id }) => id).sort(),
        groupId: group.id,
      },
    ]);
  });

  test("opens a new case once the last one was closed", async () => {
    const { mira, tomas, post } = await setupReportedPost();
    const first = await report(mira, post.id);
    await resolve(tomas, first.id, "rejected");
    clock.pass(1000);
    const second = await report(mira, post.id);
    expect(await listCaseRows()).toMatchObject([
      { state: "rejected", reports: [first.id] },
      { state: "open", count: 1, reports: [second.id] },
    ]);
  });

  test("opens a separate case for another post", async () => {
    const { mira, noor, discussion, post } = await setupReportedPost();
    await report(mira, post.id);
    const other = await createTestReply(database, noor, discussion.id);
    await report(mira, other.id);
    expect(await listCaseRows()).toMatchObject([{ count: 1 }, { count: 1 }]);
  });
});

describe("appeal", () => {
  const appealed = async () => {
    const setup = await setupReportedPost();
    const { mira, tomas, noor, post } = setup;
    const first = await report(mira, post.id);
    await resolve(tomas, first.id, "removed", "No shops.");
    clock.pass(1000);
    const appeal = await within((tx) => appealRemoval(tx, noor, { postId: post.id, text: "A gift." }));
    return { ...setup, first, appeal };
  };

  test("reopens the case of the removal, and its decision closes it again", async () => {
    const { ada, first, appeal } = await appealed();
    const both = [first.id, appeal.id];
    expect(await listCaseRows()).toMatchObject([{ state: "open", count: 1, reports: both }]);
    await resolve(ada, appeal.id, "restored", "Right.");
    expect(await listCaseRows()).toMatchObject([{ state: "resolved", reports: both }]);
  });

  test("closes its case again when the appeal is deleted", async () => {
    const { appeal, first } = await appealed();
    await run(db, sql`delete from reports where id = ${appeal.id}`);
    expect(await listCaseRows()).toMatchObject([{ state: "resolved", reports: [first.id] }]);
    await run(db, sql`delete from reports where id = ${first.id}`);
    expect(await listCaseRows()).toEqual([]);
  });
});

test("case follows its post to another group", async () => {
  const people = await setupReportedPost("public");
  const { mira, tomas, discussion, post } = people;
  await report(mira, post.id);
  const other = await createTestGroup(database, people, { visibility: "public" });
  await within((tx) =>
    moveDiscussion(tx, tomas, {
      discussionId: discussion.id,
      groupId: other.id,
      visibility: "public",
      reason: "Fits there.",
    }),
  );
  expect(await one(db, sql`select group_id as id from cases`)).toEqual({ id: other.id });
});
