import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  listEmittedEvents,
  setMembership,
} from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deleteDiscussion,
  deletePost,
  getDiscussion,
  listDiscussions,
  listLatestDiscussions,
  lockDiscussion,
  NewTitle,
  getPost,
  getPostsPage,
  purgeDeletedContent,
  renameDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  restoreDiscussion,
  restorePost,
  setTimer,
  setSlowMode,
  unarchiveDiscussion,
  unlockDiscussion,
} from "../index.ts";
import {
  attachTestPicture,
  type Command,
  database,
  db,
  countFreedUploads,
  listEntryKinds,
  listEntries,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/moderated-discussion.ts";

describe("discussion moderation", () => {
  test("refuses everyone but moderators, and a missing reason", async () => {
    const { mira, noor, tomas, ines, guest, at, answer } = await setupModeration();
    const deeds: Record<string, (reason: string) => Command> = {
      lock: (reason) => (tx, who) => lockDiscussion(tx, who, { ...at, reason }),
      archive: (reason) => (tx, who) => archiveDiscussion(tx, who, { ...at, reason }),
      delete: (reason) => (tx, who) => deleteDiscussion(tx, who, { ...at, reason }),
      slow: (reason) => (tx, who) => setSlowMode(tx, who, { ...at, seconds: 60, reason }),
      time: (reason) => (tx, who) =>
        setTimer(tx, who, { ...at, timer: "close", until: addMilliseconds(tx.now, HOUR), reason }),
    };
    for (const [name, deed] of Object.entries(deeds)) {
      for (const who of [mira, noor])
        await expect(
          within((tx) => deed(REASON)(tx, who)),
          name,
        ).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(
        within((tx) => deed(REASON)(tx, guest)),
        name,
      ).rejects.toMatchObject({ reason: "not-signed-in" });
      await expect(
        within((tx) => deed("  ")(tx, tomas)),
        name,
      ).rejects.toMatchObject({ reason: "invalid", fields: { reason: expect.any(String) } });
    }
    await expect(
      within((tx) => restorePost(tx, mira, { postId: answer.id, reason: REASON })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => lockDiscussion(tx, ines, { ...at, reason: REASON }));
  });

  test("returns not-found to people who cannot read the discussion", async () => {
    const { noor, ines, at } = await setupModeration("private");
    for (const who of [noor, ines])
      await expect(
        within((tx) => archiveDiscussion(tx, who, { ...at, reason: REASON })),
      ).rejects.toMatchObject({ reason: "not-found" });
  });

  test("adds an activity entry with author and reason, and an audit entry", async () => {
    const { tomas, guest, discussion, at } = await setupModeration();
    database.clock.pass(MINUTE);
    await within((tx) => lockDiscussion(tx, tomas, { ...at, reason: REASON }));
    database.clock.pass(MINUTE);
    await within((tx) => unlockDiscussion(tx, tomas, at));
    expect(await listEntries(guest, discussion.id)).toMatchObject([
      { kind: "locked", by: { username: "tomas" }, reason: REASON },
      { kind: "unlocked", reason: "" },
    ]);
    const log = await many(
      db,
      sql`select act, reason from audit_events where object_id = ${discussion.id} order by at, id`,
    );
    expect(log).toEqual([
      { act: "discussion.locked", reason: REASON },
      { act: "discussion.unlocked", reason: null },
    ]);
  });

  test("shows the activity entry on the page of its time", async () => {
    const { tomas, mira, discussion, at } = await setupModeration();
    for (let i = 3; i <= 30; i++) {
      database.clock.pass(MINUTE);
      await createTestReply(database, i % 2 ? mira : tomas, discussion.id);
      if (i === 10 || i === 25)
        await within((tx) => setSlowMode(tx, tomas, { ...at, seconds: 0, reason: `${i}` }));
    }
    const whole = await getDiscussion(db, mira, discussion.id);
    const on = async (page: number) =>
      (await getPostsPage(db, mira, whole, { page })).lines.map(({ reason }) => reason);
    expect([await on(1), await on(2)]).toEqual([["10"], ["25"]]);
  });
});

describe("title", () => {
  test("can be changed by author and moderators; the activity entry shows both titles", async () => {
    const { mira, tomas, noor, discussion } = await setupModeration();
    const rename = (who: SignedIn, title: string) =>
      within((tx) => renameDiscussion(tx, who, NewTitle.parse({ discussionId: discussion.id, title })));
    await expect(rename(noor, "Nothing at all")).rejects.toMatchObject({ reason: "not-allowed" });
    await rename(mira, "When to sow runner beans");
    await rename(tomas, "When to sow runner beans");
    await rename(tomas, "Runner beans: when?");
    expect((await getDiscussion(db, noor, discussion.id)).title).toBe("Runner beans: when?");
    expect((await listEntries(noor, discussion.id)).map(({ details }) => details)).toEqual([
      { was: "When to sow beans", became: "When to sow runner beans" },
      { was: "When to sow runner beans", became: "Runner beans: when?" },
    ]);
    expect(NewTitle.safeParse({ discussionId: discussion.id, title: "abc" }).success).toBe(false);
  });
});

describe("archived or deleted discussion", () => {
  test("archived stays readable but closed and unlisted, and can be restored", async () => {
    const { mira, tomas, noor, group, discussion, at } = await setupModeration();
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON }));
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({ state: "archived" });
    expect((await listLatestDiscussions(db, mira, {})).rows).toEqual([]);
    expect((await listDiscussions(db, mira, await getGroup(db, mira, group.id), {})).rows).toEqual([]);
    await expect(createTestReply(database, mira, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(
      within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON })),
    ).rejects.toMatchObject({ reason: "conflict" });
    await within((tx) => unarchiveDiscussion(tx, tomas, at));
    await createTestReply(database, mira, discussion.id);
    expect(await listEntryKinds(mira, discussion.id)).toEqual(["archived", "unarchived"]);
  });

  test("deleted is visible to moderators only, who can restore it unchanged", async () => {
    const { mira, tomas, ines, noor, guest, discussion, at } = await setupModeration();
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON }));
    await within((tx) => deleteDiscussion(tx, tomas, { ...at, reason: REASON }));
    for (const who of [mira, noor, guest])
      await expect(getDiscussion(db, who, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    for (const who of [tomas, ines])
      expect((await getDiscussion(db, who, discussion.id)).state).toBe("deleted");
    await expect(createTestReply(database, tomas, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => lockDiscussion(tx, tomas, { ...at, reason: REASON }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => restoreDiscussion(tx, mira, at))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => restoreDiscussion(tx, tomas, at));
    expect((await getDiscussion(db, mira, discussion.id)).state).toBe("archived");
    await expect(within((tx) => restoreDiscussion(tx, tomas, at))).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["discussion.deleted", "discussion.restored"]),
    );
  });

  test("deleted with its only post returns with it, whichever of the two is restored", async () => {
    const { mira, tomas, guest, group } = await setupModeration();
    const alone = await createTestDiscussion(database, mira, group.id);
    const [at, post] = [{ discussionId: alone.id }, { postId: alone.postId }];
    const stands = async () => [
      (await getDiscussion(db, guest, alone.id)).state,
      (await getPost(db, guest, alone.postId)).stub,
      (await listLatestDiscussions(db, mira, {})).rows.some(({ id }) => id === alone.id),
    ];
    const remove = () => within((tx) => deletePost(tx, tomas, { ...post, reason: REASON }));
    await remove();
    await expect(getDiscussion(db, mira, alone.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restorePost(tx, tomas, { ...post, reason: REASON }));
    expect(await stands()).toEqual(["open", null, true]);
    await remove();
    await within((tx) => restoreDiscussion(tx, tomas, at));
    expect(await stands()).toEqual(["open", null, true]);
    expect((await listEmittedEvents(database)).slice(-2)).toEqual(["discussion.restored", "post.restored"]);
    await remove();
    database.clock.pass(31 * DAY);
    await run(db, sql`update posts set body_md = '', body_html = '' where id = ${alone.postId}`);
    await expect(within((tx) => restoreDiscussion(tx, tomas, at))).rejects.toMatchObject({ reason: "gone" });
  });

  test("cannot be restored without its only post, which its author deleted", async () => {
    const { mira, tomas, group } = await setupModeration();
    const alone = await createTestDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId: alone.postId }));
    await expect(
      within((tx) => restoreDiscussion(tx, tomas, { discussionId: alone.id })),
    ).rejects.toMatchObject({ reason: "conflict" });
    expect((await getDiscussion(db, tomas, alone.id)).state).toBe("deleted");
  });

  test("gets purged with its posts after thirty days, or after one without replies", async () => {
    const { mira, tomas, group, at } = await setupModeration();
    const lone = await createTestDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId: lone.postId }));
    await within((tx) => deleteDiscussion(tx, tomas, { ...at, reason: REASON }));
    await attachTestPicture(mira, lone.postId);
    const left = async () => (await many(db, sql`select id from discussions`)).length;
    database.clock.pass(DAY + MINUTE);
    await within(purgeDeletedContent);
    expect([await left(), await countFreedUploads()]).toEqual([1, 1]);
    database.clock.pass(28 * DAY);
    await within(purgeDeletedContent);
    expect(await left()).toBe(1);
    database.clock.pass(DAY);
    await within(purgeDeletedContent);
    expect(await left()).toBe(0);
    expect(await many(db, sql`select id from posts`)).toEqual([]);
  });
});

