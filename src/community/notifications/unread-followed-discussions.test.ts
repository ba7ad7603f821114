import { expect, test } from "vitest";
import {
  type FollowLevel,
  markRead,
  moveDiscussion,
  findNextUnread,
  setFollowLevel,
  listUnreadAndLatest,
} from "#community/discussions";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getBadges, getPageSidebar } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

test("a followed discussion of a public group counts as unread for a non-member who can read it", async () => {
  const { mira, tomas, noor } = await createTestUsers(database);
  const inside = await createTestGroup(database, { mira, tomas }, { visibility: "private" });
  const open = await createTestGroup(database, { mira, tomas }, { name: "The Square" });
  const { id } = await createTestDiscussion(database, tomas, open.id, { title: "A bench for the square" });
  const next = async () => (await findNextUnread(db, noor))?.id ?? null;
  const unread = async () =>
    (await listUnreadAndLatest(db, noor)).unread.map((row) => [row.id, row.followed, row.unread]);
  const figures = async () => [
    (await getBadges(db, noor)).unreadDiscussions,
    (await getPageSidebar(db, noor)).badges.unreadDiscussions,
  ];
  const choose = (level: FollowLevel) =>
    within((tx) => setFollowLevel(tx, noor, { discussionId: id, level }));
  const nothing = async () =>
    expect([await next(), await unread(), await figures()]).toEqual([null, [], [0, 0]]);
  await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 1 }));
  await createTestReply(database, tomas, id);
  // Reading or writing makes a person follow a discussion automatically, which is not an explicit choice.
  await run(db, sql`update read_positions set level = 'tracking' where person_id = ${noor.id}`);
  await nothing();
  for (const level of ["watching", "tracking"] as const) {
    await choose(level);
    expect([await next(), await unread(), await figures()]).toEqual([id, [[id, true, 1]], [1, 1]]);
  }
  for (const level of ["normal", "muted"] as const) {
    await choose(level);
    await nothing();
  }
  await choose("watching");
  await within((tx) => setMembership(tx, open.id, noor, "member"));
  expect([await unread(), await figures()]).toEqual([[[id, true, 1]], [1, 1]]);
  await within((tx) => setMembership(tx, open.id, noor, "banned"));
  await nothing();
  await within((tx) => setMembership(tx, open.id, noor, "left"));
  expect(await figures()).toEqual([1, 1]);
  await within((tx) =>
    moveDiscussion(tx, tomas, {
      discussionId: id,
      groupId: inside.id,
      visibility: "private",
      reason: "Ours.",
    }),
  );
  await nothing();
});
