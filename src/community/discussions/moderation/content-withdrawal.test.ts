import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { banFromGroup, joinGroup, leaveGroup } from "#community/groups";
import { eraseDeactivated } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getDiscussion, getPostsPage, resolveDiscussion, withdrawContentOfLeavers } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const leave = (viewer: SignedIn, leaving: "keep" | "remove") =>
  run(
    db,
    sql`update people set state = 'deactivated', deactivated_at = ${database.clock.at}, leaving = ${leaving}
      where id = ${viewer.id}`,
  );
const stateOf = async (viewer: SignedIn) =>
  (await one(db, sql<{ state: string }>`select state from people where id = ${viewer.id}`)).state;

/** Mira has a discussion of her own, one with a reply by Tomas, and a reply in one of his. */
async function setupContent() {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const alone = await createTestDiscussion(database, mira, group.id, { title: "On my own", body: "Mine" });
  await createTestReply(database, mira, alone.id, { body: "Mine, too" });
  const answered = await createTestDiscussion(database, mira, group.id, {
    title: "Who knows?",
    body: "Mine",
  });
  await createTestReply(database, tomas, answered.id, { body: "I do" });
  const his = await createTestDiscussion(database, tomas, group.id, { title: "His own", body: "His" });
  await createTestReply(database, mira, his.id, { body: "Mine" });
  return { ...people, groupId: group.id, alone, answered, his };
}

