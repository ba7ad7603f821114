import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aGroup, announced, aReply, bring, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  discussionFor,
  editPost,
  NewReaction,
  NewTitle,
  postsOf,
  react,
  renameDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  sourceOf,
  unreact,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** The usual limits, a discussion of Tomas's, and somebody who came today. */
async function setting() {
  const people = await cast(database);
  await run(db, sql`delete from settings where key = 'writingLimits'`);
  const group = await aGroup(database, people);
  const { id } = await aDiscussion(database, people.tomas, group.id);
  const [newcomer, second] = await within(async (tx) => {
    const both = [await person(tx, "new-here", "member", "new"), await person(tx, "hana")];
    for (const who of both) await bring(tx, group.id, who, "member");
    return both as [SignedIn, SignedIn];
  });
  const reply = (who: SignedIn, to = id) => aReply(database, who, to);
  return { ...people, group, id, newcomer, second, reply };
}
const TOO_MANY = { reason: "too-many" };

describe("how fast one writes", () => {
  test("is one reply in five seconds, and the refusal says how long to wait", async () => {
    const { mira, reply } = await setting();
    await reply(mira);
    database.clock.pass(2 * SECOND);
    await expect(reply(mira)).rejects.toMatchObject({ ...TOO_MANY, retryAfter: 3 });
    database.clock.pass(3 * SECOND);
    await reply(mira);
  });

  test("of two at once from two windows, in two discussions, is one", async () => {
    const { mira, tomas, group, id, reply } = await setting();
    database.clock.pass(DAY);
    const other = await aDiscussion(database, tomas, group.id);
    const sent = await Promise.allSettled([reply(mira, id), reply(mira, other.id)]);
    expect(sent.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("is no more than three replies in a row, until somebody answers or a day has passed", async () => {
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

  test("is a discussion in fifteen seconds, and twenty in a day", async () => {
    const { mira, group } = await setting();
    const start = () => aDiscussion(database, mira, group.id);
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

  test("does not hold up those who look after the group, nor anybody where an admin has lifted it", async () => {
    const { tomas, ines, mira, group, id, reply } = await setting();
    for (const who of [tomas, ines]) for (let i = 0; i < 5; i++) await reply(who);
    for (let i = 0; i < 3; i++) await aDiscussion(database, ines, group.id);
    await run(db, sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', now())`);
    for (let i = 0; i < 5; i++) await reply(mira);
    expect((await discussionFor(db, mira, id)).replies).toBe(15);
  });
});

describe("in a day", () => {
  test("one leaves fifty reactions; the same once more is none, and what was taken back does not count", async () => {
    const { mira, ines, id } = await setting();
    const { posts } = await postsOf(db, mira, await discussionFor(db, mira, id), { page: 1 });
    const faces = Array.from({ length: 52 }, (_, i) => String.fromCodePoint(0x1f600 + i));
    const input = (emoji: string) => NewReaction.parse({ postId: posts[0]!.id, emoji });
    const leave = (who: SignedIn, emoji: string) => within((tx) => react(tx, who, input(emoji)));
    for (const emoji of faces.slice(0, 50)) await leave(mira, emoji);
    await leave(mira, faces[0]!);
    await expect(leave(mira, faces[50]!)).rejects.toMatchObject(TOO_MANY);
    await within((tx) => unreact(tx, mira, input(faces[0]!)));
    await leave(mira, faces[50]!);
    await expect(leave(mira, faces[51]!)).rejects.toMatchObject(TOO_MANY);
    for (const emoji of faces) await leave(ines, emoji);
    database.clock.pass(DAY);
    await leave(mira, faces[51]!);
  });

  test("one changes posts thirty times so that it shows; an admin may lift that", async () => {
    const { mira, tomas, id, reply } = await setting();
    const written = await reply(mira);
    database.clock.pass(DAY);
    const change = (who: SignedIn, postId: string, body: string) =>
      within(async (tx) => editPost(tx, who, { postId, body, version: (await sourceOf(tx, who, postId)).version }));
    for (let i = 0; i < 30; i++) {
      await change(mira, written.id, `Version ${i}`);
      database.clock.pass(SECOND);
    }
    await expect(change(mira, written.id, "One more")).rejects.toMatchObject(TOO_MANY);
    const { posts } = await postsOf(db, tomas, await discussionFor(db, tomas, id), { page: 1 });
    for (let i = 0; i < 31; i++) {
      await change(tomas, posts[0]!.id, `Version ${i}`);
      database.clock.pass(SECOND);
    }
    await run(db, sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', now())`);
    await change(mira, written.id, "One more");
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    await expect(change(mira, written.id, "And one")).rejects.toMatchObject(TOO_MANY);
    database.clock.pass(DAY);
    await change(mira, written.id, "And one");
  });
});

describe("what one changes thirty times a day", () => {
  const thirty = Array.from({ length: 30 }, (_, i) => i);

  test("is also what leaves no mark, in the first minutes", async () => {
    const { mira, reply } = await setting();
    const written = await reply(mira);
    const change = (version: number) => within((tx) => editPost(tx, mira, { postId: written.id, body: `Version ${version}`, version }));
    for (const i of thirty) await change(i + 1);
    await expect(change(31)).rejects.toMatchObject(TOO_MANY);
    expect(await many(db, sql`select from post_revisions`)).toEqual([]);
    database.clock.pass(DAY);
    await change(31);
  });

  test("is, altogether, titles, tags and answers of one's own discussions, and posts; who looks after the group goes on", async () => {
    const { mira, tomas, group, reply } = await setting();
    const { id, postId } = await aDiscussion(database, mira, group.id);
    const name = (who: SignedIn, i: number) =>
      within((tx) => renameDiscussion(tx, who, NewTitle.parse({ discussionId: id, title: `Title ${i}`, tags: `tag-${i}` })));
    const resolve = (who: SignedIn) => within((tx) => resolveDiscussion(tx, who, { discussionId: id }));
    const reopen = (who: SignedIn) => within((tx) => reopenDiscussion(tx, who, { discussionId: id }));
    for (const i of thirty.slice(0, 13)) await name(mira, i);
    await within((tx) => editPost(tx, mira, { postId, body: "The soil is warm.", version: 1 }));
    await resolve(mira);
    await reopen(mira);
    await resolve(mira);
    for (const refused of [name(mira, 13), reopen(mira)]) await expect(refused).rejects.toMatchObject(TOO_MANY);
    const written = await reply(mira, id);
    await expect(within((tx) => editPost(tx, mira, { postId: written.id, body: "Or not.", version: 1 }))).rejects.toMatchObject(TOO_MANY);
    for (const i of thirty) await name(tomas, 100 + i);
    await reopen(tomas);
    database.clock.pass(DAY);
    await name(mira, 13);
  });
});

describe("newcomers", () => {
  test("put two links out of the house in a post, however they are written", async () => {
    const { newcomer, mira, group, id } = await setting();
    const TWO = "[one](https://one.example) and https://two.example, `https://three.example`, [here](/groups), @mira";
    const three = [
      "<https://three.example>",
      "https://three.example",
      "[x][y]\n\n[y]: https://three.example",
      "![x](https://three.example/x.png)",
    ];
    const INVALID = { reason: "invalid", fields: { body: expect.any(String) } };
    const written = await aReply(database, newcomer, id, { body: TWO });
    for (const more of three) {
      database.clock.pass(DAY / 100);
      await expect(aReply(database, newcomer, id, { body: `${TWO} ${more}` })).rejects.toMatchObject(INVALID);
    }
    await expect(aDiscussion(database, newcomer, group.id, { body: `${TWO} ${three[0]}` })).rejects.toMatchObject(INVALID);
    await expect(
      within((tx) => editPost(tx, newcomer, { postId: written.id, body: `${TWO} ${three[0]}`, version: 1 })),
    ).rejects.toMatchObject(INVALID);
    await aReply(database, mira, id, { body: `${TWO} ${three.join(" ")}` });
  });

  test("may quote more links than they may put there themselves, and only such as others have put there", async () => {
    const { newcomer, mira, group, id } = await setting();
    const links = ["https://one.example/?a=1&b=2", "www.two.example", "[three](https://three.example/über)", "<https://four.example>"];
    await aReply(database, mira, id, { body: links.join("\n") });
    const quote = links.map((link) => `> ${link}\n`).join("");
    const own = "https://five.example and https://six.example";
    const INVALID = { reason: "invalid", fields: { body: expect.any(String) } };
    const { id: postId } = await aReply(database, newcomer, id, { body: `${quote}\n${own}` });
    await within((tx) => editPost(tx, newcomer, { postId, body: `${quote}\nLook: ${own}`, version: 1 }));
    const elsewhere = await aDiscussion(database, mira, group.id);
    for (const [where, body] of [
      [id, `${quote}\n${own} https://seven.example`],
      [id, `> ${own}\n> https://seven.example`],
      [elsewhere.id, quote],
    ] as const) {
      database.clock.pass(DAY / 100);
      await expect(aReply(database, newcomer, where, { body })).rejects.toMatchObject(INVALID);
    }
    await expect(aDiscussion(database, newcomer, group.id, { body: quote })).rejects.toMatchObject(INVALID);
  });

  test("put one picture in a post, and others ten: none falls away without a word", async () => {
    const { newcomer, mira, group, id } = await setting();
    const pictures = async (who: SignedIn, count: number) => {
      const ids = Array.from({ length: count }, () => randomUUID());
      await run(
        db,
        sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at)
            select unnest(${ids}::uuid[]), ${who.id}, md5('x'), 9, 'image/webp', 3, 3, ${database.clock.at}`,
      );
      return ids.map((it) => `![A bed](/files/${it})`);
    };
    const refused = (said: string) => ({ reason: "invalid", fields: { body: expect.stringContaining(said) } });
    const [one, other] = await pictures(newcomer, 2);
    const both = `${one} ${other}`;
    await expect(aReply(database, newcomer, id, { body: both })).rejects.toMatchObject(refused("one picture"));
    await expect(aDiscussion(database, newcomer, group.id, { body: both })).rejects.toMatchObject(refused("one picture"));
    const written = await aReply(database, newcomer, id, { body: one! });
    await expect(within((tx) => editPost(tx, newcomer, { postId: written.id, body: both, version: 1 }))).rejects.toMatchObject(
      refused("one picture"),
    );
    const eleven = await pictures(mira, 11);
    await expect(aReply(database, mira, id, { body: eleven.join(" ") })).rejects.toMatchObject(refused("Ten pictures"));
    await aReply(database, mira, id, { body: eleven.slice(1).join(" ") });
    const { posts } = await postsOf(db, mira, await discussionFor(db, mira, id), { page: 1 });
    expect(posts.map(({ html }) => html?.match(/<img/g)?.length ?? 0)).toEqual([0, 1, 10]);
  });

  test("call two by one post, however often they change it, and others ten", async () => {
    const { newcomer, mira, id } = await setting();
    const called = () =>
      many(
        db,
        sql<{ name: string }>`
      select p.username as name from post_mentions m join people p on p.id = m.person_id where m.dropped_at is null order by name`,
      );
    const names = async () => (await called()).map(({ name }) => name);
    const written = await aReply(database, newcomer, id, { body: "@tomas" });
    const change = (version: number, body: string) => within((tx) => editPost(tx, newcomer, { postId: written.id, body, version }));
    expect(await change(1, "@ines")).toEqual({ plain: [] });
    expect(await names()).toEqual(["ines"]);
    expect(await change(2, "@ada @hana @tomas")).toEqual({ plain: ["ada", "hana"] });
    expect(await names()).toEqual(["tomas"]);
    const told = (await announced(database)).filter((type) => type === "post.mentioned");
    expect(told).toHaveLength(3);
    await aReply(database, mira, id, { body: "@ada @hana @ines" });
    expect(await names()).toEqual(["ada", "hana", "ines", "tomas"]);
  });

  test("wait half a minute, reply three times in a discussion, and ten times on their first day", async () => {
    const { newcomer, second, tomas, group, reply } = await setting();
    await reply(newcomer);
    database.clock.pass(20 * SECOND);
    await expect(reply(newcomer)).rejects.toMatchObject({ ...TOO_MANY, retryAfter: 10 });
    for (let i = 0; i < 2; i++) {
      database.clock.pass(31 * SECOND);
      await reply(second);
      await reply(newcomer);
    }
    database.clock.pass(31 * SECOND);
    await reply(second);
    await expect(reply(newcomer)).rejects.toMatchObject(TOO_MANY);
    for (let written = 3; written < 10; written++) {
      database.clock.pass(121 * SECOND);
      const { id } = await aDiscussion(database, tomas, group.id);
      await reply(newcomer, id);
    }
    database.clock.pass(121 * SECOND);
    const { id } = await aDiscussion(database, tomas, group.id);
    await expect(reply(newcomer, id)).rejects.toMatchObject(TOO_MANY);
    database.clock.pass(DAY);
    await reply(newcomer, id);
  });

  test("start three discussions on their first day, two minutes apart", async () => {
    const { newcomer, group } = await setting();
    const start = () => aDiscussion(database, newcomer, group.id);
    await start();
    database.clock.pass(100 * SECOND);
    await expect(start()).rejects.toMatchObject({ ...TOO_MANY, retryAfter: 20 });
    for (let i = 0; i < 2; i++) {
      database.clock.pass(121 * SECOND);
      await start();
    }
    database.clock.pass(121 * SECOND);
    await expect(start()).rejects.toMatchObject(TOO_MANY);
    database.clock.pass(DAY);
    await start();
  });
});

describe("a discussion of ten thousand posts", () => {
  test("closes with the last of them, and takes no more from anybody", async () => {
    const { mira, tomas, id, reply } = await setting();
    await run(db, sql`update posts set number = 9998 where discussion_id = ${id}`);
    await run(db, sql`update discussions set last_number = 9998 where id = ${id}`);
    expect((await reply(tomas)).number).toBe(9_999);
    expect((await discussionFor(db, mira, id)).locked).toBe(false);
    expect((await reply(mira)).number).toBe(10_000);
    const full = await discussionFor(db, mira, id);
    expect(full.locked).toBe(true);
    expect((await postsOf(db, mira, full, { page: 500 })).lines).toMatchObject([{ kind: "locked", details: { byItself: true } }]);
    await expect(reply(tomas)).rejects.toMatchObject({ reason: "conflict" });
  });
});
