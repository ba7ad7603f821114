import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { setFollowLevel } from "#community/discussions";
import { reportPost } from "#community/moderation";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  setMembership,
} from "../../../test/support/test-users.ts";
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

test("a report affects those who may decide it, and not the people whom it involves", async () => {
  const { mira, tomas, noor, ines, ada } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const { id } = await createTestDiscussion(database, mira, group.id);
  const here = [mira, tomas, noor, ines, ada].map((viewer) => viewer.id);
  const affectedBy = async (author: typeof mira, reporter: typeof mira) => {
    const post = await createTestReply(database, author, id);
    const { id: reportId } = await within((tx) =>
      reportPost(tx, reporter, { postId: post.id, reason: "It sells beans." }),
    );
    const types = ["report.created", "report.resolved", "report.reopened"];
    const affected = await Promise.all(
      types.map((type) => listAffectedPeople(db, { type, reportId, by: reporter.id }, here)),
    );
    expect(affected[1]).toEqual(affected[0]);
    expect(affected[2]).toEqual(affected[0]);
    return affected[0]!.map((it) => it.id).toSorted();
  };
  const ids = (...people: { id: string }[]) => people.map((it) => it.id).toSorted();
  expect(await affectedBy(noor, mira)).toEqual(ids(tomas, ines, ada));
  expect(await affectedBy(tomas, mira)).toEqual(ids(ines, ada));
  expect(await affectedBy(noor, ines)).toEqual(ids(tomas, ada));
});

test("a pending text affects those who may approve it", async () => {
  const { mira, tomas, noor, ines, ada } = await createTestUsers(database);
  const group = await createTestGroup(database, { mira, tomas });
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const here = [mira, tomas, noor, ines, ada].map((viewer) => viewer.id);
  const affected = async (type: string, more: object) =>
    (await listAffectedPeople(db, { type, groupId: group.id, ...more }, here)).map((it) => it.id).toSorted();
  const ids = (...people: { id: string }[]) => people.map((it) => it.id).toSorted();
  expect(await affected("post.pending", { by: noor.id })).toEqual(ids(tomas, ines, ada));
  expect(await affected("post.approved", { personId: noor.id, by: tomas.id })).toEqual(ids(tomas, ines, ada));
  expect(await affected("profile.approved", { groupId: null, personId: ada.id, by: ines.id })).toEqual(
    ids(ines),
  );
  await run(db, sql`update groups set visibility = 'private' where id = ${group.id}`);
  expect(await affected("post.pending", { by: noor.id })).toEqual(ids(tomas));
});