describe("content of a closed account that asked for deletion", () => {
  test("disappears after thirty days while the posts of others stay", async () => {
    const { mira, tomas, noor, alone, answered, his } = await setupContent();
    await leave(mira, "remove");
    database.clock.pass(30 * 86_400_000);
    expect(await within(withdrawContentOfLeavers)).toBe(0);
    database.clock.pass(1);
    await within(eraseDeactivated);
    // The account is erased only when none of its content is left.
    expect(await stateOf(mira)).toBe("deactivated");
    expect(await within(withdrawContentOfLeavers)).toBe(4);
    expect(await within(withdrawContentOfLeavers)).toBe(0);
    expect(
      await many(
        db,
        sql`select 1 from posts where author_id = ${mira.id} and (body_md <> '' or body_html <> '')`,
      ),
    ).toEqual([]);
    await expect(getDiscussion(db, noor, alone.id)).rejects.toMatchObject({ reason: "not-found" });
    const seen = async (id: string) => {
      const discussion = await getDiscussion(db, tomas, id);
      const { posts } = await getPostsPage(db, tomas, discussion, { page: 1 });
      return [discussion.title, ...posts.map((post) => post.stub ?? post.html?.replace(/<[^>]+>|\n/g, ""))];
    };
    expect(await seen(answered.id)).toEqual(["Who knows?", "deleted", "I do"]);
    expect(await seen(his.id)).toEqual(["His own", "His", "deleted"]);
    expect(
      (await one(db, sql<{ n: number }>`select posts_count as n from discussions where id = ${his.id}`)).n,
    ).toBe(1);
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["post.deleted", "discussion.deleted"]),
    );
    await within(eraseDeactivated);
    expect(await stateOf(mira)).toBe("erased");
  });

  test("no longer counts as an accepted answer", async () => {
    const { mira, tomas, his } = await setupContent();
    const { id: postId } = await createTestReply(database, mira, his.id, { body: "That is how." });
    await within((tx) => resolveDiscussion(tx, tomas, { discussionId: his.id, postId }));
    await leave(mira, "remove");
    database.clock.pass(31 * 86_400_000);
    await within(withdrawContentOfLeavers);
    expect(await getDiscussion(db, tomas, his.id)).toMatchObject({ resolvedAt: null, answer: null });
    expect(await listEmittedEvents(database)).toContain("discussion.reopened");
  });

  test("no longer uses its pictures, which can be deleted", async () => {
    const { mira, tomas } = await setupContent();
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
          select gen_random_uuid(), author_id, 'x', 5, 'image/webp', 'post', id, created_at from posts`,
    );
    await leave(mira, "remove");
    database.clock.pass(31 * 86_400_000);
    await within(withdrawContentOfLeavers);
    expect(
      await many(
        db,
        sql`select owner_id as id, count(attached_id)::int as shown from uploads group by 1 order by 2`,
      ),
    ).toEqual([
      { id: mira.id, shown: 0 },
      { id: tomas.id, shown: 2 },
    ]);
  });

  test("remains if the person chose to keep it or returns in time", async () => {
    const { mira, tomas } = await setupContent();
    await leave(mira, "keep");
    await leave(tomas, "remove");
    await run(
      db,
      sql`update people set state = 'active', deactivated_at = null, leaving = null where id = ${tomas.id}`,
    );
    database.clock.pass(31 * 86_400_000);
    expect(await within(withdrawContentOfLeavers)).toBe(0);
    await within(eraseDeactivated);
    expect([await stateOf(mira), await stateOf(tomas)]).toEqual(["erased", "active"]);
    expect((await many(db, sql`select 1 from posts where state = 'published'`)).length).toBe(6);
  });
});

describe("content of a former group member who asked for deletion", () => {
  const DAY = 86_400_000;
  const left = async () => {
    const it = await setupContent();
    const elsewhere = await createTestGroup(database, it, { name: "Elsewhere" });
    await createTestDiscussion(database, it.mira, elsewhere.id, { title: "Another place" });
    const leaves = (viewer: SignedIn, content?: "keep" | "remove") =>
      within((tx) => leaveGroup(tx, viewer, { groupId: it.groupId, content }));
    const standing = async (viewer: SignedIn) =>
      (
        await many(
          db,
          sql<{ title: string }>`select d.title from posts p join discussions d on d.id = p.discussion_id
            where p.author_id = ${viewer.id} and p.state = 'published' order by p.id`,
        )
      ).map(({ title }) => title);
    return { ...it, leaves, standing };
  };

  test("disappears after a day in that group only, without the posts of others", async () => {
    const { mira, tomas, leaves, standing } = await left();
    await leaves(mira, "remove");
    database.clock.pass(DAY);
    expect(await within(withdrawContentOfLeavers)).toBe(0);
    database.clock.pass(1);
    expect(await within(withdrawContentOfLeavers)).toBe(4);
    expect([await standing(mira), await standing(tomas)]).toEqual([
      ["Another place"],
      ["Who knows?", "His own"],
    ]);
    expect(await many(db, sql`select from memberships where export_requested_at is not null`)).toEqual([]);
    expect(await within(withdrawContentOfLeavers)).toBe(0);
  });

  test("stays if its author rejoins before the day is over", async () => {
    const { mira, tomas, noor, groupId, leaves, standing } = await left();
    await leaves(mira);
    database.clock.pass(2 * DAY);
    expect(await within(withdrawContentOfLeavers)).toBe(0);
    await within((tx) => joinGroup(tx, mira, { groupId }));
    await leaves(mira, "remove");
    await within((tx) => joinGroup(tx, mira, { groupId }));
    database.clock.pass(2 * DAY);
    expect([await within(withdrawContentOfLeavers), (await standing(mira)).length]).toEqual([0, 5]);
    await leaves(mira, "remove");
    await within((tx) => banFromGroup(tx, tomas, { groupId, personId: mira.id, reason: "Shouting." }));
    database.clock.pass(2 * DAY);
    expect(await within(withdrawContentOfLeavers)).toBe(4);
    await expect(leaves(noor, "remove")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets removed only once if the account was closed as well", async () => {
    const { mira, his, leaves } = await left();
    await leaves(mira, "remove");
    await leave(mira, "remove");
    database.clock.pass(31 * DAY);
    expect(await within(withdrawContentOfLeavers)).toBe(5);
    expect(
      (await one(db, sql<{ n: number }>`select posts_count as n from discussions where id = ${his.id}`)).n,
    ).toBe(1);
  });
});
