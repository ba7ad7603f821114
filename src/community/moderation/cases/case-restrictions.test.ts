import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { applyDueChanges, getDiscussion } from "#community/discussions";
import { appealGroupBan, getOwnBan } from "#community/groups";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestDiscussion, setMembership } from "../../../../test/support/test-users.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { report, view, setup, decide, stateOf, notificationsOf, logOf } = createCaseSetup(database);

describe("lock or slow mode by a decision", () => {
  test("locks the discussion until the end, and notifies its author and that of the post", async () => {
    const it = await setup();
    const { tomas, mira, noor, discussion, caseId } = it;
    await decide(tomas, caseId, "locked", { days: 7 });
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ locked: true, timer: "open" });
    const reason = "No shops.\nIt is an advert.";
    expect(await notificationsOf(noor)).toEqual([["post_removed", "locked", reason]]);
    expect(await notificationsOf(mira)).toContainEqual(["post_removed", "locked", reason]);
    expect(await logOf(it)).toContain("discussion.locked");
    clock.pass(7 * DAY + MINUTE);
    await within(applyDueChanges);
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ locked: false });
  });

  test("slows the discussion down until the end", async () => {
    const { tomas, mira, discussion, caseId } = await setup();
    await decide(tomas, caseId, "slowed", { seconds: 900, days: 1 });
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ slowSeconds: 900 });
    clock.pass(DAY + MINUTE);
    await within(applyDueChanges);
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ slowSeconds: 0, slowUntil: null });
  });

  test("has no end without a duration", async () => {
    const { tomas, mira, discussion, caseId } = await setup();
    await decide(tomas, caseId, "slowed", { days: "" });
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ slowSeconds: 300, slowUntil: null });
  });

  test("belongs to moderators of the group: staff may not decide it in a private group", async () => {
    const { tomas, ines, caseId } = await setup("private");
    expect(await view(ines, caseId)).toMatchObject({ canModerateDiscussion: false, canTakeDown: true });
    for (const outcome of ["locked", "slowed"])
      await expect(decide(ines, caseId, outcome, { rule: "" })).rejects.toMatchObject({
        reason: "not-allowed",
      });
    expect(await view(tomas, caseId)).toMatchObject({ canModerateDiscussion: true });
    await decide(tomas, caseId, "locked");
  });
});

describe("group ban by a decision", () => {
  test("removes the post and bans its author until the end, who can appeal", async () => {
    const { tomas, noor, group, post, caseId } = await setup();
    expect(await view(tomas, caseId)).toMatchObject({ canBan: true });
    await decide(tomas, caseId, "banned", { days: 30 });
    expect(await stateOf(post.id)).toBe("removed");
    const ban = await getOwnBan(db, noor, group.id);
    expect(ban).toMatchObject({ reason: "No shops.\nIt is an advert.", appealedAt: null });
    expect(ban.until!.getTime() - clock.at.getTime()).toBe(30 * DAY);
    await within((tx) => appealGroupBan(tx, noor, { groupId: group.id, text: "It was a gift." }));
  });

  test("cites a long rule in full", async () => {
    const { tomas, noor, group, caseId } = await setup();
    const rule = "No shops. ".repeat(99).trim();
    await run(db, sql`update groups set rules = ${JSON.stringify([rule])}::jsonb where id = ${group.id}`);
    await decide(tomas, caseId, "banned", { rule });
    expect((await getOwnBan(db, noor, group.id)).reason).toContain(rule);
  });

  test("needs the permission to ban, and never concerns an owner", async () => {
    const { tomas, ines, mira, group, caseId } = await setup();
    expect(await view(ines, caseId)).toMatchObject({ canBan: false });
    await expect(decide(ines, caseId, "banned", { rule: "" })).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => setMembership(tx, group.id, ines, "moderator"));
    const own = await createTestDiscussion(database, tomas, group.id);
    const first = await one(db, sql<{ id: string }>`select id from posts where discussion_id = ${own.id}`);
    const { id } = await report(mira, first.id);
    expect(await view(ines, id)).toMatchObject({ canBan: false });
    await expect(decide(ines, id, "banned")).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
