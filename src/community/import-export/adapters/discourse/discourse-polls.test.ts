import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { discoursePost, discourseTopic } from "../../../../../test/support/import-export/discourse-export.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "discourse");

const cooked = (name: string) =>
  `<p>Which?</p><div class="poll" data-poll-name="${name}" data-poll-status="open"><div><div class="poll-container">
<ul><li data-poll-option-id="a">Beans</li>
   <li data-poll-option-id="b">Peas</li></ul></div>
<div class="poll-info"><span class="info-number">3</span> voters</div></div></div>`;
const poll = (votes: [number, number], more: object = {}) => ({
  name: "poll",
  type: "regular",
  status: "open",
  results: "always",
  options: [
    { id: "a", html: "Beans &amp; *more*", votes: votes[0] },
    { id: "b", html: "Peas", votes: votes[1] },
  ],
  ...more,
});
const voters = (...names: string[][]) => ({
  preloaded_voters: Object.fromEntries(
    names.map((all, i) => ["ab"[i]!, all.map((username, id) => ({ id, username }))]),
  ),
});

test("a complete poll is imported as a poll, and an incomplete poll as a list with counts", async () => {
  const polls = [
    [
      poll([2, 1], {
        type: "multiple",
        max: 2,
        results: "on_vote",
        close: "2020-06-01T00:00:00Z",
        ...voters(["Kim", "ann"], ["Kim"]),
      }),
    ],
    [poll([2, 1], voters(["kim"], ["ann"]))],
    [poll([0, 0], { status: "closed", name: "other" }), poll([4, 0], { title: "Beans or <i>peas</i>" })],
    [poll([0, 0], { results: "staff_only" })],
    [
      poll([0, 0], {
        type: "ranked_choice",
        options: [
          { id: "a", html: "Beans" },
          { id: "b", html: "Peas" },
        ],
      }),
    ],
    "none",
  ];
  const all = polls.map((it, i) => discoursePost(70 + i, i + 1, "sam", cooked("poll"), { polls: it }));
  const run = await bring(await write({ "7.json": discourseTopic(7, all) }));
  expect((await posts()).map(([, , , , body]) => body)).toEqual([
    "Which?",
    "Which?\n\n- Beans & \\*more\\* (2)\n- Peas (1)",
    "Which?\n\n**Beans or peas**\n\n- Beans & \\*more\\* (4)\n- Peas (0)",
    "Which?\n\n- Beans & \\*more\\* (0)\n- Peas (0)",
    "Which?\n\n- Beans\n- Peas",
    "Which?\n\n- Beans\n- Peas",
  ]);
  const rows = await many(
    db,
    sql`select p.number, y.most, y.results, y.closes_at as closes, (select json_agg(text order by position)
      from poll_options o where o.post_id = p.id) as options,
          (select json_agg(a.username || ' ' || v.position order by v.position, a.username) from poll_votes v
            join people a on a.id = v.person_id where v.post_id = p.id) as votes
        from polls y join posts p on p.id = y.post_id order by p.number`,
  );
  const options = ["Beans & *more*", "Peas"];
  expect(rows).toEqual([
    {
      number: 1,
      most: 2,
      results: "voted",
      closes: new Date("2020-06-01T00:00:00Z"),
      options,
      votes: ["ann 1", "kim 1", "kim 2"],
    },
    { number: 3, most: 1, results: "always", closes: new Date("2020-05-03T10:00:00Z"), options, votes: null },
  ]);
  expect((await remarks(run)).filter((it) => it.includes(", post"))).toEqual([]);
});

test("a post is marked as edited only if its version says so", async () => {
  const edited = { updated_at: "2021-01-01T00:00:00Z" };
  const all = [
    edited,
    { ...edited, version: 1 },
    { ...edited, version: 3 },
    { version: 2, updated_at: "then" },
  ].map((more, i) => discoursePost(70 + i, i + 1, "sam", "x", more));
  await bring(await write({ "7.json": discourseTopic(7, all) }));
  expect(
    (await many(db, sql<{ at: Date | null }>`select edited_at as at from posts order by number`)).map(
      ({ at }) => at,
    ),
  ).toEqual([null, null, new Date("2021-01-01T00:00:00Z"), new Date("2020-05-04T10:00:00Z")]);
});

test("pictures hosted by the forum are reported if the forum's address is unknown", async () => {
  const text =
    '<p><img src="/uploads/a.png" alt="A bean"> <a href="/uploads/b.pdf">b</a> <a href="/t/7">here</a> ' +
    '<a href="https://x.org">x</a> <a href="#top">up</a></p>';
  const path = await write({ "7.json": discourseTopic(7, [discoursePost(71, 1, "sam", text)]) });
  const isSiteHint = (it: string) => it.includes("--site");
  expect((await remarks(await bring(path))).filter(isSiteHint)).toEqual([
    "archive: 2 pictures and links point to the forum, whose address is unknown: set it with --site.",
  ]);
  expect((await remarks(await bring(path, "https://forum.example.org"))).filter(isSiteHint)).toEqual([]);
});
