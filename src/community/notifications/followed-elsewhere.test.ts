import { expect, test } from "vitest";
import { type FollowLevel, markRead, moveDiscussion, nextUnread, setFollowLevel, unreadAndLatest } from "#community/discussions";
import { run, sql } from "#platform/database";
import { aDiscussion, aGroup, aReply, bring, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { badgesFor, shellFor } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

test("a followed discussion of a public group counts as unread for a non-member while readable", async () => {
  const { mira, tomas, noor } = await cast(database);
  const inside = await aGroup(database, { mira, tomas }, { visibility: "private" });
  const open = await aGroup(database, { mira, tomas }, { name: "The Square" });
  const { id } = await aDiscussion(database, tomas, open.id, { title: "A bench for the square" });
  const next = async () => (await nextUnread(db, noor))?.id ?? null;
  const unread = async () => (await unreadAndLatest(db, noor)).unread.map((row) => [row.id, row.followed, row.unread]);
  const figures = async () => [(await badgesFor(db, noor)).unreadDiscussions, (await shellFor(db, noor)).badges.unreadDiscussions];
  const choose = (level: FollowLevel) => within((tx) => setFollowLevel(tx, noor, { discussionId: id, level }));
  const nothing = async () => expect([await next(), await unread(), await figures()]).toEqual([null, [], [0, 0]]);
  await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 1 }));
  await aReply(database, tomas, id);
  // Reading or writing follows automatically: that is no explicit choice.
  await run(db, sql`update read_states set level = 'tracking' where person_id = ${noor.id}`);
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
  await within((tx) => bring(tx, open.id, noor, "member"));
  expect([await unread(), await figures()]).toEqual([[[id, true, 1]], [1, 1]]);
  await within((tx) => bring(tx, open.id, noor, "banned"));
  await nothing();
  await within((tx) => bring(tx, open.id, noor, "left"));
  expect(await figures()).toEqual([1, 1]);
  await within((tx) => moveDiscussion(tx, tomas, { discussionId: id, groupId: inside.id, visibility: "private", reason: "Ours." }));
  await nothing();
});
