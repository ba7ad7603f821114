import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import {
  deletePost,
  editPost,
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
import type { Viewer } from "#community/rules";
import { createCaseSetup } from "../../../../test/support/moderation/case-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestReply } from "../../../../test/support/test-users.ts";
import { approvePending, reportPerson } from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { report, view, setup, decide, stateOf, notificationsOf, logOf } = createCaseSetup(database);

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

  test("belongs to moderators who may decide the case, and to the first of them", async () => {
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
