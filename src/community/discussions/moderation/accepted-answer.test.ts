import { describe, expect, test } from "vitest";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  listEmittedEvents,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { deletePost, getDiscussion, reopenDiscussion, resolveDiscussion, restorePost } from "../index.ts";
import {
  database,
  db,
  listEntryKinds,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";

describe("accepted answer", () => {
  test("must be a post of the discussion, marked by its author or a moderator", async () => {
    const { mira, tomas, noor, group, discussion, answer, at } = await setupModeration();
    const other = await createTestDiscussion(database, tomas, group.id);
    const resolve = (who: SignedIn, postId?: string) =>
      within((tx) => resolveDiscussion(tx, who, { ...at, postId }));
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await expect(resolve(noor, answer.id)).rejects.toMatchObject({ reason: "not-allowed" });
    for (const forged of [other.postId, crypto.randomUUID(), "x"])
      await expect(resolve(mira, forged)).rejects.toMatchObject({ reason: "not-found" });
    await resolve(mira, answer.id);
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({
      answer: { id: answer.id, number: 2 },
      resolvedAt: database.clock.at,
    });
    await within((tx) => reopenDiscussion(tx, mira, at));
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({ answer: null, resolvedAt: null });
    await resolve(tomas);
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({
      answer: null,
      resolvedAt: database.clock.at,
    });
  });

  test("adds no second activity entry when the same post is marked again", async () => {
    const { mira, tomas, discussion, answer, at } = await setupModeration();
    const resolve = (postId?: string) => within((tx) => resolveDiscussion(tx, mira, { ...at, postId }));
    const reopen = () => within((tx) => reopenDiscussion(tx, tomas, at));
    await reopen();
    await resolve();
    await resolve();
    database.clock.pass(1000);
    await resolve(answer.id);
    await resolve(answer.id);
    database.clock.pass(1000);
    await reopen();
    await reopen();
    expect(await listEntryKinds(mira, discussion.id)).toEqual(["resolved", "resolved", "reopened"]);
    expect((await listEmittedEvents(database)).filter((type) => /resolved|reopened/.test(type))).toHaveLength(
      3,
    );
  });

  test("disappears when its post is removed, and restoring the post does not bring it back", async () => {
    const { mira, tomas, discussion, answer, at } = await setupModeration();
    const beside = await createTestReply(database, tomas, discussion.id);
    const resolve = (postId: string) => within((tx) => resolveDiscussion(tx, mira, { ...at, postId }));
    const settled = async () => {
      const shown = await getDiscussion(db, mira, discussion.id);
      return [shown.answer?.number ?? null, shown.resolvedAt !== null];
    };
    await resolve(answer.id);
    await within((tx) => deletePost(tx, tomas, { postId: beside.id }));
    expect([await settled(), await listEntryKinds(mira, discussion.id)]).toEqual([[2, true], ["resolved"]]);
    database.clock.pass(1000);
    await within((tx) => deletePost(tx, tomas, { postId: answer.id }));
    expect([await settled(), await listEntryKinds(mira, discussion.id)]).toEqual([
      [null, false],
      ["resolved", "reopened"],
    ]);
    expect((await listEmittedEvents(database)).at(-2)).toBe("discussion.reopened");
    const { id } = await createTestReply(database, mira, discussion.id);
    await resolve(id);
    await within((tx) => deletePost(tx, tomas, { postId: id, reason: REASON }));
    await within((tx) => restorePost(tx, tomas, { postId: id, reason: REASON }));
    expect(await settled()).toEqual([null, false]);
  });
});
