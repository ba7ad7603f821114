import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import {
  editPost,
  getPostSource,
  hidePost,
  listOwnPendingPosts,
  lockDiscussion,
  setSlowMode,
  setTimer,
  unhidePost,
  unlockDiscussion,
} from "#community/discussions";
import { appealGroupBan, banFromGroup, liftGroupBan } from "#community/groups";
import type { Viewer } from "#community/rules";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  getCategoryStatistics,
  getTransparencyReport,
  iterateDecisions,
  purgeUndoStates,
  undoDecision,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { view, setup, decide, stateOf, notificationsOf, logOf } = createCaseSetup(database);

const undo = (who: Viewer, caseId: string) =>
  within((tx) => undoDecision(tx, who, { caseId, reason: "The decision was a mistake." }));
const CHANGED_SINCE = { reason: "conflict", message: expect.stringContaining("after your decision") };

const controlsOf = (id: string) =>
  one(
    db,
    sql`select locked_at, locked_by, locked_reason, timer, timer_at, timer_by, timer_reason, slow_seconds, slow_until
      from discussions where id = ${id}`,
  );
const membershipOf = (groupId: string, personId: string) =>
  one(db, sql`select * from memberships where group_id = ${groupId} and person_id = ${personId}`);
/** Kinds of the notifications that the person still has. */
const shownTo = async ({ id }: { id: string }) =>
  (
    await many(
      db,
      sql<{ detail: string }>`select detail from notifications
        where person_id = ${id} and withdrawn_at is null and kind <> 'report_decision' order by detail`,
    )
  ).map(({ detail }) => detail);

describe("undoing a decision", () => {
  test.each(["warned", "returned", "locked", "slowed", "banned"])(
    "by the outcome %s: undoing it opens the case, withdraws the notification and leaves no published figure",
    async (outcome) => {
      const it = await setup();
      const { ada, tomas, noor, discussion, group, post, caseId } = it;
      const before = {
        controls: await controlsOf(discussion.id),
        membership: await membershipOf(group.id, noor.id),
      };
      clock.pass(MINUTE);
      await decide(tomas, caseId, outcome);
      await notificationsOf(noor);
      expect(await shownTo(noor)).not.toEqual([]);
      expect(await view(tomas, caseId)).toMatchObject({ state: "resolved", canUndo: true });
      clock.pass(MINUTE);
      await undo(tomas, caseId);
      await notificationsOf(noor);
      // The author of a removed post reads that it was restored.
      expect(await shownTo(noor)).toEqual(outcome === "banned" ? ["restored"] : []);
      expect(await view(tomas, caseId)).toMatchObject({
        state: "open",
        action: null,
        rule: "",
        sanctions: [],
      });
      expect(await controlsOf(discussion.id)).toEqual(before.controls);
      expect(await membershipOf(group.id, noor.id)).toEqual(before.membership);
      expect(await stateOf(post.id)).toBe("published");
      expect(await logOf(it)).toContain("case.decision_undone");
      const decisions = [];
      for await (const decision of iterateDecisions(db, ada)) decisions.push(decision);
      expect(decisions).toEqual([]);
      const [month] = await getTransparencyReport(db, clock.at);
      expect(month).toMatchObject({ upheld: 0, [outcome]: 0, removed: 0 });
      expect((await getCategoryStatistics(db, clock.at))[0]).toMatchObject({ [outcome]: 0 });
      await decide(tomas, caseId, outcome);
      expect(await view(tomas, caseId)).toMatchObject({ state: "resolved", action: outcome });
    },
  );

  test("ends for others, after an hour, and after decisions without a measure", async () => {
    const { ada, tomas, mira, noor, guest, caseId } = await setup();
    await decide(tomas, caseId, "warned");
    await expect(undo(ada, caseId)).rejects.toMatchObject({ reason: "conflict" });
    for (const who of [mira, noor, guest])
      await expect(undo(who, caseId)).rejects.toMatchObject({ reason: "not-found" });
    clock.pass(HOUR);
    expect(await view(tomas, caseId)).toMatchObject({ canUndo: false });
    await expect(undo(tomas, caseId)).rejects.toMatchObject({ reason: "conflict" });
    expect(await within(purgeUndoStates)).toBe(1);
    expect(await within(purgeUndoStates)).toBe(0);
  });

  test("hides a post again that reports had hidden", async () => {
    const { tomas, post, caseId } = await setup();
    await within((tx) => hidePost(tx, post.id));
    const hidden = () => one(db, sql`select hidden_at, unhidden_at from posts where id = ${post.id}`);
    const before = await hidden();
    clock.pass(MINUTE);
    for (const outcome of ["warned", "removed"]) {
      await decide(tomas, caseId, outcome);
      clock.pass(MINUTE);
      await undo(tomas, caseId);
      expect(await stateOf(post.id)).toBe("hidden");
      expect(await hidden()).toEqual(before);
    }
  });
});

