import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { slackToMarkdown } from "./slack-text.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "slack");
const names = { user: (id: string) => ({ U1: "Mo", U2: "__x__" })[id], channel: () => "beds" };

test.each([
  [
    "<https://example.org/frost|Frost dates | Garden almanac> first",
    "[Frost dates | Garden almanac](<https://example.org/frost>) first",
  ],
  ["def __init__(self): 2*3*4 of snake_case", "def \\_\\_init\\_\\_(self): 2\\*3\\*4 of snake_case"],
  ["type &amp;lt; and 1 &lt; 2", "type \\&lt; and 1 < 2"],
  ["1986. was a great year", "1986\\. was a great year"],
  ["root:x:0:0 fe80:a:b:c 10:100:30 :tada::tada: (:x:)", "root:x:0:0 fe80:a:b:c 10:100:30 🎉🎉 (❌)"],
  ["see README.md", "see README\\.md"],
  ["[plan]: https://example.org/plan", "[plan\\]: https://example.org/plan"],
  ["| a | b |\n|---|---|", "| a | b |\n\\|---|---|"],
  [":flag-de: :male-technologist: :thinking_face: :umbrella: :our_own_sign:", "🇩🇪 👨‍💻 🤔 ☂️ :our_own_sign:"],
  ["<@U2> and <!subteam^S1|@all_of_them_>", "**\\_\\_x\\_\\_** and **all_of_them\\_**"],
])("Slack text %s is converted to Markdown with the same appearance", (text, markdown) =>
  expect(slackToMarkdown(text, names)).toBe(markdown),
);

test("folders named by channel id are imported, and reactions with unknown emoji are reported", async () => {
  const message = {
    type: "message",
    user: "U1",
    ts: "1709290060.000100",
    thread_ts: "1709290060.000100",
    text: "Call __init__ *now*",
  };
  const reactions = [
    { name: "community_garden_bee", users: ["U1", "U2"] },
    { name: "+1::skin-tone-3", users: ["U1"] },
  ];
  const run = await bring(
    await write({
      "channels.json": JSON.stringify([{ id: "C1", name: "beds" }]),
      "users.json": JSON.stringify([
        { id: "U1", name: "mo" },
        { id: "U2", name: "lou" },
      ]),
      "C1/2024-03-01.json": JSON.stringify([{ ...message, reactions }]),
    }),
  );
  expect((await posts()).map(([title, , , , body]) => [title, body])).toEqual([
    ["Call __init__ now", "Call \\_\\_init\\_\\_ **now**"],
  ]);
  expect(await many(db, sql`select emoji from reactions`)).toEqual([{ emoji: "👍" }]);
  expect(await remarks(run)).toEqual([
    "#beds: Skipped 2 reactions with :community_garden_bee:, which is not available here.",
  ]);
});
