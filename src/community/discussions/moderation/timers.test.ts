import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds, SECOND } from "#platform/clock";
import { many, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createTestReply } from "../../../../test/support/test-users.ts";
import {
  cancelTimer,
  applyDueChanges,
  getDiscussion,
  listDiscussions,
  lockDiscussion,
  pinDiscussion,
  setTimer,
  setSlowMode,
  unlockDiscussion,
} from "../index.ts";
import {
  database,
  db,
  listEntryKinds,
  listEntries,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";

describe("slow mode", () => {
  test("allows each person one reply per interval, except moderators", async () => {
    const { mira, tomas, discussion, at } = await setupModeration();
    await within((tx) => setSlowMode(tx, tomas, { ...at, seconds: 60, reason: REASON }));
    const clientId = crypto.randomUUID();
    const first = await createTestReply(database, mira, discussion.id, { clientId });
    expect(await createTestReply(database, mira, discussion.id, { clientId })).toEqual(first);
    database.clock.pass(20 * SECOND);
    await expect(createTestReply(database, mira, discussion.id)).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 40,
      message: "Slow mode is on: let others reply first. Please try again in 40 seconds.",
    });
    await createTestReply(database, tomas, discussion.id);
    await createTestReply(database, tomas, discussion.id);
    database.clock.pass(41 * SECOND);
    await createTestReply(database, mira, discussion.id);
  });
});

describe("scheduled change", () => {
  const time = (viewer: SignedIn, id: string, timer: "close" | "open", ms: number) =>
    within((tx) =>
      setTimer(tx, viewer, { discussionId: id, timer, until: addMilliseconds(tx.now, ms), reason: REASON }),
    );
  const jobs = () =>
    many(db, sql<{ at: Date }>`select run_at as at from graphile_worker.jobs where task_identifier = 'due'`);

  test("closes the discussion at its time, and only once if two jobs run", async () => {
    const { mira, tomas, discussion } = await setupModeration();
    await time(tomas, discussion.id, "close", HOUR);
    expect(await jobs()).toEqual([{ at: addMilliseconds(database.clock.at, HOUR) }]);
    await within(applyDueChanges);
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ locked: false, timer: "close" });
    database.clock.pass(HOUR);
    await Promise.all([1, 2].map(() => within(applyDueChanges)));
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({
      locked: true,
      lockedReason: REASON,
      timer: null,
      timerAt: null,
    });
    expect(await listEntries(mira, discussion.id)).toMatchObject([
      { kind: "timed", details: { timer: "close" } },
      { kind: "locked", details: { byItself: true }, reason: REASON },
    ]);
    await time(tomas, discussion.id, "open", HOUR);
    database.clock.pass(HOUR);
    await within(applyDueChanges);
    expect((await getDiscussion(db, mira, discussion.id)).locked).toBe(false);
  });

  test("gets cancelled by a moderator or by closing the discussion earlier", async () => {
    const { mira, tomas, discussion, at } = await setupModeration();
    await time(tomas, discussion.id, "close", HOUR);
    await expect(within((tx) => cancelTimer(tx, mira, at))).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => cancelTimer(tx, tomas, at));
    await time(tomas, discussion.id, "close", HOUR);
    await within((tx) => lockDiscussion(tx, tomas, { ...at, reason: REASON }));
    await within((tx) => unlockDiscussion(tx, tomas, at));
    database.clock.pass(2 * HOUR);
    await within(applyDueChanges);
    expect((await getDiscussion(db, mira, discussion.id)).locked).toBe(false);
  });

  test("must lie within a year and change the discussion's state", async () => {
    const { tomas, discussion, at } = await setupModeration();
    for (const ms of [0, -HOUR, 400 * DAY])
      await expect(time(tomas, discussion.id, "close", ms)).rejects.toMatchObject({ reason: "invalid" });
    await expect(time(tomas, discussion.id, "open", HOUR)).rejects.toMatchObject({ reason: "conflict" });
    await within((tx) => lockDiscussion(tx, tomas, { ...at, reason: REASON }));
    await expect(time(tomas, discussion.id, "close", HOUR)).rejects.toMatchObject({ reason: "conflict" });
  });

  test("ends a pin at its time", async () => {
    // The end of a pin is compared with PostgreSQL's own clock, so this test runs at the present time.
    database.clock.at = new Date();
    const { mira, tomas, group, discussion, at } = await setupModeration();
    await within((tx) => pinDiscussion(tx, tomas, { ...at, until: addMilliseconds(tx.now, DAY) }));
    const pinned = async () =>
      (await listDiscussions(db, mira, await getGroup(db, mira, group.id), {})).pinned.length;
    expect(await pinned()).toBe(1);
    database.clock.pass(DAY);
    await within(applyDueChanges);
    expect(await pinned()).toBe(0);
    expect(await listEntryKinds(mira, discussion.id)).toEqual(["pinned", "unpinned"]);
    await expect(within((tx) => pinDiscussion(tx, tomas, { ...at, until: tx.now }))).rejects.toMatchObject({
      reason: "invalid",
    });
  });
});
