import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  listEmittedEvents,
  createTestReply,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getDiscussion, editPost, getPostsPage } from "../index.ts";
import { createRateLimitSetup } from "../../../../test/support/discussions/rate-limit-setup.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { setting, TOO_MANY } = createRateLimitSetup(database);

describe("newcomers", () => {
  test("post at most two external links, in any notation", async () => {
    const { newcomer, mira, group, id } = await setting();
    const TWO =
      "[one](https://one.example) and https://two.example, `https://three.example`, [here](/groups), @mira";
    const three = [
      "<https://three.example>",
      "https://three.example",
      "[x][y]\n\n[y]: https://three.example",
      "![x](https://three.example/x.png)",
    ];
    const INVALID = { reason: "invalid", fields: { body: expect.any(String) } };
    const post = await createTestReply(database, newcomer, id, { body: TWO });
    for (const more of three) {
      database.clock.pass(DAY / 100);
      await expect(createTestReply(database, newcomer, id, { body: `${TWO} ${more}` })).rejects.toMatchObject(
        INVALID,
      );
    }
    await expect(
      createTestDiscussion(database, newcomer, group.id, { body: `${TWO} ${three[0]}` }),
    ).rejects.toMatchObject(INVALID);
    await expect(
      within((tx) => editPost(tx, newcomer, { postId: post.id, body: `${TWO} ${three[0]}`, version: 1 })),
    ).rejects.toMatchObject(INVALID);
    await createTestReply(database, mira, id, { body: `${TWO} ${three.join(" ")}` });
  });

  test("may quote more links if other people posted them in the same discussion", async () => {
    const { newcomer, mira, group, id } = await setting();
    const links = [
      "https://one.example/?a=1&b=2",
      "www.two.example",
      "[three](https://three.example/über)",
      "<https://four.example>",
    ];
    await createTestReply(database, mira, id, { body: links.join("\n") });
    const quote = links.map((link) => `> ${link}\n`).join("");
    const own = "https://five.example and https://six.example";
    const INVALID = { reason: "invalid", fields: { body: expect.any(String) } };
    const { id: postId } = await createTestReply(database, newcomer, id, { body: `${quote}\n${own}` });
    await within((tx) => editPost(tx, newcomer, { postId, body: `${quote}\nLook: ${own}`, version: 1 }));
    const elsewhere = await createTestDiscussion(database, mira, group.id);
    for (const [where, body] of [
      [id, `${quote}\n${own} https://seven.example`],
      [id, `> ${own}\n> https://seven.example`],
      [elsewhere.id, quote],
    ] as const) {
      database.clock.pass(DAY / 100);
      await expect(createTestReply(database, newcomer, where, { body })).rejects.toMatchObject(INVALID);
    }
    await expect(createTestDiscussion(database, newcomer, group.id, { body: quote })).rejects.toMatchObject(
      INVALID,
    );
  });

  test("can post one picture and others ten; a post with more pictures is refused", async () => {
    const { newcomer, mira, group, id } = await setting();
    const pictures = async (viewer: SignedIn, count: number) => {
      const ids = Array.from({ length: count }, () => randomUUID());
      await run(
        db,
        sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at)
            select unnest(${ids}::uuid[]), ${viewer.id}, md5('x'), 9, 'image/webp', 3, 3,
              ${database.clock.at}`,
      );
      return ids.map((it) => `![A bed](/files/${it})`);
    };
    const refused = (message: string) => ({
      reason: "invalid",
      fields: { body: expect.stringContaining(message) },
    });
    const [one, other] = await pictures(newcomer, 2);
    const both = `${one} ${other}`;
    await expect(createTestReply(database, newcomer, id, { body: both })).rejects.toMatchObject(
      refused("one picture"),
    );
    await expect(createTestDiscussion(database, newcomer, group.id, { body: both })).rejects.toMatchObject(
      refused("one picture"),
    );
    const post = await createTestReply(database, newcomer, id, { body: one! });
    await expect(
      within((tx) => editPost(tx, newcomer, { postId: post.id, body: both, version: 1 })),
    ).rejects.toMatchObject(refused("one picture"));
    const eleven = await pictures(mira, 11);
    await expect(createTestReply(database, mira, id, { body: eleven.join(" ") })).rejects.toMatchObject(
      refused("at most 10 pictures"),
    );
    await createTestReply(database, mira, id, { body: eleven.slice(1).join(" ") });
    const { posts } = await getPostsPage(db, mira, await getDiscussion(db, mira, id), { page: 1 });
    expect(posts.map(({ html }) => html?.match(/<img/g)?.length ?? 0)).toEqual([0, 1, 10]);
  });

  test("may mention two people per post, including edits; others may mention ten", async () => {
    const { newcomer, mira, id } = await setting();
    const called = () =>
      many(
        db,
        sql<{ name: string }>`
      select p.username as name from post_mentions m join people p on p.id = m.person_id
      where m.dropped_at is null order by name`,
      );
    const names = async () => (await called()).map(({ name }) => name);
    const post = await createTestReply(database, newcomer, id, { body: "@tomas" });
    const change = (version: number, body: string) =>
      within((tx) => editPost(tx, newcomer, { postId: post.id, body, version }));
    expect(await change(1, "@ines")).toEqual({ plain: [] });
    expect(await names()).toEqual(["ines"]);
    expect(await change(2, "@ada @hana @tomas")).toEqual({ plain: ["ada", "hana"] });
    expect(await names()).toEqual(["tomas"]);
    const events = (await listEmittedEvents(database)).filter((type) => type === "post.mentioned");
    expect(events).toHaveLength(3);
    await createTestReply(database, mira, id, { body: "@ada @hana @ines" });
    expect(await names()).toEqual(["ada", "hana", "ines", "tomas"]);
  });

  test("can reply every thirty seconds, up to ten times on the first day", async () => {
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
    for (let count = 3; count < 10; count++) {
      database.clock.pass(121 * SECOND);
      const { id } = await createTestDiscussion(database, tomas, group.id);
      await reply(newcomer, id);
    }
    database.clock.pass(121 * SECOND);
    const { id } = await createTestDiscussion(database, tomas, group.id);
    await expect(reply(newcomer, id)).rejects.toMatchObject(TOO_MANY);
    database.clock.pass(DAY);
    await reply(newcomer, id);
  });

  test("can start three discussions on the first day, two minutes apart", async () => {
    const { newcomer, group } = await setting();
    const start = () => createTestDiscussion(database, newcomer, group.id);
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
