import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { addWordFilter, blockPerson, mutePerson } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  addBookmark,
  listMentionables,
  addComment,
  listComments,
  deletePost,
  getDraft,
  editPost,
  getPostHistory,
  NewComment,
  draftTargets,
  getPost,
  renderPreview,
  renderQuote,
  addReaction,
  restorePost,
  saveDraft,
  getPostSource,
} from "../index.ts";
import { getContainer } from "./post-container.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const notAllowed = { reason: "not-allowed" };

/** A link of Mira's; in Tomas's group, if one is given. */
async function aResource(by: SignedIn, groupId: string | null = null) {
  return within(async (tx) => {
    const id = tx.newId();
    await run(
      tx,
      sql`insert into resources (id, kind, group_id, owner_id, title, url, created_at)
        values (${id}, 'link', ${groupId}, ${by.id}, 'Frost', 'https://example.org', ${tx.now})`,
    );
    return id;
  });
}
const comment = (
  by: SignedIn,
  resourceId: string,
  body = "Useful.",
  more: { replyTo?: string; clientId?: string; draftVersion?: number } = {},
) => within((tx) => addComment(tx, by, NewComment.parse({ resourceId, body, ...more })));
const facts = (id: string) =>
  one(
    db,
    sql<Parameters<typeof listComments>[2] & { comments: number }>`
      select id, state, owner_id as "ownerId", audience, created_at as "createdAt", null as "group",
        comments_count as comments from resources where id = ${id}`,
  );
const read = async (viewer: Viewer, id: string, query = {}) =>
  listComments(db, viewer, await facts(id), query);

