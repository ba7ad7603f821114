import { expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { reply } from "#community/discussions";
import { createTestUsers } from "../../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { discoursePost, discourseTopic } from "../../../../../test/support/import-export/discourse-export.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "discourse");

const page = (from: number, answering: Record<number, number> = {}) =>
  Array.from({ length: 20 }, (_, i) => {
    const number = from + i;
    const answered = answering[number];
    return discoursePost(100 + number, number, number % 2 ? "sam" : "kim", `<p>Post ${number}.</p>`, {
      created_at: new Date(Date.UTC(2020, 4, 1, 10, number)).toISOString(),
      ...(answered && { reply_to_post_number: answered }),
    });
  });
/** Three pages of one topic, and a topic before and after it. */
const forum = (pages: number[]) => ({
  "6.json": discourseTopic(6, [discoursePost(61, 1, "sam", "<p>Before.</p>")]),
  ...Object.fromEntries(
    pages.map((n) => [
      `7-${n}.json`,
      discourseTopic(7, page(n * 20 - 19, { 45: 25, 46: 2 }), { category_id: 5 }),
    ]),
  ),
  "8.json": discourseTopic(8, [discoursePost(81, 1, "sam", "<p>After.</p>")]),
});
const numbers = async () =>
  (await posts()).flatMap(([title, number, , to, body]) =>
    title === "Topic number 7" ? [[number, to, body]] : [],
  );

test("a topic page that is imported later is inserted at its position, with replies linked", async () => {
  const { mira } = await createTestUsers(database);
  await bring(await write(forum([1, 3]), "forum"));
  expect((await numbers())[24]).toEqual([25, null, "Post 45."]);
  const { id } = await one(
    db,
    sql<{ id: string }>`select id from discussions where title = 'Topic number 7'`,
  );
  await within((tx) =>
    run(
      tx,
      sql`insert into read_positions (person_id, discussion_id, last_read_number, level, read_at)
        values (${mira.id}, ${id}, 25, 'normal', ${tx.now})`,
    ),
  );
  const again = await bring(await write(forum([1, 2, 3]), "forum"));
  expect(await numbers()).toEqual(
    Array.from({ length: 60 }, (_, i) => [i + 1, i === 44 ? 25 : i === 45 ? 2 : null, `Post ${i + 1}.`]),
  );
  expect((await remarks(again)).filter((it) => it.startsWith("7-"))).toEqual([]);
  expect(await many(db, sql`select last_read_number as read from read_positions`)).toEqual([{ read: 45 }]);
  expect(
    await one(db, sql`select last_number as last, last_post_at as at from discussions where id = ${id}`),
  ).toEqual({
    last: 60,
    at: new Date(Date.UTC(2020, 4, 1, 11, 0)),
  });
});

test("a first page that is imported later becomes the start of the discussion", async () => {
  await bring(
    await write(
      { "7-1.json": discourseTopic(7, page(21)), "7-2.json": discourseTopic(7, page(41)) },
      "forum",
    ),
  );
  await bring(await write(forum([1, 2, 3]), "forum"));
  expect((await numbers()).map(([number, , body]) => `${number} ${body}`)).toEqual(
    Array.from({ length: 60 }, (_, i) => `${i + 1} Post ${i + 1}.`),
  );
  expect(await one(db, sql`select created_at as at from discussions where title = 'Topic number 7'`)).toEqual(
    {
      at: new Date(Date.UTC(2020, 4, 1, 10, 1)),
    },
  );
});

test("a page that is imported after members have replied is appended, with a warning", async () => {
  const { mira } = await createTestUsers(database);
  await bring(await write(forum([1, 3]), "forum"));
  await within((tx) => run(tx, sql`update groups set visibility = 'public', join_policy = 'open'`));
  const { id, group } = await one(
    db,
    sql<{
      id: string;
      group: string;
    }>`select id, group_id as "group" from discussions where title = 'Topic number 7'`,
  );
  await within((tx) =>
    run(
      tx,
      sql`insert into memberships (group_id, person_id, state, role, answers, notify_level, joined_at,
        changed_at)
          values (${group}, ${mira.id}, 'member', 'member', '[]', 'highlights', ${tx.now}, ${tx.now})`,
    ),
  );
  await within((tx) => reply(tx, mira, { discussionId: id, body: "Still so?" }));
  const again = await bring(await write(forum([1, 2, 3]), "forum"));
  const all = await numbers();
  expect([all[40], all[41], all[24]]).toEqual([
    [41, null, "Still so?"],
    [42, null, "Post 21."],
    [25, 46, "Post 45."],
  ]);
  expect(await remarks(again)).toContain(
    "7-1.json, post 21: 20 posts of this discussion came late in the archive and were added at its end.",
  );
});
