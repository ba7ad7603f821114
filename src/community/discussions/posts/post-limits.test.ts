import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestDiscussion } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  getDiscussion,
  editPost,
  NewReaction,
  NewTitle,
  getPostsPage,
  addReaction,
  renameDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  getPostSource,
  removeReaction,
} from "../index.ts";
import { createRateLimitSetup } from "../../../../test/support/discussions/rate-limit-setup.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { setting, TOO_MANY } = createRateLimitSetup(database);

describe("posting rate", () => {
  test("allows one reply in five seconds and says how long to wait", async () => {
    const { mira, reply } = await setting();
    await reply(mira);
    database.clock.pass(2 * SECOND);
    await expect(reply(mira)).rejects.toMatchObject({ ...TOO_MANY, retryAfter: 3 });
    database.clock.pass(3 * SECOND);
    await reply(mira);
  });

  test("allows only one of two concurrent replies, even in two discussions", async () => {
    const { mira, tomas, group, id, reply } = await setting();
    database.clock.pass(DAY);
    const other = await createTestDiscussion(database, tomas, group.id);
    const sent = await Promise.allSettled([reply(mira, id), reply(mira, other.id)]);
    expect(sent.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("allows three replies in a row, until someone else replies or a day passes", async () => {
    const { mira, second, reply } = await setting();
    for (let i = 0; i < 3; i++) {
      await reply(mira);
      database.clock.pass(10 * SECOND);
    }
    await expect(reply(mira)).rejects.toMatchObject({ reason: "conflict" });
    await reply(second);
    await reply(mira);
    for (let i = 0; i < 2; i++) {
      database.clock.pass(10 * SECOND);
      await reply(mira);
    }
    database.clock.pass(10 * SECOND);
    await expect(reply(mira)).rejects.toMatchObject({ reason: "conflict" });
    database.clock.pass(DAY);
    await reply(mira);
  });

  test("allows one discussion in fifteen seconds and twenty a day", async () => {
    const { mira, group } = await setting();
    const start = () => createTestDiscussion(database, mira, group.id);
    await start();
    await expect(start()).rejects.toMatchObject({ ...TOO_MANY, retryAfter: 15 });
    for (let i = 1; i < 20; i++) {
      database.clock.pass(16 * SECOND);
      await start();
    }
    database.clock.pass(16 * SECOND);
    await expect(start()).rejects.toMatchObject(TOO_MANY);
    database.clock.pass(DAY);
    await start();
  });

  test("does not limit moderators, nor anyone exempted by an admin", async () => {
    const { tomas, ines, mira, group, id, reply } = await setting();
    for (const viewer of [tomas, ines]) for (let i = 0; i < 5; i++) await reply(viewer);
    for (let i = 0; i < 3; i++) await createTestDiscussion(database, ines, group.id);
    await run(
      db,
      sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', now())`,
    );
    for (let i = 0; i < 5; i++) await reply(mira);
    expect((await getDiscussion(db, mira, id)).replies).toBe(15);
  });
});

describe("daily limit", () => {
  test("allows fifty reactions; repeated and removed reactions do not count", async () => {
    const { mira, ines, id } = await setting();
    const { posts } = await getPostsPage(db, mira, await getDiscussion(db, mira, id), { page: 1 });
    const faces = Array.from({ length: 52 }, (_, i) => String.fromCodePoint(0x1f600 + i));
    const input = (emoji: string) => NewReaction.parse({ postId: posts[0]!.id, emoji });
    const leave = (viewer: SignedIn, emoji: string) => within((tx) => addReaction(tx, viewer, input(emoji)));
    for (const emoji of faces.slice(0, 50)) await leave(mira, emoji);
    await leave(mira, faces[0]!);
    await expect(leave(mira, faces[50]!)).rejects.toMatchObject(TOO_MANY);
    await within((tx) => removeReaction(tx, mira, input(faces[0]!)));
    await leave(mira, faces[50]!);
    await expect(leave(mira, faces[51]!)).rejects.toMatchObject(TOO_MANY);
    for (const emoji of faces) await leave(ines, emoji);
    database.clock.pass(DAY);
    await leave(mira, faces[51]!);
  });

  test("allows thirty visible edits; an admin may disable the limit", async () => {
    const { mira, tomas, id, reply } = await setting();
    const post = await reply(mira);
    database.clock.pass(DAY);
    const change = (viewer: SignedIn, postId: string, body: string) =>
      within(async (tx) =>
        editPost(tx, viewer, { postId, body, version: (await getPostSource(tx, viewer, postId)).version }),
      );
    for (let i = 0; i < 30; i++) {
      await change(mira, post.id, `Version ${i}`);
      database.clock.pass(SECOND);
    }
    await expect(change(mira, post.id, "One more")).rejects.toMatchObject(TOO_MANY);
    const { posts } = await getPostsPage(db, tomas, await getDiscussion(db, tomas, id), { page: 1 });
    for (let i = 0; i < 31; i++) {
      await change(tomas, posts[0]!.id, `Version ${i}`);
      database.clock.pass(SECOND);
    }
    await run(
      db,
      sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', now())`,
    );
    await change(mira, post.id, "One more");
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    await expect(change(mira, post.id, "And one")).rejects.toMatchObject(TOO_MANY);
    database.clock.pass(DAY);
    await change(mira, post.id, "And one");
  });
});

describe("daily limit of thirty edits", () => {
  const thirty = Array.from({ length: 30 }, (_, i) => i);

  test("includes edits of the first minutes, which create no version", async () => {
    const { mira, reply } = await setting();
    const post = await reply(mira);
    const change = (version: number) =>
      within((tx) => editPost(tx, mira, { postId: post.id, body: `Version ${version}`, version }));
    for (const i of thirty) await change(i + 1);
    await expect(change(31)).rejects.toMatchObject(TOO_MANY);
    expect(await many(db, sql`select from post_revisions`)).toEqual([]);
    database.clock.pass(DAY);
    await change(31);
  });

  test("includes changes of titles, tags, answers and posts, but not by moderators", async () => {
    const { mira, tomas, group, reply } = await setting();
    const { id, postId } = await createTestDiscussion(database, mira, group.id);
    const name = (viewer: SignedIn, i: number) =>
      within((tx) =>
        renameDiscussion(
          tx,
          viewer,
          NewTitle.parse({ discussionId: id, title: `Title ${i}`, tags: `tag-${i}` }),
        ),
      );
    const resolve = (viewer: SignedIn) => within((tx) => resolveDiscussion(tx, viewer, { discussionId: id }));
    const reopen = (viewer: SignedIn) => within((tx) => reopenDiscussion(tx, viewer, { discussionId: id }));
    for (const i of thirty.slice(0, 13)) await name(mira, i);
    await within((tx) => editPost(tx, mira, { postId, body: "The soil is warm.", version: 1 }));
    await resolve(mira);
    await reopen(mira);
    await resolve(mira);
    await expect(name(mira, 13)).rejects.toMatchObject(TOO_MANY);
    await expect(reopen(mira)).rejects.toMatchObject(TOO_MANY);
    const post = await reply(mira, id);
    await expect(
      within((tx) => editPost(tx, mira, { postId: post.id, body: "Or not.", version: 1 })),
    ).rejects.toMatchObject(TOO_MANY);
    for (const i of thirty) await name(tomas, 100 + i);
    await reopen(tomas);
    database.clock.pass(DAY);
    await name(mira, 13);
  });
});

describe("discussion of ten thousand posts", () => {
  test("closes with its last post and refuses further replies", async () => {
    const { mira, tomas, id, reply } = await setting();
    await run(db, sql`update posts set number = 9998 where discussion_id = ${id}`);
    await run(db, sql`update discussions set last_number = 9998 where id = ${id}`);
    expect((await reply(tomas)).number).toBe(9_999);
    expect((await getDiscussion(db, mira, id)).locked).toBe(false);
    expect((await reply(mira)).number).toBe(10_000);
    const full = await getDiscussion(db, mira, id);
    expect(full.locked).toBe(true);
    expect((await getPostsPage(db, mira, full, { page: 500 })).entries).toMatchObject([
      { kind: "locked", details: { byItself: true } },
    ]);
    await expect(reply(tomas)).rejects.toMatchObject({ reason: "conflict" });
  });
});
