import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds, MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import { GUEST, type Viewer } from "#community/rules";
import { runConcurrently } from "../../../../test/support/concurrently.ts";
import { createTestDiscussion, createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deleteDiscussion,
  deletePost,
  getDiscussion,
  listDiscussions,
  getDraft,
  pinDiscussion,
  draftTargets,
  purgeDrafts,
  purgeDeletedContent,
  resolveDiscussion,
  restoreDiscussion,
  saveDraft,
  listSidebarRows,
  listTopDiscussions,
  unpinDiscussion,
} from "../index.ts";
import { database, db, setupDiscussion, within } from "../../../../test/support/discussion-setup.ts";

describe("group discussion list", () => {
  test("ends a pin at its time, before any job has run", async () => {
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
        rows.some(({ id, pinned }) => id === discussion.id && !pinned),
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
    // Its pin slot is free too.
    database.clock.pass(1000);
    for (const discussionId of others) await within((tx) => pinDiscussion(tx, tomas, { discussionId }));
    await expect(
      within((tx) => pinDiscussion(tx, tomas, { discussionId: discussion.id })),
    ).rejects.toMatchObject({ reason: "conflict" });
  });

  test("lists at most three pinned separately, and filters and sorts the rest", async () => {
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

  test("pins three at most, even at once or after a restore", async () => {
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

  test.each(["activity", "new", "top"] as const)(
    "continues pages by %s without repeating or skipping",
    async (sort) => {
      const { mira, tomas, group } = await setupDiscussion();
      for (let i = 0; i < 44; i++)
        await createTestDiscussion(database, tomas, group.id, { title: `Title ${i}` });
      const here = await getGroup(db, mira, group.id);
      const seen: string[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = await listDiscussions(db, mira, here, { sort, ...(after && { after }) });
        seen.push(...page.rows.map((it) => it.id));
        after = page.next ?? undefined;
        more = page.next !== null;
      }
      expect([seen.length, new Set(seen).size]).toEqual([45, 45]);
    },
  );

  test("continues pages by number of replies for members who see only part of them", async () => {
    const { tomas, noor, group } = await setupDiscussion("private");
    await run(db, sql`update groups set history_policy = 'from_joining' where id = ${group.id}`);
    const ids: string[] = [];
    for (let i = 0; i < 21; i++)
      ids.push((await createTestDiscussion(database, tomas, group.id, { title: `Title ${i}` })).id);
    for (const id of ids) for (let n = 0; n < 2; n++) await createTestReply(database, tomas, id);
    database.clock.pass(MINUTE);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    for (const id of ids) await createTestReply(database, tomas, id);
    const here = await getGroup(db, noor, group.id);
    const first = await listDiscussions(db, noor, here, { sort: "top" });
    const second = await listDiscussions(db, noor, here, { sort: "top", after: first.next! });
    expect([...first.rows, ...second.rows].map((it) => it.id).toSorted()).toEqual(ids.toSorted());
  });

  test("shows archived discussions to everyone, deleted ones to moderators", async () => {
    const { mira, tomas, ines, noor, guest, group } = await setupDiscussion();
    const ids: string[] = [];
    for (let i = 0; i < 45; i++) {
      ids.push((await createTestDiscussion(database, tomas, group.id, { title: `Title ${i}` })).id);
      database.clock.pass(1000);
    }
    const list = async (who: Viewer, filter: "archived" | "deleted") => {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await listDiscussions(db, who, await getGroup(db, who, group.id), { filter, after });
        expect(page.pinned).toEqual([]);
        seen.push(...page.rows.map((it) => it.id));
        after = page.next ?? undefined;
      } while (after);
      return seen;
    };
    const latestFirst = ids.toReversed();
    for (const discussionId of ids)
      await within((tx) => archiveDiscussion(tx, tomas, { discussionId, reason: "Over." }));
    for (const who of [mira, noor, guest]) expect(await list(who, "archived")).toEqual(latestFirst);
    expect(await list(tomas, "deleted")).toEqual([]);
    for (const discussionId of ids)
      await within((tx) => deleteDiscussion(tx, tomas, { discussionId, reason: "Spam." }));
    expect(await list(mira, "archived")).toEqual([]);
    for (const who of [tomas, ines]) expect(await list(who, "deleted")).toEqual(latestFirst);
    for (const who of [mira, noor, guest])
      await expect(list(who, "deleted")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("shows until when a deleted discussion can be restored, and keeps it until then", async () => {
    const { mira, tomas, ines, group, discussion } = await setupDiscussion();
    const deleted = async () =>
      (await listDiscussions(db, tomas, await getGroup(db, tomas, group.id), { filter: "deleted" })).rows;
    const own = await createTestDiscussion(database, mira, group.id, { title: "Never mind" });
    database.clock.pass(1000);
    const at = database.clock.at;
    await within((tx) => deletePost(tx, mira, { postId: own.postId }));
    await within((tx) => deleteDiscussion(tx, ines, { discussionId: discussion.id, reason: "Spam." }));
    const until = Object.fromEntries((await deleted()).map((it) => [it.id, it.restorableUntil]));
    expect(until).toEqual({
      [own.id]: addMilliseconds(at, DAY),
      [discussion.id]: addMilliseconds(at, 30 * DAY),
    });
    for (const [id, left] of [[own.id, DAY] as const, [discussion.id, 29 * DAY - 1] as const]) {
      database.clock.pass(left);
      await within(purgeDeletedContent);
      expect((await deleted()).map((it) => it.id)).toContain(id);
      database.clock.pass(1);
      await within(purgeDeletedContent);
      expect((await deleted()).map((it) => it.id)).not.toContain(id);
    }
  });

  test("shows excerpts of the top discussions, for guests too", async () => {
    const { guest, discussion } = await setupDiscussion();
    expect(await listTopDiscussions(db, guest, { span: "week", now: database.clock.at })).toMatchObject([
      { id: discussion.id, excerpt: "The soil is still cold.", unread: 0 },
    ]);
    await run(db, sql`update discussions set last_post_at = last_post_at - interval '8 days'`);
    expect(await listTopDiscussions(db, guest, { span: "week", now: database.clock.at })).toEqual([]);
  });

  test("counts only posts within the time span for the top discussions", async () => {
    const { mira, tomas, noor, group, discussion: old } = await setupDiscussion();
    for (let n = 0; n < 6; n++) await createTestReply(database, tomas, old.id);
    database.clock.pass(40 * DAY);
    const lively = await createTestDiscussion(database, mira, group.id, { title: "This month's" });
    for (let n = 0; n < 2; n++) await createTestReply(database, tomas, lively.id);
    await createTestReply(database, tomas, old.id);
    const top = async (span: "week" | "month" | "year") =>
      (await listTopDiscussions(db, noor, { span, now: addMilliseconds(database.clock.at, MINUTE) })).map(
        (it) => [it.id, it.replies],
      );
    expect(await top("month")).toEqual([
      [lively.id, 2],
      [old.id, 7],
    ]);
    expect((await top("year")).map(([id]) => id)).toEqual([old.id, lively.id]);
    const taken = [
      await createTestReply(database, tomas, lively.id),
      await createTestReply(database, tomas, lively.id),
    ];
    for (let n = 0; n < 3; n++) await createTestReply(database, tomas, old.id);
    expect((await top("week")).map(([id]) => id)).toEqual([lively.id, old.id]);
    for (const { id } of taken) await within((tx) => deletePost(tx, tomas, { postId: id }));
    expect((await top("week")).map(([id]) => id)).toEqual([old.id, lively.id]);
  });

  test("finds a short discussion among hundreds of long quiet ones", async () => {
    const { mira, guest, group, discussion: quiet } = await setupDiscussion();
    database.clock.pass(40 * DAY);
    const { at } = database.clock;
    await run(
      db,
      sql`insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at, last_post_by, created_at)
          select gen_random_uuid(), ${group.id}, ${mira.id}, 'Quiet ' || n, 12, 12, ${at}, ${mira.id}, ${addMilliseconds(at, -60 * DAY)} from generate_series(1, 250) n`,
    );
    await run(
      db,
      sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
          select gen_random_uuid(), id, n, author_id, '', '', case n when 12 then ${at}::timestamptz else created_at end
          from discussions cross join generate_series(1, 12) n where id <> ${quiet.id}`,
    );
    const { id } = await createTestDiscussion(database, mira, group.id, { title: "Short and lively" });
    await createTestReply(database, mira, id);
    const top = await listTopDiscussions(db, guest, { span: "week", now: addMilliseconds(at, MINUTE) });
    expect([top.length, top[0]!.id]).toEqual([10, id]);
  });
});

describe("draft", () => {
  test("keeps versions so that a second device overwrites nothing, and is deleted when sent", async () => {
    const { mira, tomas, discussion } = await setupDiscussion();
    const there = { place: draftTargets.discussion(discussion.id), title: "" };
    const save = (version: number, body: string) =>
      within((tx) => saveDraft(tx, mira, { ...there, version, body }));
    const first = (await save(0, "I thi")).draft.version;
    const second = await save(first, "I think");
    expect(second.kept).toBe(true);
    expect(second.draft.version).toBeGreaterThan(first);
    expect(await save(first, "From the phone")).toMatchObject({
      kept: false,
      draft: { version: second.draft.version, body: "I think" },
    });
    expect(await getDraft(db, tomas, there.place)).toBeNull();
    expect(await getDraft(db, GUEST, there.place)).toBeNull();
    await createTestReply(database, mira, discussion.id, { body: "I think" });
    expect(await getDraft(db, mira, there.place)).toBeNull();
  });

  test("expires 180 days after its last change", async () => {
    const { mira, discussion } = await setupDiscussion();
    const save = (at: string, version: number) =>
      within((tx) => saveDraft(tx, mira, { place: at, title: "", version, body: "I thi" }));
    const [old, changed] = [draftTargets.discussion(discussion.id), "new:conversation"];
    await save(old, 0);
    const { version } = (await save(changed, 0)).draft;
    database.clock.pass(DAY);
    const again = (await save(changed, version)).draft;
    database.clock.pass(179 * DAY);
    expect(await within(purgeDrafts)).toBe(0);
    database.clock.pass(1);
    expect(await within(purgeDrafts)).toBe(1);
    expect([await getDraft(db, mira, old), await getDraft(db, mira, changed)]).toEqual([null, again]);
  });
});