describe("undoing a lock", () => {
  test("restores an earlier lock with its timer", async () => {
    const { tomas, ines, discussion, caseId } = await setup();
    const input = { discussionId: discussion.id, reason: "A break." };
    await within((tx) => lockDiscussion(tx, ines, input));
    const until = new Date(clock.at.getTime() + DAY);
    await within((tx) => setTimer(tx, ines, { ...input, timer: "open", until }));
    const before = await controlsOf(discussion.id);
    clock.pass(MINUTE);
    await decide(tomas, caseId, "locked", { days: "7" });
    clock.pass(MINUTE);
    await undo(tomas, caseId);
    expect(await controlsOf(discussion.id)).toEqual(before);
  });

  test("fails once the discussion was unlocked or locked again", async () => {
    const { tomas, ines, discussion, caseId } = await setup();
    await decide(tomas, caseId, "locked");
    clock.pass(MINUTE);
    await within((tx) => unlockDiscussion(tx, ines, { discussionId: discussion.id }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
    clock.pass(MINUTE);
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Again." }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
    expect(await view(tomas, caseId)).toMatchObject({ state: "resolved", action: "locked" });
  });
});

test("undoing slow mode restores the earlier interval, and is refused once somebody has changed it", async () => {
  const { tomas, ines, discussion, caseId } = await setup();
  const slow = { discussionId: discussion.id, reason: "Slowly.", seconds: 60 };
  await within((tx) => setSlowMode(tx, ines, slow));
  const before = await controlsOf(discussion.id);
  clock.pass(MINUTE);
  await decide(tomas, caseId, "slowed", { seconds: "300", days: "1" });
  clock.pass(MINUTE);
  await undo(tomas, caseId);
  expect(await controlsOf(discussion.id)).toEqual(before);
  clock.pass(MINUTE);
  await decide(tomas, caseId, "slowed", { seconds: "300" });
  clock.pass(MINUTE);
  await within((tx) => setSlowMode(tx, ines, { ...slow, seconds: 300 }));
  await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
});

describe("undoing a request for changes", () => {
  test("ends the entry of the author", async () => {
    const { tomas, noor, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    expect(await listOwnPendingPosts(db, noor)).toHaveLength(1);
    await undo(tomas, caseId);
    expect(await listOwnPendingPosts(db, noor)).toEqual([]);
  });

  test("fails once the author has changed the post, or a moderator has shown it", async () => {
    const { tomas, ines, noor, post, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    await within(async (tx) => {
      const { version } = await getPostSource(tx, noor, post.id);
      await editPost(tx, noor, { postId: post.id, body: "Beans to give away.", version });
    });
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
    await within((tx) => unhidePost(tx, ines, { postId: post.id }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
  });
});

describe("undoing a group ban", () => {
  test("restores role, member count and invitations", async () => {
    const { tomas, noor, group, caseId } = await setup();
    await run(
      db,
      sql`update memberships set role = 'moderator', reason = 'Earlier.'
        where group_id = ${group.id} and person_id = ${noor.id}`,
    );
    await run(
      db,
      sql`insert into group_invitations (id, group_id, kind, token_hash, entry, created_by, created_at, expires_at,
          most_uses)
        values (gen_random_uuid(), ${group.id}, 'link', 'x', 'join', ${noor.id}, ${clock.at},
          ${new Date(clock.at.getTime() + DAY)}, 5)`,
    );
    const stateNow = async () => ({
      membership: await membershipOf(group.id, noor.id),
      group: await one(db, sql`select members_count from groups where id = ${group.id}`),
      invitations: await many(db, sql`select * from group_invitations`),
    });
    const before = await stateNow();
    clock.pass(MINUTE);
    await decide(tomas, caseId, "banned", { days: "7" });
    expect(await stateNow()).not.toEqual(before);
    clock.pass(MINUTE);
    await undo(tomas, caseId);
    expect(await stateNow()).toEqual(before);
  });

  test("fails after an appeal, and once the ban was lifted or renewed", async () => {
    const { tomas, ines, noor, group, post, caseId } = await setup();
    await decide(tomas, caseId, "banned");
    await notificationsOf(noor);
    await within((tx) => appealGroupBan(tx, noor, { groupId: group.id, text: "They are gifts." }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
    await within((tx) => liftGroupBan(tx, tomas, { groupId: group.id, personId: noor.id }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
    clock.pass(MINUTE);
    await within((tx) => banFromGroup(tx, tomas, { groupId: group.id, personId: noor.id, reason: "Again." }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(CHANGED_SINCE);
    expect(await stateOf(post.id)).toBe("removed");
    expect(await view(ines, caseId)).toMatchObject({ action: "banned" });
  });
});
