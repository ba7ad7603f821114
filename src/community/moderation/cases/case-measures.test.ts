import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import {
  applyDueChanges,
  deletePost,
  editPost,
  getDiscussion,
  getPost,
  getPostSource,
  listOwnPendingPosts,
  listPendingPosts,
  purgePendingPosts,
  replyOrAwaitApproval,
  returnPendingPost,
  unhidePost,
  withdrawPendingPost,
} from "#community/discussions";
import { appealGroupBan, getOwnBan } from "#community/groups";
import type { SignedIn, Viewer } from "#community/rules";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";
import { dispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestDiscussion, createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import { approvePending, listGroupLog, reportPerson, Resolution, resolveCase } from "../index.ts";

const database = await testDatabase();
const { report, view, setupReportedPost } = createReportSetup(database);
const { db, clock, inTransaction: within } = database;

/** Noor's post in Tomas' group, reported by Mira. Ines and Ada are staff. */
async function setup(visibility: "public" | "private" = "public") {
  const it = await setupReportedPost(visibility);
  await run(db, sql`update groups set rules = '["No shops."]' where id = ${it.group.id}`);
  const { id: caseId } = await report(it.mira, it.post.id);
  return { ...it, caseId };
}
const decide = (who: Viewer, caseId: string, outcome: string, more: object = {}) =>
  within((tx) =>
    resolveCase(
      tx,
      who,
      Resolution.parse({ caseId, outcome, reason: "It is an advert.", note: "", rule: "No shops.", ...more }),
    ),
  );
const stateOf = async (postId: string) =>
  (await one(db, sql<{ state: string }>`select state from posts where id = ${postId}`)).state;
const notificationsOf = async (who: SignedIn) => {
  await dispatchEvents(database);
  const rows = await many(
    db,
    sql<{ kind: string; detail: string; words: string }>`
      select kind, detail, words from notifications where person_id = ${who.id} order by created_at desc`,
  );
  return rows.map(({ kind, detail, words }) => [kind, detail, words]);
};
const logOf = async ({ there, tomas }: Awaited<ReturnType<typeof setup>>) =>
  (await listGroupLog(db, tomas, await there(tomas))).rows.map(({ act }) => act);

describe("warning", () => {
  test("notifies the author with rule and reason, and changes nothing else", async () => {
    const it = await setup();
    await decide(it.tomas, it.caseId, "warned");
    expect(await stateOf(it.post.id)).toBe("published");
    expect(await notificationsOf(it.noor)).toEqual([
      ["post_removed", "warned", "No shops.\nIt is an advert."],
    ]);
    expect(await logOf(it)).toEqual(expect.arrayContaining(["case.warned", "report.upheld"]));
    expect(await view(it.tomas, it.caseId)).toMatchObject({
      state: "resolved",
      action: "warned",
      rule: "No shops.",
      decisionReason: "It is an advert.",
    });
  });

  test("appears beside later cases of the person, to group moderators in their group only", async () => {
    const { tomas, ines, mira, noor, discussion, caseId } = await setup();
    await decide(tomas, caseId, "warned");
    const later = await createTestReply(database, noor, discussion.id);
    const { id } = await report(mira, later.id);
    for (const who of [tomas, ines])
      expect((await view(who, id)).sanctions).toMatchObject([
        { act: "case.warned", reason: "No shops.\nIt is an advert." },
      ]);
    const person = await within((tx) =>
      reportPerson(tx, mira, { personId: noor.id, reason: "Adverts everywhere." }),
    );
    expect((await view(ines, person.id)).sanctions).toHaveLength(1);
    await decide(ines, person.id, "warned", { rule: "" });
    expect((await view(ines, id)).sanctions).toHaveLength(2);
    expect((await view(tomas, id)).sanctions).toHaveLength(1);
  });

  test("needs a reason or a rule", async () => {
    const { tomas, caseId } = await setup();
    await expect(decide(tomas, caseId, "warned", { reason: "", rule: "" })).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    await decide(tomas, caseId, "warned", { reason: "" });
  });

  test("is refused to everyone who may not decide the case, and to a second moderator", async () => {
    const { tomas, ines, mira, noor, guest, caseId } = await setup();
    for (const who of [mira, noor, guest])
      await expect(decide(who, caseId, "warned")).rejects.toMatchObject({ reason: "not-found" });
    await decide(tomas, caseId, "warned");
    await expect(decide(ines, caseId, "banned")).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("Tomas"),
    });
  });
});

