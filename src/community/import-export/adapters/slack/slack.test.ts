import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { slackToMarkdown } from "./slack-text.ts";
import {
  SLACK_CHANNELS,
  slackMessage,
  slackFiles,
} from "../../../../../test/support/import-export/slack-export.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "slack");

test("channels become groups, threads become discussions, and other messages one discussion per day", async () => {
  const run = await bring(await write(slackFiles({ "dms.json": "[]" })));
  expect(await posts()).toEqual([
    ["garden-talk, 2016-01-14", 1, "Mo", null, "Hello **Lee Gone**"],
    [
      "garden-talk, 2016-01-14",
      2,
      "Builder",
      null,
      "> [CI](<http://ci.example.org/?a=1&b=2>)\n> \n> Green & [good](<http://ci.example.org>)",
    ],
    ["When do we sow?", 1, "Mo", null, "When do we **sow**?"],
    ["When do we sow?", 2, "Lee Gone", 1, "In May."],
    ["When do we sow?", 3, "Former member", 1, "Late answer"],
    [
      "garden-talk, 2016-01-15",
      1,
      "Lee Gone",
      null,
      "A picture\n\n[bed.png](<https://files.slack.com/bed.png?t=xoxe>)",
    ],
  ]);
  expect(await remarks(run)).toEqual([
    "dms.json: Skipped: private direct messages are not imported.",
    "#garden-talk: Skipped 1 system messages.",
    "#garden-talk: 1 messages cannot be read.",
    "#garden-talk: 1 files are links only: Slack hosts them, and the links may expire.",
  ]);
  expect(await one(db, sql`select slug, purpose, visibility, members_count as members from groups`)).toEqual({
    slug: "garden-talk",
    purpose: "Beds & beans",
    visibility: "private",
    members: 2,
  });
  expect(await many(db, sql`select emoji from reactions order by emoji`)).toEqual([
    { emoji: ":our_cat:" },
    { emoji: "👍" },
  ]);
  expect(await many(db, sql`select email from imported_accounts`)).toEqual([{ email: "mo@example.org" }]);
});

test.each([
  [
    "<@U1> and <@U8> in <#C1|garden> and <#C1>, <!here> <!subteam^S1|@crew>",
    "**Mo** and **somebody** in #garden and #garden-talk, **here** **crew**",
  ],
  [
    "<https://example.org/?a=1&amp;b=2|see [this]> <https://example.org> <mailto:a@example.org|a@example.org>",
    "[see \\[this\\]](<https://example.org/?a=1&b=2>) <https://example.org> [a@example.org](<mailto:a@example.org>)",
  ],
  ["<javascript:alert(1)|click>", "click"],
  [
    "*bold* _it_ ~gone~ 2*3*4 a_b_c :tada: :not_there:",
    "**bold** *it* ~~gone~~ 2\\*3\\*4 a_b_c 🎉 :not_there:",
  ],
  ["`*code* &lt;b&gt; <http://x.org|x.org>` *b*", "`*code* <b> http://x.org` **b**"],
  ["1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"],
  [
    "&gt; we should sell <#C1>\n&gt; and `the house`\nI *disagree*\nentirely",
    "> we should sell #garden-talk\n> and `the house`\n\nI **disagree**\nentirely",
  ],
  ["So:\n&gt;&gt;&gt; all of it\nand this", "So:\n> all of it\n> and this"],
  [
    "*<@U1>* _<https://x.org|x>_ ~<#C1>~, *by <@U1> and _<@U1>_* *<!here>*",
    "**Mo** *[x](<https://x.org>)* ~~#garden-talk~~, **by Mo and *Mo*** **here**",
  ],
  [
    "*`a*b`* *run `x` now* _*both*_ *_both_* ~*all*~",
    "**`a*b`** **run `x` now** ***both*** ***both*** ~~**all**~~",
  ],
  ["* no * _ no _ *no\nno* MY_OWN_NAME", "\\* no * _ no _ \\*no\nno\\* MY_OWN_NAME"],
  ["• one\n    ◦ two\n• three\nand words", "- one\n    - two\n- three\n\nand words"],
  ["&gt; # none either", "> \\# none either"],
  ["# no heading\n#channel\n`#`\nnone\n---", "\\# no heading\n#channel\n`#`\nnone\n\\---"],
  ["```\n&gt; code\nmore\n```", "```\n> code\nmore\n```"],
])("Slack text is converted: %s", (text, markdown) =>
  expect(
    slackToMarkdown(text, { user: (id) => ({ U1: "Mo" })[id], channel: (id) => ({ C1: "garden-talk" })[id] }),
  ).toBe(markdown),
);