describe("accepted answer", () => {
  test("must be a post of the discussion, marked by its author or a moderator", async () => {
    const { mira, tomas, noor, group, discussion, answer, at } = await setupModeration();
    const other = await createTestDiscussion(database, tomas, group.id);
    const resolve = (who: SignedIn, postId?: string) =>
      within((tx) => resolveDiscussion(tx, who, { ...at, postId }));
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await expect(resolve(noor, answer.id)).rejects.toMatchObject({ reason: "not-allowed" });
    for (const forged of [other.postId, crypto.randomUUID(), "x"])
      await expect(resolve(mira, forged)).rejects.toMatchObject({ reason: "not-found" });
    await resolve(mira, answer.id);
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({
      answer: { id: answer.id, number: 2 },
      resolvedAt: database.clock.at,
    });
    await within((tx) => reopenDiscussion(tx, mira, at));
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({ answer: null, resolvedAt: null });
    await resolve(tomas);
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({
      answer: null,
      resolvedAt: database.clock.at,
    });
  });

  test("marked again adds nothing; another answer is a new entry", async () => {
    const { mira, tomas, discussion, answer, at } = await setupModeration();
    const resolve = (postId?: string) => within((tx) => resolveDiscussion(tx, mira, { ...at, postId }));
    const reopen = () => within((tx) => reopenDiscussion(tx, tomas, at));
    await reopen();
    await resolve();
    await resolve();
    database.clock.pass(1000);
    await resolve(answer.id);
    await resolve(answer.id);
    database.clock.pass(1000);
    await reopen();
    await reopen();
    expect(await listEntryKinds(mira, discussion.id)).toEqual(["resolved", "resolved", "reopened"]);
    expect((await listEmittedEvents(database)).filter((type) => /resolved|reopened/.test(type))).toHaveLength(
      3,
    );
  });

  test("disappears when its post is removed, and restoring does not bring it back", async () => {
    const { mira, tomas, discussion, answer, at } = await setupModeration();
    const beside = await createTestReply(database, tomas, discussion.id);
    const resolve = (postId: string) => within((tx) => resolveDiscussion(tx, mira, { ...at, postId }));
    const settled = async () => {
      const { answer, resolvedAt } = await getDiscussion(db, mira, discussion.id);
      return [answer?.number ?? null, resolvedAt !== null];
    };
    await resolve(answer.id);
    await within((tx) => deletePost(tx, tomas, { postId: beside.id }));
    expect([await settled(), await listEntryKinds(mira, discussion.id)]).toEqual([[2, true], ["resolved"]]);
    database.clock.pass(1000);
    await within((tx) => deletePost(tx, tomas, { postId: answer.id }));
    expect([await settled(), await listEntryKinds(mira, discussion.id)]).toEqual([
      [null, false],
      ["resolved", "reopened"],
    ]);
    expect((await listEmittedEvents(database)).at(-2)).toBe("discussion.reopened");
    const { id } = await createTestReply(database, mira, discussion.id);
    await resolve(id);
    await within((tx) => deletePost(tx, tomas, { postId: id, reason: REASON }));
    await within((tx) => restorePost(tx, tomas, { postId: id, reason: REASON }));
    expect(await settled()).toEqual([null, false]);
  });
});
