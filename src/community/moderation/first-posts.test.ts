import { describe, expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { FIRST_LOOKS, LIMITS, type SignedIn } from "#community/rules";
import { announced, aReply, bring, person } from "../../../test/cast.ts";
import { NewPostReport, reportPost, reportsFor, Resolution, resolveReport } from "./index.ts";
import {
  comment,
  discussionFor,
  discussionsOf,
  draftFor,
  editPost,
  NewComment,
  NewDiscussion,
  NewReply,
  ownHeld,
  place,
  replyOrWait,
  saveDraft,
  startDiscussion,
} from "#community/discussions";
import { database, db, within, setTo, talk, says, waiting, letIn, takeBack, textsIn, aDocument } from "./first-posts.fixture.ts";

describe("posts of newcomers", () => {
  const LINK = "Look at https://beans.example/";
  test.each([
    ["off", ["says", "says", "says"]],
    ["links", ["says", "waits", "says"]],
    ["first", ["waits", "waits", "waits"]],
    ["all", ["waits", "waits", "waits"]],
  ] as const)("wait for approval where “%s” is set", async (look, so) => {
    const { nora, mira, discussion } = await talk(look);
    const found = [];
    for (const body of ["Hello.", LINK, "Once more."])
      found.push("waits" in (await says(nora, discussion.id, { body })) ? "waits" : "says");
    expect(found).toEqual(so);
    expect((await textsIn(mira, discussion.id)).length).toBe(1 + so.filter((it) => it === "says").length);
  });

  test.each(FIRST_LOOKS.filter((look) => look !== "off"))(
    "need no further approval once something of theirs was published (%s)",
    async (look) => {
      const { nora, tomas, discussion } = await talk(look);
      const first = await says(nora, discussion.id);
      if ("waits" in first) await letIn(tomas, first.waits);
      expect("waits" in (await says(nora, discussion.id, { body: "Again." }))).toBe(look === "all");
      expect("waits" in (await says(nora, discussion.id, { body: LINK }))).toBe(true);
    },
  );

  test("need approval again everywhere after reports by three people, until these are rejected", async () => {
    const { nora, mira, noor, elsa, tomas, group, discussion } = await talk("off");
    const [pavel, vera] = await within(async (tx) => [await person(tx, "pavel"), await person(tx, "vera", "member", "new")]);
    for (const who of [noor, pavel, vera]) await within((tx) => bring(tx, group.id, who, "member"));
    const bought = await Promise.all([1, 2, 3].map((n) => aReply(database, nora, discussion.id, { body: `Buy my beans (${n}).` })));
    const reports = async (who: SignedIn, n: number) => {
      await within((tx) => reportPost(tx, who, NewPostReport.parse({ postId: bought[n]!.id, reason: "It sells beans." })));
      return "waits" in (await says(nora, discussion.id));
    };
    // Repeated reports of one person count once; established members need no approval whatever the reports.
    expect([await reports(mira, 0), await reports(mira, 1), await reports(pavel, 1), await reports(vera, 2)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect("waits" in (await says({ ...nora, trust: "established" }, discussion.id))).toBe(false);
    for (const { id } of (await reportsFor(db, tomas, { tab: "open" })).rows)
      await within((tx) => resolveReport(tx, elsa, Resolution.parse({ reportId: id, outcome: "rejected", reason: "", note: "" })));
    expect("waits" in (await says(nora, discussion.id))).toBe(false);
  });

  test("never wait for established members, moderators and staff", async () => {
    const { mira, tomas, nora, ines, group, discussion } = await talk("all", "public");
    for (const who of [mira, tomas, { ...ines, trust: "new" } as SignedIn])
      expect(await says(who, discussion.id, { body: LINK })).toHaveProperty("number");
    await within((tx) => bring(tx, group.id, nora, "moderator"));
    expect(await says(nora, discussion.id)).toHaveProperty("number");
  });

  test("pending posts are in no list or count, notify moderators only, and consume the draft", async () => {
    const { nora, mira, discussion } = await talk();
    const { draft } = await within((tx) =>
      saveDraft(tx, nora, { place: place.discussion(discussion.id), version: 0, title: "", body: "Hello, all of you." }),
    );
    await within((tx) =>
      replyOrWait(
        tx,
        nora,
        NewReply.parse({ discussionId: discussion.id, body: "Hello, all of you.", draftVersion: String(draft.version) }),
      ),
    );
    expect(await draftFor(db, nora, place.discussion(discussion.id))).toBeNull();
    const { rows } = await discussionsOf(db, mira, (await discussionFor(db, mira, discussion.id)).group, {});
    expect(rows).toMatchObject([{ replies: 0 }]);
    expect(await textsIn(nora, discussion.id)).toHaveLength(1);
    expect((await announced(database)).filter((type) => type === "post.written")).toEqual([]);
    expect((await announced(database)).filter((type) => type === "post.waits")).toHaveLength(1);
  });

  test("pending posts are stored once per client id; the same id with other text is another post", async () => {
    const { nora, discussion } = await talk();
    const clientId = "0190a1b2-0000-7000-8000-000000000001";
    const ids = [await waiting(nora, discussion.id, { clientId }), await waiting(nora, discussion.id, { clientId })];
    expect(new Set(ids).size).toBe(1);
    expect(await waiting(nora, discussion.id, { clientId, body: "Something else." })).not.toBe(ids[0]);
    expect(await ownHeld(db, nora)).toHaveLength(2);
  });

  test("pending posts are stored once when sent twice at the same moment", async () => {
    const { nora, discussion } = await talk();
    const clientId = "0190a1b2-0000-7000-8000-000000000002";
    const [one, other] = await Promise.all([waiting(nora, discussion.id, { clientId }), waiting(nora, discussion.id, { clientId })]);
    expect(one).toBe(other);
  });

  test("newcomers are limited to three pending at a time", async () => {
    const { nora, discussion } = await talk();
    for (let i = 0; i < LIMITS.heldPosts.most; i++) await waiting(nora, discussion.id, { body: `Text ${i}` });
    await expect(waiting(nora, discussion.id, { body: "One more" })).rejects.toMatchObject({ reason: "too-many" });
    await takeBack(nora, (await ownHeld(db, nora))[0]!.id);
    await waiting(nora, discussion.id, { body: "One more" });
  });

  test("invalid posts are refused before storing if posting is not allowed or the poll is invalid", async () => {
    const { nora, discussion, group } = await talk();
    const poll = { pollOptions: "Beans\nPeas", pollCloses: "2001-01-01T00:00:00Z" };
    await expect(waiting(nora, discussion.id, poll)).rejects.toMatchObject({
      reason: "invalid",
      fields: { pollCloses: expect.any(String) },
    });
    await within((tx) => bring(tx, group.id, nora, "banned"));
    await expect(waiting(nora, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await ownHeld(db, nora)).toEqual([]);
  });

  test("pending posts are refused to API clients, which cannot show the pending state; nothing is stored", async () => {
    const { nora, discussion, group } = await talk();
    const { id: resourceId } = await aDocument(nora, group.id);
    for (const say of [
      () => aReply(database, nora, discussion.id),
      () => within((tx) => startDiscussion(tx, nora, NewDiscussion.parse({ groupId: group.id, title: "Who am I", body: "Nora." }))),
      () => within((tx) => comment(tx, nora, NewComment.parse({ resourceId, body: "Good." }))),
    ])
      await expect(say()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await ownHeld(db, nora)).toEqual([]);
  });

  test("cannot gain a link by later edits", async () => {
    const { nora, tomas, discussion } = await talk();
    await letIn(tomas, await waiting(nora, discussion.id));
    const { id } = await one(db, sql<{ id: string }>`select id from posts where author_id = ${nora.id}`);
    const edit = (body: string) => within((tx) => editPost(tx, nora, { postId: id, body, version: 1 }));
    await expect(edit(LINK)).rejects.toMatchObject({ reason: "invalid", fields: { body: expect.any(String) } });
    await setTo("off");
    await edit(LINK);
  });
});
