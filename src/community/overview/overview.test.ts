import { expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { reportPost } from "#community/moderation";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getOverview } from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

test("the overview shows an admin figures about people, discussions and pending work", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "secret" });
  await createTestDiscussion(database, people.mira, group.id, { title: "Alone" });
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  clock.pass(10 * MINUTE);
  await createTestReply(database, people.mira, id, { body: "Anybody?" });
  clock.pass(20 * MINUTE);
  const post = await createTestReply(database, people.tomas, id);
  await within((tx) => reportPost(tx, people.mira, { postId: post.id, reason: "No." }));
  await run(db, sql`update people set seen_at = ${clock.at} where id = ${people.mira.id}`);
  clock.pass(2 * DAY);
  const overview = await getOverview(db, people.ada, clock.at);
  expect(overview).toMatchObject({
    people: { members: 5, newThisWeek: 5, today: 0, thisWeek: 1, thisMonth: 1 },
    talk: { discussions: 2, unanswered: 1 },
    work: { accounts: 0, reports: 1, firstPosts: 0, groups: 0, mailsGivenUp: 0, failed: 0, stuck: 0 },
  });
  expect(overview.work.databaseBytes).toBeGreaterThan(1e6);
  expect(overview.weeks).toHaveLength(12);
  expect(overview.weeks.at(-1)).toEqual({
    until: clock.at,
    signUps: 5,
    writers: 2,
    posts: 4,
    firstAnswer: 30,
    storedBytes: 0,
  });
  clock.pass(60 * DAY);
  expect(await getOverview(db, people.ada, clock.at)).toMatchObject({
    people: { newThisWeek: 0, thisMonth: 0 },
    talk: { discussions: 0, unanswered: 0 },
  });
});

test("the overview is refused to everyone but admins", async () => {
  const { ines, mira, guest } = await createTestUsers(database);
  for (const viewer of [ines, mira, guest])
    await expect(getOverview(db, viewer, clock.at)).rejects.toMatchObject({ reason: "not-allowed" });
});

test("events are counted in the week in which they happened, and empty weeks are zero", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "public" });
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  await run(
    db,
    sql`insert into uploads (id, owner_id, hash, size, mime, created_at)
      values (${people.mira.id}, ${people.mira.id}, 'old', 700, 'text/plain', ${clock.at})`,
  );
  clock.pass(8 * DAY);
  await createTestReply(database, people.tomas, id);
  clock.pass(DAY);
  const { weeks } = await getOverview(db, people.ada, clock.at);
  expect(weeks.slice(-3)).toMatchObject([
    { signUps: 0, writers: 0, posts: 0, firstAnswer: null, storedBytes: 0 },
    { signUps: 5, writers: 1, posts: 1, firstAnswer: 8 * 24 * 60, storedBytes: 700 },
    { signUps: 0, writers: 1, posts: 1, firstAnswer: null, storedBytes: 700 },
  ]);
  clock.pass(84 * DAY);
  const later = await getOverview(db, people.ada, clock.at);
  expect(later.weeks[0]).toMatchObject({ signUps: 0, posts: 0, storedBytes: 700 });
});
