import { describe, expect, test } from "vitest";
import { HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestReply } from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deleteDiscussion,
  getDiscussion,
  lockDiscussion,
  NewTitle,
  getPostsPage,
  renameDiscussion,
  restorePost,
  setTimer,
  setSlowMode,
  unlockDiscussion,
} from "../index.ts";
import {
  type Command,
  database,
  db,
  listEntries,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";

describe("discussion moderation", () => {
  test("requires a moderator and a reason", async () => {
    const { mira, noor, tomas, ines, guest, at, answer } = await setupModeration();
    const deeds: Record<string, (reason: string) => Command> = {
      lock: (reason) => (tx, viewer) => lockDiscussion(tx, viewer, { ...at, reason }),
      archive: (reason) => (tx, viewer) => archiveDiscussion(tx, viewer, { ...at, reason }),
      delete: (reason) => (tx, viewer) => deleteDiscussion(tx, viewer, { ...at, reason }),
      slow: (reason) => (tx, viewer) => setSlowMode(tx, viewer, { ...at, seconds: 60, reason }),
      time: (reason) => (tx, viewer) =>
        setTimer(tx, viewer, { ...at, timer: "close", until: addMilliseconds(tx.now, HOUR), reason }),
    };
    for (const [name, deed] of Object.entries(deeds)) {
      for (const viewer of [mira, noor])
        await expect(
          within((tx) => deed(REASON)(tx, viewer)),
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
    for (const viewer of [noor, ines])
      await expect(
        within((tx) => archiveDiscussion(tx, viewer, { ...at, reason: REASON })),
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

  test("shows its activity entry on the page of posts from the same time", async () => {
    const { tomas, mira, discussion, at } = await setupModeration();
    for (let i = 3; i <= 30; i++) {
      database.clock.pass(MINUTE);
      await createTestReply(database, i % 2 ? mira : tomas, discussion.id);
      if (i === 10 || i === 25)
        await within((tx) => setSlowMode(tx, tomas, { ...at, seconds: 0, reason: `${i}` }));
    }
    const whole = await getDiscussion(db, mira, discussion.id);
    const on = async (page: number) =>
      (await getPostsPage(db, mira, whole, { page })).entries.map(({ reason }) => reason);
    expect([await on(1), await on(2)]).toEqual([["10"], ["25"]]);
  });
});

describe("title", () => {
  test("can be changed by author and moderators; the activity entry shows both titles", async () => {
    const { mira, tomas, noor, discussion } = await setupModeration();
    const rename = (viewer: SignedIn, title: string) =>
      within((tx) => renameDiscussion(tx, viewer, NewTitle.parse({ discussionId: discussion.id, title })));
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