describe("comment", () => {
  test("can be replied to, quoted, reacted to, edited and deleted like a post", async () => {
    const { mira, tomas, noor, guest } = await createTestUsers(database);
    const id = await aResource(mira);
    const first = await comment(tomas, id, "Frost comes late.");
    const second = await comment(noor, id, "Not here.", { replyTo: first.id });
    await within((tx) => addReaction(tx, mira, { postId: first.id, emoji: "🌱" }));
    await within((tx) => editPost(tx, tomas, { postId: first.id, body: "Frost comes early.", version: 1 }));
    expect((await read(guest, id)).comments).toMatchObject([
      {
        number: 1,
        html: "<p>Frost comes early.</p>\n",
        author: { username: "tomas" },
        reactions: [{ emoji: "🌱", count: 1 }],
      },
      { number: 2, replyTo: { number: 1, excerpt: "Frost comes early." } },
    ]);
    expect(await renderQuote(db, mira, first.id)).toBe("> Frost comes early.\n\n");
    expect(await getPostSource(db, tomas, first.id)).toEqual({ body: "Frost comes early.", version: 2 });
    expect(await getPost(db, guest, second.id)).toMatchObject({
      resourceId: id,
      discussionId: null,
      number: 2,
    });
    await expect(
      within((tx) => editPost(tx, noor, { postId: first.id, body: "x", version: 2 })),
    ).rejects.toMatchObject(notAllowed);
    await expect(
      within((tx) => editPost(tx, tomas, { postId: first.id, body: "x".repeat(10_001), version: 2 })),
    ).rejects.toMatchObject({
      fields: { body: expect.any(String) },
    });
    await expect(within((tx) => addBookmark(tx, mira, { postId: first.id, note: "" }))).rejects.toMatchObject(
      { reason: "not-found" },
    );
    await within((tx) => deletePost(tx, noor, { postId: second.id }));
    expect((await read(mira, id)).comments[1]).toMatchObject({ stub: "deleted", html: null });
    expect(await facts(id)).toMatchObject({ comments: 1 });
    expect((await listEmittedEvents(database)).filter((type) => /^(post|comment)\./.test(type))).toEqual([
      "comment.written",
      "comment.written",
      "comment.reacted",
      "comment.edited",
      "comment.deleted",
    ]);
  });

  test("deletes the draft it was sent from and keeps a draft of another device", async () => {
    const { mira } = await createTestUsers(database);
    const id = await aResource(mira);
    const keep = (version: number, body: string) =>
      within((tx) => saveDraft(tx, mira, { place: draftTargets.resource(id), version, title: "", body }));
    const draftText = async () => (await getDraft(db, mira, draftTargets.resource(id)))?.body;
    const { version } = (await keep(0, "Useful, and here is why.")).draft;
    await comment(mira, id, "Useful.");
    expect(await draftText()).toBe("Useful, and here is why.");
    database.clock.pass(MINUTE);
    await comment(mira, id, "Useful for most.", { draftVersion: version });
    expect(await draftText()).toBeUndefined();
  });

  test("can be removed by a moderator with a reason, and restored", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, ines, noor } = people;
    const group = await createTestGroup(database, people);
    for (const [where, moderator] of [
      [await aResource(mira, group.id), tomas],
      [await aResource(mira), ines],
    ] as const) {
      const { id } = await comment(mira, where);
      await expect(within((tx) => deletePost(tx, noor, { postId: id, reason: "So." }))).rejects.toMatchObject(
        notAllowed,
      );
      await expect(within((tx) => deletePost(tx, moderator, { postId: id }))).rejects.toMatchObject({
        reason: "invalid",
      });
      await within((tx) =>
        deletePost(tx, moderator, { postId: id, reason: `Not about\0 frost.${" Nor hail.".repeat(1000)}` }),
      );
      const kept = sql<{
        reason: string;
      }>`select reason from audit_events where act = 'post.removed' and object_id = ${id}`;
      expect((await one(db, kept)).reason).toMatch(/^Not about frost\..{1,285}$/);
      expect(await getPost(db, noor, id)).toMatchObject({ stub: "removed" });
      expect(await getPostHistory(db, moderator, id)).toMatchObject({
        place: { kind: "resource", id: where },
        rows: [{ body: "Useful." }],
      });
      await expect(getPostHistory(db, noor, id)).rejects.toMatchObject({ reason: "not-found" });
      await within((tx) => restorePost(tx, moderator, { postId: id, reason: "It was." }));
      expect(await getPost(db, noor, id)).toMatchObject({ stub: null });
      expect(await one(db, sql`select comments_count as n from resources where id = ${where}`)).toEqual({
        n: 1,
      });
    }
    const staffs = await aResource(mira);
    const { id } = await comment(mira, staffs);
    await expect(
      within((tx) => editPost(tx, ines, { postId: id, body: "x", version: 1, reason: "So." })),
    ).rejects.toMatchObject(notAllowed);
  });

  test("mentions only people who can read it, and shows link previews", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor } = people;
    const secret = await createTestGroup(database, people, { visibility: "secret", name: "Hidden" });
    const forAll = await aResource(mira);
    const inside = await aResource(mira, secret.id);
    expect(await comment(mira, forAll, `@noor @tomas @nobody @${secret.slug}`)).toMatchObject({
      plain: ["nobody", secret.slug],
    });
    expect(await comment(mira, inside, `@noor @tomas @${secret.slug}`)).toMatchObject({ plain: ["noor"] });
    expect(
      (await listMentionables(db, mira, draftTargets.resource(forAll), "no")).map(({ name }) => name),
    ).toEqual(["noor"]);
    expect(await listMentionables(db, mira, draftTargets.resource(inside), "no")).toEqual([]);
    expect(await renderPreview(db, mira, draftTargets.resource(inside), "@noor")).toMatchObject({
      plain: ["noor"],
    });
    for (const look of [
      () => listMentionables(db, noor, draftTargets.resource(inside), "to"),
      () => renderPreview(db, noor, draftTargets.resource(inside), "x"),
      () => comment(noor, inside),
    ])
      await expect(look()).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect(await comment(mira, forAll, "@tomas")).toMatchObject({ plain: ["tomas"] });
    expect((await listEmittedEvents(database)).filter((type) => type === "comment.mentioned")).toHaveLength(
      4,
    );
  });

  test("collapses or disappears for people who mute, filter or block its author", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    const id = await aResource(mira);
    const { id: postId } = await comment(tomas, id, "Slugs, everywhere.");
    await within((tx) => mutePerson(tx, mira, { personId: tomas.id, until: null }));
    expect((await read(mira, id)).comments[0]).toMatchObject({ muted: true });
    await within((tx) =>
      addWordFilter(tx, noor, { phrase: "slugs", contexts: ["discussion"], action: "hide", until: null }),
    );
    expect((await read(noor, id)).comments[0]).toMatchObject({ stub: "filtered", html: null });
    expect((await getPost(db, noor, postId, { reveal: true })).html).toContain("Slugs");
    await within((tx) => blockPerson(tx, noor, { personId: tomas.id }));
    expect((await read(noor, id)).comments[0]).toMatchObject({ stub: "blocked-by-viewer" });
    await expect(within((tx) => addReaction(tx, noor, { postId, emoji: "🌱" }))).rejects.toMatchObject(
      notAllowed,
    );
    const answer = await comment(noor, id, "So?", { replyTo: postId });
    expect((await getPost(db, mira, answer.id)).replyTo).toBeNull();
  });

  test("has a number by which it can be found, and is stored once if sent twice", async () => {
    const { mira, tomas, noor } = await createTestUsers(database);
    const id = await aResource(mira);
    const clientId = crypto.randomUUID();
    const [first, second] = await Promise.all([
      comment(tomas, id, "Once.", { clientId }),
      comment(tomas, id, "Once.", { clientId }),
    ]);
    expect(first.id).toBe(second.id);
    const many = await Promise.all(Array.from({ length: 24 }, (_, n) => comment(n % 2 ? mira : noor, id)));
    expect(many.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, n) => n + 2),
    );
    const numbers = async (query: object) => {
      const { comments, after, more } = await read(mira, id, query);
      return [after, comments.length, comments[0]?.number, more];
    };
    expect(await numbers({})).toEqual([0, 20, 1, true]);
    expect(await numbers({ after: 20 })).toEqual([20, 5, 21, false]);
    expect(await numbers({ post: 22 })).toEqual([20, 5, 21, false]);
    expect(await numbers({ post: 2 ** 40, after: Number.NaN })).toEqual([
      expect.any(Number),
      0,
      undefined,
      false,
    ]);
  });

  test("respects the posting interval, which is longer for newcomers", async () => {
    const { mira, guest } = await createTestUsers(database);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    const id = await aResource(mira);
    const nele = await within((tx) => createPerson(tx, "nele", "member", "new"));
    await comment(mira, id);
    await comment(nele, id);
    await expect(comment(mira, id)).rejects.toMatchObject({ reason: "too-many", retryAfter: 5 });
    await expect(comment(nele, id)).rejects.toMatchObject({ reason: "too-many", retryAfter: 30 });
    await expect(
      comment(nele, id, "https://a.example https://b.example https://c.example"),
    ).rejects.toMatchObject({ reason: "too-many" });
    await expect(comment({ ...mira, limited: true }, id)).rejects.toMatchObject({
      ...notAllowed,
      message: "Your account cannot post at the moment.",
    });
    await expect(comment(guest as SignedIn, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(getContainer(db, mira, "x", "read")).rejects.toMatchObject({ reason: "not-found" });
  });
});
