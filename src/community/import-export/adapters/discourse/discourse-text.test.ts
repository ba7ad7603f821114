import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { discoursePost, discourseTopic } from "../../../../../test/support/import-export/discourse-export.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "discourse");

test("a mention becomes a link if the person wrote in the topic; likes are reported as skipped", async () => {
  const likes = {
    actions_summary: [
      { id: 2, count: 3 },
      { id: 6, count: 1 },
    ],
  };
  const path = await write({
    "7.json": discourseTopic(7, [
      discoursePost(
        71,
        1,
        "sam",
        '<p>Ask <a class="mention" href="/u/kim">@kim</a> or <a class="mention" href="/u/lee">@lee</a>.</p>',
        likes,
      ),
      discoursePost(72, 2, "kim", "<p>Me?</p>", likes),
    ]),
  });
  const run = await bring(path);
  const kim = await one(db, sql<{ id: string }>`select id from people where username = 'kim'`);
  const [first] = await many(db, sql<{ html: string }>`select body_html as html from posts order by number`);
  expect(first?.html).toBe(`<p>Ask <a href="/users/${kim.id}">@kim</a> or @lee.</p>\n`);
  expect(await many(db, sql`select person_id as id from post_mentions`)).toEqual([kim]);
  expect((await remarks(run)).filter((it) => it.includes("likes"))).toEqual([
    "archive: Skipped 6 likes: topics contain only their number, not who gave them.",
  ]);
});

test("a title that is too long is truncated, and the warning contains it in full", async () => {
  const title = `${"A long title. ".repeat(20)}Its end.`;
  const run = await bring(
    await write({
      "7.json": JSON.stringify({
        ...JSON.parse(discourseTopic(7, [discoursePost(71, 1, "sam", "x")])),
        title,
      }),
    }),
  );
  const [[cut]] = (await posts()) as [string[]];
  expect([title.startsWith(cut!.trim()), cut!.length < title.length]).toEqual([true, true]);
  expect((await remarks(run)).filter((it) => it.includes("title was shortened"))[0]).toContain("Its end.");
});
