import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { many, sql, type Tx } from "#platform/database";
import type { Viewer } from "#community/rules";
import {
  archiveDiscussion,
  cancelTimer,
  deleteDiscussion,
  lockDiscussion,
  pinDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  restoreDiscussion,
  setTimer,
  unarchiveDiscussion,
  unlockDiscussion,
  unpinDiscussion,
} from "../index.ts";
import {
  database,
  db,
  listEntries,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";

type Deed = (tx: Tx, viewer: Viewer, input: { discussionId: string; reason?: string }) => Promise<unknown>;
/** Commands that take a reason, each with its precondition and its audit name. */
const DEEDS: Record<string, [before: Deed | null, deed: Deed]> = {
  pinned: [null, pinDiscussion],
  unpinned: [pinDiscussion, unpinDiscussion],
  unlocked: [(tx, viewer, it) => lockDiscussion(tx, viewer, { ...it, reason: REASON }), unlockDiscussion],
  untimed: [
    (tx, viewer, it) =>
      setTimer(tx, viewer, { ...it, timer: "close", until: addMilliseconds(tx.now, HOUR), reason: REASON }),
    cancelTimer,
  ],
  unarchived: [
    (tx, viewer, it) => archiveDiscussion(tx, viewer, { ...it, reason: REASON }),
    unarchiveDiscussion,
  ],
  restored: [(tx, viewer, it) => deleteDiscussion(tx, viewer, { ...it, reason: REASON }), restoreDiscussion],
  resolved: [reopenDiscussion, resolveDiscussion],
  reopened: [resolveDiscussion, reopenDiscussion],
};

describe("moderation reasons", () => {
  test.each(Object.entries(DEEDS))(
    "appear in the activity entry and the audit log: %s",
    async (kind, [before, deed]) => {
      const { tomas, noor, discussion, at } = await setupModeration();
      await expect(within((tx) => deed(tx, noor, { ...at, reason: REASON }))).rejects.toMatchObject({
        reason: "not-allowed",
      });
      const reasons = [];
      for (const reason of [`  ${REASON} ${"x".repeat(400)}`, undefined]) {
        if (before) await within((tx) => before(tx, tomas, at));
        database.clock.pass(MINUTE);
        await within((tx) => deed(tx, tomas, { ...at, ...(reason !== undefined && { reason }) }));
        database.clock.pass(MINUTE);
        reasons.push(reason?.trim().slice(0, 300) ?? "");
      }
      expect((await listEntries(tomas, discussion.id)).filter((entry) => entry.kind === kind)).toMatchObject(
        reasons.map((reason) => ({ reason, by: { username: "tomas" } })),
      );
      expect(
        await many(
          db,
          sql`select reason from audit_events
            where object_id = ${discussion.id} and act = ${`discussion.${kind}`} order by at`,
        ),
      ).toEqual([{ reason: reasons[0] }, { reason: null }]);
    },
  );

  test("appear in the activity entry of a pin, with its end time", async () => {
    const { tomas, mira, discussion, at } = await setupModeration();
    database.clock.at = new Date();
    const until = addMilliseconds(database.clock.at, DAY);
    await expect(
      within((tx) => pinDiscussion(tx, mira, { ...at, until, reason: REASON })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => pinDiscussion(tx, tomas, { ...at, until, reason: REASON }));
    expect(await listEntries(mira, discussion.id)).toMatchObject([
      { kind: "pinned", reason: REASON, details: { until: until.toISOString() } },
    ]);
  });
});

test("an author who resolves their own question adds an activity entry, but no audit entry", async () => {
  const { mira, discussion, at } = await setupModeration();
  await within((tx) => resolveDiscussion(tx, mira, at));
  database.clock.pass(MINUTE);
  await within((tx) => reopenDiscussion(tx, mira, at));
  expect((await listEntries(mira, discussion.id)).map(({ kind }) => kind)).toEqual(["resolved", "reopened"]);
  expect(await many(db, sql`select act from audit_events where object_id = ${discussion.id}`)).toEqual([]);
});
