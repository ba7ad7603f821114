import { describe, expect, test } from "vitest";
import { DAY, HOUR, later, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { groupFor } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aReply, announced, bring } from "../../../test/cast.ts";
import {
  archiveDiscussion,
  deleteDiscussion,
  deletePost,
  discussionFor,
  discussionsOf,
  latestDiscussions,
  lockDiscussion,
  NewTitle,
  postFor,
  postsOf,
  purgeTakenAway,
  renameDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  restoreDiscussion,
  restorePost,
  setTimer,
  slowDiscussion,
  unarchiveDiscussion,
  unlockDiscussion,
} from "./index.ts";
import { aPictureIn, type Deed, database, db, freed, kinds, lines, setting, why, within } from "./moderating.fixture.ts";

describe("discussion moderation", () => {
  test("refuses everyone but moderators, and a missing reason", async () => {
    const { mira, noor, tomas, ines, guest, at, answer } = await setting();
    const deeds: Record<string, (reason: string) => Deed> = {
      lock: (reason) => (tx, who) => lockDiscussion(tx, who, { ...at, reason }),
      archive: (reason) => (tx, who) => archiveDiscussion(tx, who, { ...at, reason }),
      delete: (reason) => (tx, who) => deleteDiscussion(tx, who, { ...at, reason }),
      slow: (reason) => (tx, who) => slowDiscussion(tx, who, { ...at, seconds: 60, reason }),
      time: (reason) => (tx, who) => setTimer(tx, who, { ...at, timer: "close", until: later(tx.now, HOUR), reason }),
    };
    for (const [name, deed] of Object.entries(deeds)) {
      for (const who of [mira, noor])
        await expect(
          within((tx) => deed(why)(tx, who)),
          name,
        ).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(
        within((tx) => deed(why)(tx, guest)),
        name,
      ).rejects.toMatchObject({ reason: "not-signed-in" });
      await expect(
        within((tx) => deed("  ")(tx, tomas)),
        name,
      ).rejects.toMatchObject({ reason: "invalid", fields: { reason: expect.any(String) } });
    }
    await expect(within((tx) => restorePost(tx, mira, { postId: answer.id, reason: why }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => lockDiscussion(tx, ines, { ...at, reason: why }));
  });

  test("returns not-found to people who cannot read the discussion", async () => {
    const { noor, ines, at } = await setting("private");
    for (const who of [noor, ines])
      await expect(within((tx) => archiveDiscussion(tx, who, { ...at, reason: why }))).rejects.toMatchObject({ reason: "not-found" });
  });

  test("adds an activity entry with author and reason, and an audit entry", async () => {
    const { tomas, guest, discussion, at } = await setting();
    database.clock.pass(MINUTE);
    await within((tx) => lockDiscussion(tx, tomas, { ...at, reason: why }));
    database.clock.pass(MINUTE);
    await within((tx) => unlockDiscussion(tx, tomas, at));
    expect(await lines(guest, discussion.id)).toMatchObject([
      { kind: "locked", by: { username: "tomas" }, reason: why },
      { kind: "unlocked", reason: "" },
    ]);
    const log = await many(db, sql`select act, reason from audit_events where object_id = ${discussion.id} order by at, id`);
    expect(log).toEqual([
      { act: "discussion.locked", reason: why },
      { act: "discussion.unlocked", reason: null },
    ]);
  });

  test("shows the activity entry on the page of its time", async () => {
    const { tomas, mira, discussion, at } = await setting();
    for (let i = 3; i <= 30; i++) {
      database.clock.pass(MINUTE);
      await aReply(database, i % 2 ? mira : tomas, discussion.id);
      if (i === 10 || i === 25) await within((tx) => slowDiscussion(tx, tomas, { ...at, seconds: 0, reason: `${i}` }));
    }
    const whole = await discussionFor(db, mira, discussion.id);
    const on = async (page: number) => (await postsOf(db, mira, whole, { page })).lines.map(({ reason }) => reason);
    expect([await on(1), await on(2)]).toEqual([["10"], ["25"]]);
  });
});

describe("title", () => {
  test("can be changed by author and moderators; the activity entry shows both titles", async () => {
    const { mira, tomas, noor, discussion } = await setting();
    const rename = (who: SignedIn, title: string) =>
      within((tx) => renameDiscussion(tx, who, NewTitle.parse({ discussionId: discussion.id, title })));
    await expect(rename(noor, "Nothing at all")).rejects.toMatchObject({ reason: "not-allowed" });
    await rename(mira, "When to sow runner beans");
    await rename(tomas, "When to sow runner beans");
    await rename(tomas, "Runner beans: when?");
    expect((await discussionFor(db, noor, discussion.id)).title).toBe("Runner beans: when?");
    expect((await lines(noor, discussion.id)).map(({ details }) => details)).toEqual([
      { was: "When to sow beans", became: "When to sow runner beans" },
      { was: "When to sow runner beans", became: "Runner beans: when?" },
    ]);
    expect(NewTitle.safeParse({ discussionId: discussion.id, title: "abc" }).success).toBe(false);
  });
});

describe("archived or deleted discussion", () => {
  test("archived stays readable but closed and unlisted, and can be restored", async () => {
    const { mira, tomas, noor, group, discussion, at } = await setting();
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: why }));
    expect(await discussionFor(db, noor, discussion.id)).toMatchObject({ state: "archived" });
    expect((await latestDiscussions(db, mira, {})).rows).toEqual([]);
    expect((await discussionsOf(db, mira, await groupFor(db, mira, group.id), {})).rows).toEqual([]);
    await expect(aReply(database, mira, discussion.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: why }))).rejects.toMatchObject({ reason: "conflict" });
    await within((tx) => unarchiveDiscussion(tx, tomas, at));
    await aReply(database, mira, discussion.id);
    expect(await kinds(mira, discussion.id)).toEqual(["archived", "unarchived"]);
  });

  test("deleted is visible to moderators only, who can restore it unchanged", async () => {
    const { mira, tomas, ines, noor, guest, discussion, at } = await setting();
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: why }));
    await within((tx) => deleteDiscussion(tx, tomas, { ...at, reason: why }));
    for (const who of [mira, noor, guest])
      await expect(discussionFor(db, who, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    for (const who of [tomas, ines]) expect((await discussionFor(db, who, discussion.id)).state).toBe("deleted");
    await expect(aReply(database, tomas, discussion.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => lockDiscussion(tx, tomas, { ...at, reason: why }))).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => restoreDiscussion(tx, mira, at))).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restoreDiscussion(tx, tomas, at));
    expect((await discussionFor(db, mira, discussion.id)).state).toBe("archived");
    await expect(within((tx) => restoreDiscussion(tx, tomas, at))).rejects.toMatchObject({ reason: "conflict" });
    expect(await announced(database)).toEqual(expect.arrayContaining(["discussion.deleted", "discussion.restored"]));
  });

  test("deleted with its only post returns with it, whichever of the two is restored", async () => {
    const { mira, tomas, guest, group } = await setting();
    const alone = await aDiscussion(database, mira, group.id);
    const [at, post] = [{ discussionId: alone.id }, { postId: alone.postId }];
    const stands = async () => [
      (await discussionFor(db, guest, alone.id)).state,
      (await postFor(db, guest, alone.postId)).stub,
      (await latestDiscussions(db, mira, {})).rows.some(({ id }) => id === alone.id),
    ];
    const remove = () => within((tx) => deletePost(tx, tomas, { ...post, reason: why }));
    await remove();
    await expect(discussionFor(db, mira, alone.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restorePost(tx, tomas, { ...post, reason: why }));
    expect(await stands()).toEqual(["open", null, true]);
    await remove();
    await within((tx) => restoreDiscussion(tx, tomas, at));
    expect(await stands()).toEqual(["open", null, true]);
    expect((await announced(database)).slice(-2)).toEqual(["discussion.restored", "post.restored"]);
    await remove();
    database.clock.pass(31 * DAY);
    await run(db, sql`update posts set body_md = '', body_html = '' where id = ${alone.postId}`);
    await expect(within((tx) => restoreDiscussion(tx, tomas, at))).rejects.toMatchObject({ reason: "gone" });
  });

  test("cannot be restored without its only post, which its author deleted", async () => {
    const { mira, tomas, group } = await setting();
    const alone = await aDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId: alone.postId }));
    await expect(within((tx) => restoreDiscussion(tx, tomas, { discussionId: alone.id }))).rejects.toMatchObject({ reason: "conflict" });
    expect((await discussionFor(db, tomas, alone.id)).state).toBe("deleted");
  });

  test("gets purged with its posts after thirty days, or after one without replies", async () => {
    const { mira, tomas, group, at } = await setting();
    const lone = await aDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId: lone.postId }));
    await within((tx) => deleteDiscussion(tx, tomas, { ...at, reason: why }));
    await aPictureIn(mira, lone.postId);
    const left = async () => (await many(db, sql`select id from discussions`)).length;
    database.clock.pass(DAY + MINUTE);
    await within(purgeTakenAway);
    expect([await left(), await freed()]).toEqual([1, 1]);
    database.clock.pass(28 * DAY);
    await within(purgeTakenAway);
    expect(await left()).toBe(1);
    database.clock.pass(DAY);
    await within(purgeTakenAway);
    expect(await left()).toBe(0);
    expect(await many(db, sql`select id from posts`)).toEqual([]);
  });
});