describe("request for changes", () => {
  const edit = (who: Viewer, postId: string, body = "I have beans to give away.") =>
    within(async (tx) => {
      const { version } = await getPostSource(tx, who, postId);
      return editPost(tx, who, { postId, body, version });
    });
  const pendingOf = async (who: Viewer) => (await listPendingPosts(db, who)).rows;

  test("hides the post until its author has changed it and a moderator has approved the change", async () => {
    const it = await setup();
    const { tomas, mira, noor, post, discussion, caseId } = it;
    await decide(tomas, caseId, "returned");
    expect((await getPost(db, mira, post.id)).html).toBeNull();
    expect(await notificationsOf(noor)).toEqual([
      ["post_decided", "returned published", "No shops.\nIt is an advert."],
    ]);
    expect(await pendingOf(tomas)).toEqual([]);
    expect(await listOwnPendingPosts(db, noor, { discussionId: discussion.id })).toMatchObject([
      { isReturned: true, postId: post.id, answer: "No shops.\nIt is an advert." },
    ]);
    await edit(noor, post.id);
    expect(await stateOf(post.id)).toBe("hidden");
    const [pending] = await pendingOf(tomas);
    expect(pending).toMatchObject({ author: { id: noor.id }, changesTo: post.number });
    expect(pending!.html).toContain("give away");
    await within((tx) => approvePending(tx, tomas, { pendingPostId: pending!.id }));
    expect((await getPost(db, mira, post.id)).html).toContain("give away");
    expect(await listOwnPendingPosts(db, noor)).toEqual([]);
    expect(await logOf(it)).toEqual(expect.arrayContaining(["post.returned", "post.approved"]));
  });

  test("can be repeated, and an approval of an outdated text is not found", async () => {
    const { tomas, noor, post, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    await edit(noor, post.id);
    const [first] = await pendingOf(tomas);
    await edit(noor, post.id, "I still sell beans.");
    const [second] = await pendingOf(tomas);
    await expect(
      within((tx) => approvePending(tx, tomas, { pendingPostId: first!.id })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) =>
      returnPendingPost(tx, tomas, { pendingPostId: second!.id, answer: "No sales, please." }),
    );
    expect(await stateOf(post.id)).toBe("hidden");
    expect(await listOwnPendingPosts(db, noor)).toMatchObject([{ answer: "No sales, please." }]);
    expect(await pendingOf(tomas)).toEqual([]);
  });

  test("needs a change, which the author cannot approve or withdraw", async () => {
    const { tomas, mira, noor, guest, post, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    const { body } = await getPostSource(db, noor, post.id);
    await expect(edit(noor, post.id, body)).rejects.toMatchObject({ reason: "invalid" });
    for (const who of [mira, guest])
      await expect(edit(who, post.id)).rejects.toMatchObject({ reason: expect.any(String) });
    await edit(noor, post.id);
    const pendingPostId = (await pendingOf(tomas))[0]!.id;
    for (const who of [mira, noor])
      await expect(within((tx) => approvePending(tx, who, { pendingPostId }))).rejects.toMatchObject({
        reason: "not-found",
      });
    await expect(within((tx) => withdrawPendingPost(tx, noor, { pendingPostId }))).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("stays open while the post is hidden, also beside a new post that waits", async () => {
    const { tomas, noor, discussion, post, caseId } = await setup();
    await decide(tomas, caseId, "returned");
    clock.pass(400 * DAY);
    expect(await within(purgePendingPosts)).toBe(0);
    await run(db, sql`update people set trust = 'new' where id = ${noor.id}`);
    await run(
      db,
      sql`insert into settings (key, value, changed_at) values ('firstPosts', '"all"', ${clock.at})
      on conflict (key) do update set value = excluded.value`,
    );
    await within((tx) =>
      replyOrAwaitApproval(
        tx,
        { ...noor, trust: "new" },
        { discussionId: discussion.id, body: "Another one." },
      ),
    );
    expect((await listOwnPendingPosts(db, noor)).map(({ postId }) => postId)).toContain(post.id);
  });

  test.each(["deleted by its author", "shown again by a moderator"])(
    "ends when the post is %s",
    async (end) => {
      const { tomas, noor, post, caseId } = await setup();
      await decide(tomas, caseId, "returned");
      await within<unknown>((tx) =>
        end.startsWith("deleted")
          ? deletePost(tx, noor, { postId: post.id })
          : unhidePost(tx, tomas, { postId: post.id }),
      );
      expect(await listOwnPendingPosts(db, noor)).toEqual([]);
      expect(await stateOf(post.id)).toBe(end.startsWith("deleted") ? "deleted_by_author" : "published");
    },
  );

  test("needs a reason, and is for posts only", async () => {
    const { tomas, ines, mira, noor, caseId } = await setup();
    await expect(decide(tomas, caseId, "returned", { reason: "", rule: "" })).rejects.toMatchObject({
      reason: "invalid",
    });
    const person = await within((tx) =>
      reportPerson(tx, mira, { personId: noor.id, reason: "Adverts everywhere." }),
    );
    expect(await view(ines, person.id)).toMatchObject({ canReturn: false, canModerateDiscussion: false });
    for (const outcome of ["returned", "locked", "slowed", "banned"])
      await expect(decide(ines, person.id, outcome, { rule: "" })).rejects.toMatchObject({
        reason: "not-allowed",
      });
  });
});

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

  test("is for moderators of the group: staff may not decide it in a private group", async () => {
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

  test("is refused to staff without the permission, and for an owner", async () => {
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
