import { describe, expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { APPROVAL_MODES, LIMITS, type SignedIn } from "#community/rules";
import {
  listEmittedEvents,
  createTestReply,
  setMembership,
  createPerson,
} from "../../../test/support/test-users.ts";
import { NewPostReport, reportPost, listCases, Resolution, resolveCase } from "./index.ts";
import {
  addComment,
  getDiscussion,
  listDiscussions,
  getDraft,
  editPost,
  NewComment,
  NewDiscussion,
  NewReply,
  listOwnPendingPosts,
  draftTargets,
  replyOrAwaitApproval,
  saveDraft,
  startDiscussion,
} from "#community/discussions";
import {
  database,
  db,
  within,
  setApprovalSetting,
  createApprovalTalk,
  sendReply,
  createPendingReply,
  approvePost,
  withdrawPost,
  listTexts,
  createTestDocument,
} from "../../../test/support/moderation/first-posts-setup.ts";

describe("posts of newcomers", () => {
  const LINK = "Look at https://beans.example/";
  test.each([
    ["off", ["says", "says", "says"]],
    ["links", ["says", "waits", "says"]],
    ["first", ["waits", "waits", "waits"]],
    ["all", ["waits", "waits", "waits"]],
  ] as const)("wait for approval if the setting “%s” requires it", async (look, so) => {
    const { nora, mira, discussion } = await createApprovalTalk(look);
    const found = [];
    for (const body of ["Hello.", LINK, "Once more."])
      found.push("waits" in (await sendReply(nora, discussion.id, { body })) ? "waits" : "says");
    expect(found).toEqual(so);
    expect((await listTexts(mira, discussion.id)).length).toBe(1 + so.filter((it) => it === "says").length);
  });

  test.each(APPROVAL_MODES.filter((look) => look !== "off"))(
    "need approval after the first published post only if the setting requires it (%s)",
    async (look) => {
      const { nora, tomas, discussion } = await createApprovalTalk(look);
      const first = await sendReply(nora, discussion.id);
      if ("waits" in first) await approvePost(tomas, first.waits);
      expect("waits" in (await sendReply(nora, discussion.id, { body: "Again." }))).toBe(look === "all");
      expect("waits" in (await sendReply(nora, discussion.id, { body: LINK }))).toBe(true);
    },
  );

  test("need approval again after reports by three people, until the reports are rejected", async () => {
    const { nora, mira, noor, elsa, tomas, group, discussion } = await createApprovalTalk("off");
    const [pavel, vera] = await within(async (tx) => [
      await createPerson(tx, "pavel"),
      await createPerson(tx, "vera", "member", "new"),
    ]);
    for (const viewer of [noor, pavel, vera])
      await within((tx) => setMembership(tx, group.id, viewer, "member"));
    const bought = await Promise.all(
      [1, 2, 3].map((n) => createTestReply(database, nora, discussion.id, { body: `Buy my beans (${n}).` })),
    );
    const reports = async (viewer: SignedIn, n: number) => {
      await within((tx) =>
        reportPost(tx, viewer, NewPostReport.parse({ postId: bought[n]!.id, reason: "It sells beans." })),
      );
      return "waits" in (await sendReply(nora, discussion.id));
    };
    // Repeated reports of one person count once; established members need no approval whatever the reports.
    expect([
      await reports(mira, 0),
      await reports(mira, 1),
      await reports(pavel, 1),
      await reports(vera, 2),
    ]).toEqual([false, false, false, true]);
    expect("waits" in (await sendReply({ ...nora, trust: "established" }, discussion.id))).toBe(false);
    for (const { id } of (await listCases(db, tomas, { tab: "open" })).rows)
      await within((tx) =>
        resolveCase(tx, elsa, Resolution.parse({ caseId: id, outcome: "rejected", reason: "", note: "" })),
      );
    expect("waits" in (await sendReply(nora, discussion.id))).toBe(false);
  });

  test("need approval, but posts of established members, moderators and staff do not", async () => {
    const { mira, tomas, nora, ines, group, discussion } = await createApprovalTalk("all", "public");
    for (const viewer of [mira, tomas, { ...ines, trust: "new" } as SignedIn])
      expect(await sendReply(viewer, discussion.id, { body: LINK })).toHaveProperty("number");
    await within((tx) => setMembership(tx, group.id, nora, "moderator"));
    expect(await sendReply(nora, discussion.id)).toHaveProperty("number");
  });

  test("stay out of lists and counts while pending, and notify only moderators", async () => {
    const { nora, mira, discussion } = await createApprovalTalk();
    const { draft } = await within((tx) =>
      saveDraft(tx, nora, {
        place: draftTargets.discussion(discussion.id),
        version: 0,
        title: "",
        body: "Hello, all of you.",
      }),
    );
    await within((tx) =>
      replyOrAwaitApproval(
        tx,
        nora,
        NewReply.parse({
          discussionId: discussion.id,
          body: "Hello, all of you.",
          draftVersion: String(draft.version),
        }),
      ),
    );
    expect(await getDraft(db, nora, draftTargets.discussion(discussion.id))).toBeNull();
    const { rows } = await listDiscussions(
      db,
      mira,
      (await getDiscussion(db, mira, discussion.id)).group,
      {},
    );
    expect(rows).toMatchObject([{ replies: 0 }]);
    expect(await listTexts(nora, discussion.id)).toHaveLength(1);
    expect((await listEmittedEvents(database)).filter((type) => type === "post.written")).toEqual([]);
    expect((await listEmittedEvents(database)).filter((type) => type === "post.pending")).toHaveLength(1);
  });

  test("get stored once per client id, unless the text differs", async () => {
    const { nora, discussion } = await createApprovalTalk();
    const clientId = "0190a1b2-0000-7000-8000-000000000001";
    const ids = [
      await createPendingReply(nora, discussion.id, { clientId }),
      await createPendingReply(nora, discussion.id, { clientId }),
    ];
    expect(new Set(ids).size).toBe(1);
    expect(await createPendingReply(nora, discussion.id, { clientId, body: "Something else." })).not.toBe(
      ids[0],
    );
    expect(await listOwnPendingPosts(db, nora)).toHaveLength(2);
  });

  test("get stored once when sent twice at the same moment", async () => {
    const { nora, discussion } = await createApprovalTalk();
    const clientId = "0190a1b2-0000-7000-8000-000000000002";
    const [first, second] = await Promise.all([
      createPendingReply(nora, discussion.id, { clientId }),
      createPendingReply(nora, discussion.id, { clientId }),
    ]);
    expect(first).toBe(second);
  });

  test("have a limit of three pending at a time", async () => {
    const { nora, discussion } = await createApprovalTalk();
    for (let i = 0; i < LIMITS.pendingPosts.most; i++)
      await createPendingReply(nora, discussion.id, { body: `Text ${i}` });
    await expect(createPendingReply(nora, discussion.id, { body: "One more" })).rejects.toMatchObject({
      reason: "too-many",
    });
    await withdrawPost(nora, (await listOwnPendingPosts(db, nora))[0]!.id);
    await createPendingReply(nora, discussion.id, { body: "One more" });
  });

  test("fail before being stored if posting is not allowed or the poll is invalid", async () => {
    const { nora, discussion, group } = await createApprovalTalk();
    const poll = { pollOptions: "Beans\nPeas", pollCloses: "2001-01-01T00:00:00Z" };
    await expect(createPendingReply(nora, discussion.id, poll)).rejects.toMatchObject({
      reason: "invalid",
      fields: { pollCloses: expect.any(String) },
    });
    await within((tx) => setMembership(tx, group.id, nora, "banned"));
    await expect(createPendingReply(nora, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listOwnPendingPosts(db, nora)).toEqual([]);
  });

  test("from API clients are refused if they would need approval", async () => {
    const { nora, discussion, group } = await createApprovalTalk();
    const { id: resourceId } = await createTestDocument(nora, group.id);
    for (const write of [
      () => createTestReply(database, nora, discussion.id),
      () =>
        within((tx) =>
          startDiscussion(
            tx,
            nora,
            NewDiscussion.parse({ groupId: group.id, title: "Who am I", body: "Nora." }),
          ),
        ),
      () => within((tx) => addComment(tx, nora, NewComment.parse({ resourceId, body: "Good." }))),
    ])
      await expect(write()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await listOwnPendingPosts(db, nora)).toEqual([]);
  });

  test("cannot gain a link by later edits", async () => {
    const { nora, tomas, discussion } = await createApprovalTalk();
    await approvePost(tomas, await createPendingReply(nora, discussion.id));
    const { id } = await one(db, sql<{ id: string }>`select id from posts where author_id = ${nora.id}`);
    const edit = (body: string) => within((tx) => editPost(tx, nora, { postId: id, body, version: 1 }));
    await expect(edit(LINK)).rejects.toMatchObject({
      reason: "invalid",
      fields: { body: expect.any(String) },
    });
    await setApprovalSetting("off");
    await edit(LINK);
  });
});
