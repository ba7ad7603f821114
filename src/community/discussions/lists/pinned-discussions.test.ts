import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import { runConcurrently } from "../../../../test/support/concurrently.ts";
import { createTestDiscussion, createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import {
  deletePost,
  getDiscussion,
  listDiscussions,
  pinDiscussion,
  resolveDiscussion,
  restoreDiscussion,
  listSidebarRows,
  unpinDiscussion,
} from "../index.ts";
import {
  database,
  db,
  setupDiscussion,
  within,
} from "../../../../test/support/discussions/discussion-setup.ts";

describe("group discussion list", () => {
  test("shows no pin after its end, even before the job has run", async () => {
    const { mira, tomas, group, discussion } = await setupDiscussion();
    database.clock.at = new Date();
    const others = [];
    for (let i = 0; i < 3; i++)
      others.push((await createTestDiscussion(database, tomas, group.id, { title: `Later ${i}` })).id);
    await within((tx) =>
      pinDiscussion(tx, tomas, { discussionId: discussion.id, until: addMilliseconds(tx.now, DAY) }),
    );
    const here = await getGroup(db, mira, group.id);
    const where = async () => {
      const { pinned, rows } = await listDiscussions(db, mira, here, {});
      const beside = (await listSidebarRows(db, mira, here)).find(({ id }) => id === discussion.id);
      const { pinnedAt } = await getDiscussion(db, mira, discussion.id);
      return [
        pinned.length,
        rows.some((row) => row.id === discussion.id && !row.pinned),
        beside?.pinned,
        pinnedAt !== null,
      ];
    };
    expect(await where()).toEqual([1, false, true, true]);
    await run(
      db,
      sql`update discussions set pinned_until = now() - interval '1 second' where id = ${discussion.id}`,
    );
    expect(await where()).toEqual([0, true, false, false]);
    // The expired pin does not count toward the limit of pins.
    database.clock.pass(1000);
    for (const discussionId of others) await within((tx) => pinDiscussion(tx, tomas, { discussionId }));
    await expect(
      within((tx) => pinDiscussion(tx, tomas, { discussionId: discussion.id })),
    ).rejects.toMatchObject({ reason: "conflict" });
  });

  test("shows at most three pinned discussions separately, and filters and sorts the rest", async () => {
    const { mira, tomas, group, discussion } = await setupDiscussion();
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      database.clock.pass(1000);
      ids.push(
        (
          await createTestDiscussion(database, tomas, group.id, {
            title: `Number ${i}`,
            tags: i % 2 ? "odd" : "even",
          })
        ).id,
      );
    }
    database.clock.pass(1000);
    await createTestReply(database, tomas, discussion.id);
    for (const id of ids.slice(0, 3)) {
      database.clock.pass(1000);
      await within((tx) => pinDiscussion(tx, tomas, { discussionId: id }));
    }
    await expect(within((tx) => pinDiscussion(tx, tomas, { discussionId: ids[3]! }))).rejects.toMatchObject({
      reason: "conflict",
    });
    const here = await getGroup(db, mira, group.id);
    const titles = async (query: Parameters<typeof listDiscussions>[3]) =>
      (await listDiscussions(db, mira, here, query)).rows.map((it) => it.title);
    expect((await listDiscussions(db, mira, here, {})).pinned.map((it) => it.title)).toEqual([
      "Number 2",
      "Number 1",
      "Number 0",
    ]);
    expect(await titles({})).toEqual(["When to sow beans", "Number 3"]);
    expect(await titles({ filter: { tag: "odd" } })).toEqual(["Number 3", "Number 1"]);
    expect(await titles({ filter: "unanswered" })).toEqual(["Number 3", "Number 2", "Number 1", "Number 0"]);
    expect(await titles({ filter: "mine" })).toEqual(["When to sow beans"]);
    expect(await titles({ sort: "top", filter: { tag: "even" } })).toEqual(["Number 2", "Number 0"]);
    expect((await listSidebarRows(db, mira, here)).map((it) => it.pinned)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    // Changing the end keeps the position.
    database.clock.pass(1000);
    await within((tx) =>
      pinDiscussion(tx, tomas, { discussionId: ids[0]!, until: new Date(Date.now() + DAY) }),
    );
    expect((await listDiscussions(db, mira, here, {})).pinned.map((it) => it.title)).toEqual([
      "Number 2",
      "Number 1",
      "Number 0",
    ]);
    await within((tx) => unpinDiscussion(tx, tomas, { discussionId: ids[0]! }));
    await within((tx) => resolveDiscussion(tx, mira, { discussionId: discussion.id }));
    expect((await listDiscussions(db, mira, here, { filter: "mine" })).rows).toMatchObject([
      { resolved: true },
    ]);
    await expect(
      within((tx) => resolveDiscussion(tx, mira, { discussionId: ids[0]! })),
    ).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("has three pins at most, even after concurrent pins or a restore", async () => {
    const { tomas, noor, group, discussion } = await setupDiscussion();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const ids: string[] = [];
    for (let i = 0; i < 3; i++)
      ids.push(
        (await createTestDiscussion(database, i === 0 ? noor : tomas, group.id, { title: `Number ${i}` })).id,
      );
    const pin = (discussionId: string) => (tx: Parameters<typeof pinDiscussion>[0]) =>
      pinDiscussion(tx, tomas, { discussionId });
    const pinned = async () =>
      (await listDiscussions(db, tomas, await getGroup(db, tomas, group.id), {})).pinned
        .map((it) => it.title)
        .toSorted();
    for (const id of ids.slice(0, 2)) await within(pin(id));
    const ends = await runConcurrently(database, pin(ids[2]!), pin(discussion.id));
    expect(ends).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { reason: "conflict" } },
    ]);

    const { postId } = await one(
      db,
      sql<{ postId: string }>`select id as "postId" from posts where discussion_id = ${ids[0]}`,
    );
    await within((tx) => deletePost(tx, tomas, { postId, reason: "Said twice." }));
    await within(pin(discussion.id));
    await within((tx) => restoreDiscussion(tx, tomas, { discussionId: ids[0]! }));
    expect(await pinned()).toEqual(["Number 1", "Number 2", "When to sow beans"]);
  });
});