test("a channel folder is found in any Unicode form, and unlisted folders are reported", async () => {
  const channels = [...SLACK_CHANNELS, { id: "C2", name: "bücher" }];
  const run = await bring(
    await write(
      slackFiles({
        "channels.json": JSON.stringify(channels),
        "bu\u0308cher/2016-01-14.json": JSON.stringify([slackMessage("1452780000.000100", "U1", "A word")]),
        "garden/2016-01-14.json": "[]",
        "Pläne/2016-01-14.json": "[]",
        "D1/2016-01-14.json": "[]",
        "mpdm-mo--lee-1/2016-01-14.json": "[]",
        "dms.json": JSON.stringify([{ id: "D1", members: ["U1", "U2"] }]),
        "mpims.json": JSON.stringify([{ id: "G1", name: "mpdm-mo--lee-1" }]),
      }),
    ),
  );
  expect((await posts()).map(([title]) => title)).toContain("bücher, 2016-01-14");
  const unnamed = "Skipped: no list contains a channel with this name.";
  expect((await remarks(run)).filter((it) => it.includes("/:"))).toEqual([
    `Pläne/: ${unnamed}`,
    `garden/: ${unnamed}`,
  ]);
});

test("edit and delete notices are skipped", async () => {
  const messages = [
    slackMessage("1452780000.000100", "U1", "Current"),
    { type: "message", subtype: "message_changed", ts: "1452780001.000100", message: { text: "Current" } },
    { type: "message", subtype: "message_deleted", ts: "1452780002.000100" },
  ];
  const run = await bring(
    await write(
      slackFiles({
        "garden-talk/2016-01-14.json": JSON.stringify(messages),
        "garden-talk/2016-01-15.json": "[]",
      }),
    ),
  );
  expect((await posts()).map((post) => post.at(-1))).toEqual(["Current"]);
  expect(await remarks(run)).toEqual(["#garden-talk: Skipped 2 system messages."]);
});

test("a thread with a deleted first message stays together behind a stub", async () => {
  const head = "1452780200.000100";
  const tombstone = {
    type: "message",
    subtype: "tombstone",
    user: "USLACKBOT",
    hidden: true,
    text: "This message was deleted.",
  };
  const messages = [
    { ...tombstone, ts: head, thread_ts: head, reply_count: 3 },
    slackMessage("1452780300.000100", "U2", "In *May*.", { thread_ts: head, parent_user_id: "U1" }),
    { ...tombstone, ts: "1452780301.000100", thread_ts: head },
    { ...tombstone, ts: "1452780400.000100", thread_ts: "1452780400.000100", reply_count: 1 },
  ];
  const later = [
    slackMessage("1452866400.000100", "U1", "Or later", { thread_ts: head }),
    slackMessage("1452866500.000100", "U2", "To whom?", { thread_ts: "1452780400.000100" }),
  ];
  const run = await bring(
    await write(
      slackFiles({
        "garden-talk/2016-01-14.json": JSON.stringify(messages),
        "garden-talk/2016-01-15.json": JSON.stringify(later),
      }),
    ),
  );
  expect(await posts()).toEqual([
    ["Re: In May.", 1, "Mo", null, ""],
    ["Re: In May.", 2, "Lee Gone", 1, "In **May**."],
    ["Re: In May.", 3, "Mo", 1, "Or later"],
    ["garden-talk, a thread", 1, "Former member", null, ""],
    ["garden-talk, a thread", 2, "Lee Gone", 1, "To whom?"],
  ]);
  expect(await many(db, sql`select distinct state from posts where number = 1`)).toEqual([
    { state: "deleted_by_author" },
  ]);
  expect(await remarks(run)).toEqual(["#garden-talk: Skipped 1 system messages."]);
});

