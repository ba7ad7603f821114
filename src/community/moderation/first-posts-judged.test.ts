import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { announced, aReply, bring } from "../../../test/cast.ts";
import {
  commentOrWait,
  discussionFor,
  draftFor,
  heldPosts,
  NewComment,
  NewDiscussion,
  ownHeld,
  place,
  postsOf,
  saveDraft,
  startOrWait,
} from "#community/discussions";
import { database, db, within, clock, talk, waiting, letIn, giveBack, takeBack, textsIn, aDocument } from "./first-posts.fixture.ts";

describe("approving a pending post", () => {
  test("publishes a reply as if just sent, with number, parent and poll", async () => {
    const { nora, mira, tomas, discussion } = await talk();
    const asked = await aReply(database, mira, discussion.id, { body: "Who are you?" });
    const id = await waiting(nora, discussion.id, { body: "Nora, @mira.", replyTo: asked.id, pollOptions: "Beans\nPeas" });
    clock.pass(DAY);
    expect(await letIn(tomas, id)).toEqual({ at: { discussionId: discussion.id }, number: 3 });
    const { posts } = await postsOf(db, mira, await discussionFor(db, mira, discussion.id), { page: 1 });
    expect(posts[2]).toMatchObject({
      author: { username: "nora" },
      createdAt: clock.at,
      replyTo: { number: 2 },
      poll: { options: [{ text: "Beans" }, { text: "Peas" }] },
    });
    expect(await ownHeld(db, nora)).toEqual([]);
    expect(await announced(database)).toEqual(expect.arrayContaining(["post.written", "post.mentioned", "post.let_in"]));
    expect(await one(db, sql`select actor_id as by, details->>'personId' as whom from audit_events where act = 'post.let_in'`)).toEqual({
      by: tomas.id,
      whom: nora.id,
    });
  });

  test("publishes a discussion's first post, and a comment under its resource", async () => {
    const { nora, tomas, elsa, group, mira } = await talk();
    const begun = await within((tx) =>
      startOrWait(tx, nora, NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello.", tags: "hello" })),
    );
    const { id: resourceId } = await aDocument(mira, group.id);
    const said = await within((tx) => commentOrWait(tx, nora, NewComment.parse({ resourceId, body: "Good." })));
    if (!("waits" in begun && "waits" in said)) throw new Error("it does not wait");
    expect(await ownHeld(db, nora, { resourceId })).toMatchObject([{ place: { kind: "resource", title: "How to sow" } }]);
    const { at } = await letIn(tomas, begun.waits);
    expect(await discussionFor(db, mira, (at as { discussionId: string }).discussionId)).toMatchObject({
      title: "I am new",
      tags: ["hello"],
      author: { username: "nora" },
    });
    expect(await letIn(elsa, said.waits)).toEqual({ at: { resourceId }, number: 1 });
  });

  test("under a resource outside groups requires staff", async () => {
    const { nora, mira, tomas, ines } = await talk();
    const { id: resourceId } = await aDocument(mira);
    const said = await within((tx) => commentOrWait(tx, nora, NewComment.parse({ resourceId, body: "Good." })));
    if (!("waits" in said)) throw new Error("it does not wait");
    await expect(letIn(tomas, said.waits)).rejects.toMatchObject({ reason: "not-found" });
    expect((await heldPosts(db, ines, {})).rows).toMatchObject([{ place: { kind: "resource" }, group: null }]);
    await letIn(ines, said.waits);
  });

  test("approval is refused to everyone else and after a decision", async () => {
    const { nora, mira, tomas, elsa, ines, guest, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    for (const who of [mira, ines, nora]) await expect(letIn(who, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(letIn(guest, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(letIn({ ...tomas, limited: true }, id)).rejects.toMatchObject({ reason: "not-found" });
    for (const odd of ["", "x", "0190a1b2-0000-7000-8000-00000000ffff"])
      await expect(letIn(tomas, odd)).rejects.toMatchObject({ reason: "not-found" });
    const both = await Promise.allSettled([letIn(tomas, id), letIn(elsa, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await textsIn(mira, discussion.id)).toHaveLength(2);
    await expect(letIn(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("approval is refused with an explanation if its author could no longer post it; it stays pending", async () => {
    const { nora, tomas, group, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    const cannot = { reason: "conflict", message: expect.stringContaining("Give it back") };
    for (const state of ["left", "banned"] as const) {
      await within((tx) => bring(tx, group.id, nora, state));
      await expect(letIn(tomas, id)).rejects.toMatchObject(cannot);
    }
    await within((tx) => bring(tx, group.id, nora, "member"));
    await run(db, sql`update people set state = 'suspended' where id = ${nora.id}`);
    await expect(letIn(tomas, id)).rejects.toMatchObject(cannot);
    await run(db, sql`update people set state = 'active' where id = ${nora.id}`);
    await letIn(tomas, id);
  });

  test("ignores rate limits", async () => {
    const { nora, tomas, discussion } = await talk();
    await run(db, sql`update settings set value = 'true' where key = 'writingLimits'`);
    const ids = [await waiting(nora, discussion.id), await waiting(nora, discussion.id, { body: "And a second thing." })];
    for (const id of ids) await letIn(tomas, id);
    expect(await textsIn(tomas, discussion.id)).toHaveLength(3);
  });
});

describe("returning a pending post", () => {
  test("puts the text into the author's draft after newer text, with the reason", async () => {
    const { nora, tomas, discussion } = await talk();
    const at = place.discussion(discussion.id);
    const id = await waiting(nora, discussion.id);
    await within((tx) => saveDraft(tx, nora, { place: at, version: 0, title: "", body: "What else I meant." }));
    await giveBack(tomas, id);
    expect((await draftFor(db, nora, at))!.body).toBe("What else I meant.\n\nHello, all of you.");
    expect(await ownHeld(db, nora)).toMatchObject([{ givenBack: true, answer: "Say who you are." }]);
    expect((await heldPosts(db, tomas, {})).rows).toEqual([]);
    for (const again of [() => letIn(tomas, id), () => giveBack(tomas, id)])
      await expect(again()).rejects.toMatchObject({ reason: "conflict" });
    expect(await one(db, sql`select reason from audit_events where act = 'post.sent_back'`)).toEqual({ reason: "Say who you are." });
  });

  test("keeps title, tags and poll of a discussion", async () => {
    const { nora, tomas, group } = await talk();
    const begun = await within((tx) =>
      startOrWait(
        tx,
        nora,
        NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello.", tags: "hello, beans", pollOptions: "Yes\nNo" }),
      ),
    );
    await giveBack(tomas, "waits" in begun ? begun.waits : "");
    expect(await draftFor(db, nora, place.group(group.id))).toMatchObject({
      title: "I am new",
      body: "Hello.",
      more: { tags: "hello, beans", pollOptions: "Yes\nNo" },
    });
  });

  test("ends once its author posts again or dismisses it", async () => {
    const { nora, tomas, discussion } = await talk();
    await giveBack(tomas, await waiting(nora, discussion.id));
    await waiting(nora, discussion.id, { body: "I am Nora." });
    expect(await ownHeld(db, nora)).toMatchObject([{ givenBack: false }]);
    const id = (await ownHeld(db, nora))[0]!.id;
    await giveBack(tomas, id);
    await takeBack(nora, id);
    expect(await ownHeld(db, nora)).toEqual([]);
  });

  test("needs a reason and is refused to everyone else", async () => {
    const { nora, mira, tomas, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    await expect(giveBack(tomas, id, " ")).rejects.toThrow();
    for (const who of [mira, nora]) await expect(giveBack(who, id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("withdrawing a pending post", () => {
  test("withdrawing is allowed to its author before a decision", async () => {
    const { nora, mira, tomas, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    for (const who of [mira, tomas]) await expect(takeBack(who, id)).rejects.toMatchObject({ reason: "not-found" });
    await takeBack(nora, id);
    expect((await draftFor(db, nora, place.discussion(discussion.id)))!.body).toBe("Hello, all of you.");
    await expect(letIn(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(takeBack(nora, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("concurrent withdrawal and approval: exactly one succeeds", async () => {
    const { nora, tomas, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    const both = await Promise.allSettled([takeBack(nora, id), letIn(tomas, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const stands = (await textsIn(tomas, discussion.id)).length === 2;
    expect((await draftFor(db, nora, place.discussion(discussion.id))) === null).toBe(stands);
  });
});
