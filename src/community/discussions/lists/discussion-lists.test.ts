import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import { type Viewer } from "#community/rules";
import { createTestDiscussion, createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deleteDiscussion,
  deletePost,
  listDiscussions,
  purgeDeletedContent,
  listTopDiscussions,
} from "../index.ts";
import {
  database,
  db,
  setupDiscussion,
  within,
} from "../../../../test/support/discussions/discussion-setup.ts";

describe("group discussion list", () => {
  test.each(["activity", "new", "top"] as const)(
    "sorted by %s continues on the next page without repeats or gaps",
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

  test("sorted by replies has no gaps for members who can read only some of the replies", async () => {
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

  test("shows archived discussions to everyone, but deleted discussions only to moderators", async () => {
    const { mira, tomas, ines, noor, guest, group } = await setupDiscussion();
    const ids: string[] = [];
    for (let i = 0; i < 45; i++) {
      ids.push((await createTestDiscussion(database, tomas, group.id, { title: `Title ${i}` })).id);
      database.clock.pass(1000);
    }
    const list = async (viewer: Viewer, filter: "archived" | "deleted") => {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await listDiscussions(db, viewer, await getGroup(db, viewer, group.id), {
          filter,
          after,
        });
        expect(page.pinned).toEqual([]);
        seen.push(...page.rows.map((it) => it.id));
        after = page.next ?? undefined;
      } while (after);
      return seen;
    };
    const latestFirst = ids.toReversed();
    for (const discussionId of ids)
      await within((tx) => archiveDiscussion(tx, tomas, { discussionId, reason: "Over." }));
    for (const viewer of [mira, noor, guest]) expect(await list(viewer, "archived")).toEqual(latestFirst);
    expect(await list(tomas, "deleted")).toEqual([]);
    for (const discussionId of ids)
      await within((tx) => deleteDiscussion(tx, tomas, { discussionId, reason: "Spam." }));
    expect(await list(mira, "archived")).toEqual([]);
    for (const viewer of [tomas, ines]) expect(await list(viewer, "deleted")).toEqual(latestFirst);
    for (const viewer of [mira, noor, guest])
      await expect(list(viewer, "deleted")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("shows moderators deleted discussions until the deadline for restoring them", async () => {
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

  test("ranks top discussions by posts within the selected time span", async () => {
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
    const storedReplies = [
      await createTestReply(database, tomas, lively.id),
      await createTestReply(database, tomas, lively.id),
    ];
    for (let n = 0; n < 3; n++) await createTestReply(database, tomas, old.id);
    expect((await top("week")).map(([id]) => id)).toEqual([lively.id, old.id]);
    for (const { id } of storedReplies) await within((tx) => deletePost(tx, tomas, { postId: id }));
    expect((await top("week")).map(([id]) => id)).toEqual([old.id, lively.id]);
  });

  test("finds a short active discussion among hundreds of long inactive discussions", async () => {
    const { mira, guest, group, discussion: quiet } = await setupDiscussion();
    database.clock.pass(40 * DAY);
    const { at } = database.clock;
    await run(
      db,
      sql`insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
        last_post_by, created_at)
          select gen_random_uuid(), ${group.id}, ${mira.id}, 'Quiet ' || n, 12, 12, ${at}, ${mira.id},
            ${addMilliseconds(at, -60 * DAY)} from generate_series(1, 250) n`,
    );
    await run(
      db,
      sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
          select gen_random_uuid(), id, n, author_id, '', '', case n when 12 then ${at}::timestamptz
            else created_at end
          from discussions cross join generate_series(1, 12) n where id <> ${quiet.id}`,
    );
    const { id } = await createTestDiscussion(database, mira, group.id, { title: "Short and lively" });
    await createTestReply(database, mira, id);
    const top = await listTopDiscussions(db, guest, { span: "week", now: addMilliseconds(at, MINUTE) });
    expect([top.length, top[0]!.id]).toEqual([10, id]);
  });
});