test("a message that consists only of blocks gets their text", async () => {
  const words = (text: string, style?: object) => ({ type: "text", text, ...(style && { style }) });
  const rich = [
    {
      type: "rich_text_section",
      elements: [
        words("Dear "),
        { type: "user", user_id: "U2" },
        words(", a < b "),
        words("and bold ", { bold: true }),
        { type: "emoji", name: "tada" },
        words(" "),
        { type: "link", url: "https://example.org/?a=1&b=2", text: "here" },
      ],
    },
    {
      type: "rich_text_list",
      style: "ordered",
      elements: [
        { type: "rich_text_section", elements: [words("one")] },
        { type: "rich_text_section", elements: [words("two")] },
      ],
    },
    { type: "rich_text_quote", elements: [words("said\nso")] },
    { type: "rich_text_section", elements: [words("answered")] },
    { type: "rich_text_preformatted", elements: [words("<b>")] },
  ];
  const blocks = [
    { type: "header", text: { type: "plain_text", text: "Deploy <1>" } },
    {
      type: "section",
      text: { type: "mrkdwn", text: "of *web* failed" },
      fields: [{ type: "mrkdwn", text: "_now_" }],
    },
    { type: "actions", elements: [{ type: "button", text: { type: "plain_text", text: "Again" } }] },
    { type: "rich_text", elements: rich },
  ];
  const messages = [
    { type: "message", subtype: "bot_message", ts: "1452780000.000100", bot_id: "B1", text: "", blocks },
    slackMessage("1452780001.000100", "U1", "", {
      attachments: [{ fallback: "[no preview available]", blocks: blocks.slice(0, 1) }],
    }),
    slackMessage("1452780002.000100", "U1", "In words", { blocks }),
    slackMessage("1452780003.000100", "U1", "", { blocks: "none" }),
  ];
  await bring(
    await write(
      slackFiles({
        "garden-talk/2016-01-14.json": JSON.stringify(messages),
        "garden-talk/2016-01-15.json": "[]",
      }),
    ),
  );
  expect((await posts()).map((post) => post.at(-1))).toEqual([
    [
      "Deploy <1>\n\nof **web** failed\n*now*\n\nDear **Lee Gone**, a < b **and bold** 🎉 " +
        "[here](<https://example.org/?a=1&b=2>)",
      "1. one\n2. two\n> said\n> so\n\nanswered\n\n```\n<b>\n```",
    ].join("\n"),
    "> Deploy <1>",
    "In words",
    "…",
  ]);
});

test("a message with an empty user is attributed to an unknown author", async () => {
  const messages = [
    slackMessage("1452780000.000100", "", "By whom?"),
    slackMessage("1452780001.000100", "", "By it", { bot_id: "", username: "Builder" }),
  ];
  await bring(
    await write(
      slackFiles({
        "garden-talk/2016-01-14.json": JSON.stringify(messages),
        "garden-talk/2016-01-15.json": "[]",
      }),
    ),
  );
  expect((await posts()).map(([, , by, , body]) => [by, body])).toEqual([
    ["Bot", "By whom?"],
    ["Builder", "By it"],
  ]);
});

test("a message that gets replies after an import stays in place; new threads become discussions", async () => {
  const [head, later] = ["1452780000.000100", "1452780500.000100"];
  const day = (more: object, ...rest: object[]) => ({
    ...slackFiles(),
    "garden-talk/2016-01-14.json": JSON.stringify([
      slackMessage(head, "U1", "When do we sow?", more),
      slackMessage("1452780100.000100", "U2", "Rain."),
      ...rest,
    ]),
    "garden-talk/2016-01-15.json": "[]",
  });
  await bring(await write(day({}), "export"));
  const laterExport = day(
    { thread_ts: head, reply_count: 1 },
    slackMessage("1452780300.000100", "U2", "In May.", { thread_ts: head }),
    slackMessage(later, "U1", "And reap?", { thread_ts: later, reply_count: 1 }),
    slackMessage("1452780600.000100", "U2", "In June.", { thread_ts: later }),
  );
  const again = await bring(await write(laterExport, "export"));
  expect(await posts()).toEqual([
    ["garden-talk, 2016-01-14", 1, "Mo", null, "When do we sow?"],
    ["garden-talk, 2016-01-14", 2, "Lee Gone", null, "Rain."],
    ["garden-talk, 2016-01-14", 3, "Lee Gone", 1, "In May."],
    ["And reap?", 1, "Mo", null, "And reap?"],
    ["And reap?", 2, "Lee Gone", 1, "In June."],
  ]);
  expect(await remarks(again)).toEqual([
    "garden-talk/2016-01-14.json message 1: Its first message was imported earlier into another " +
      "discussion: its replies were added there.",
  ]);
});
