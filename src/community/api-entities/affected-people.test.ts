import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { setFollowLevel } from "#community/discussions";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { listAffectedPeople } from "./affected-people.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

test("a reply affects members, and followers of the discussion who can read it", async () => {
  const { mira, tomas, noor, ines, ada } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  const { id } = await createTestDiscussion(database, mira, group.id);
  const choose = (who: typeof noor, level: "watching" | "normal") =>
    within((tx) => setFollowLevel(tx, who, { discussionId: id, level }));
  await choose(noor, "watching");
  await choose(ines, "normal");
  const here = [mira, tomas, noor, ines, ada].map((viewer) => viewer.id);
  const listAffected = (type: string) =>
    listAffectedPeople(db, { type, discussionId: id, groupId: group.id, by: tomas.id }, here);
  const affectedIds = async (type: string) => (await listAffected(type)).map((it) => it.id).toSorted();
  expect(await affectedIds("post.written")).toEqual([mira.id, noor.id].toSorted());
  // The post is news to both people.
  expect((await listAffected("post.written")).map((it) => it.news)).toEqual([true, true]);
  expect(await affectedIds("discussion.archived")).toEqual([mira.id, tomas.id, noor.id].toSorted());
  await run(db, sql`update groups set visibility = 'private' where id = ${group.id}`);
  expect(await affectedIds("post.written")).toEqual([mira.id]);
});