describe("accepted answer", () => {
  test("must be a post of the discussion, marked by its author or a moderator", async () => {
    const { mira, tomas, noor, group, discussion, answer, at } = await setting();
    const other = await aDiscussion(database, tomas, group.id);
    const resolve = (who: SignedIn, postId?: string) => within((tx) => resolveDiscussion(tx, who, { ...at, postId }));
    await within((tx) => bring(tx, group.id, noor, "member"));
    await expect(resolve(noor, answer.id)).rejects.toMatchObject({ reason: "not-allowed" });
    for (const forged of [other.postId, crypto.randomUUID(), "x"])
      await expect(resolve(mira, forged)).rejects.toMatchObject({ reason: "not-found" });
    await resolve(mira, answer.id);
    expect(await discussionFor(db, noor, discussion.id)).toMatchObject({
      answer: { id: answer.id, number: 2 },
      resolvedAt: database.clock.at,
    });
    await within((tx) => reopenDiscussion(tx, mira, at));
    expect(await discussionFor(db, noor, discussion.id)).toMatchObject({ answer: null, resolvedAt: null });
    await resolve(tomas);
    expect(await discussionFor(db, noor, discussion.id)).toMatchObject({ answer: null, resolvedAt: database.clock.at });
  });

  test("marked again adds nothing; another answer is a new entry", async () => {
    const { mira, tomas, discussion, answer, at } = await setting();
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
    expect(await kinds(mira, discussion.id)).toEqual(["resolved", "resolved", "reopened"]);
    expect((await announced(database)).filter((type) => /resolved|reopened/.test(type))).toHaveLength(3);
  });

  test("disappears when its post is removed, and restoring does not bring it back", async () => {
    const { mira, tomas, discussion, answer, at } = await setting();
    const beside = await aReply(database, tomas, discussion.id);
    const resolve = (postId: string) => within((tx) => resolveDiscussion(tx, mira, { ...at, postId }));
    const settled = async () => {
      const { answer, resolvedAt } = await discussionFor(db, mira, discussion.id);
      return [answer?.number ?? null, resolvedAt !== null];
    };
    await resolve(answer.id);
    await within((tx) => deletePost(tx, tomas, { postId: beside.id }));
    expect([await settled(), await kinds(mira, discussion.id)]).toEqual([[2, true], ["resolved"]]);
    database.clock.pass(1000);
    await within((tx) => deletePost(tx, tomas, { postId: answer.id }));
    expect([await settled(), await kinds(mira, discussion.id)]).toEqual([
      [null, false],
      ["resolved", "reopened"],
    ]);
    expect((await announced(database)).at(-2)).toBe("discussion.reopened");
    const { id } = await aReply(database, mira, discussion.id);
    await resolve(id);
    await within((tx) => deletePost(tx, tomas, { postId: id, reason: why }));
    await within((tx) => restorePost(tx, tomas, { postId: id, reason: why }));
    expect(await settled()).toEqual([null, false]);
  });
});
