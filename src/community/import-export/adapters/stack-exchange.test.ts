import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { resolveOldPath } from "../index.ts";
import { createAdapterSetup } from "../../../../test/support/import-export/adapter-reader.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks, count } = createAdapterSetup(database, "stack-exchange");
const SITE = "https://beans.example.com";

const xml = (name: string, rows: string[]) =>
  `\uFEFF<?xml version="1.0" ` +
  `encoding="utf-8"?>\n<${name}>\n${rows.map((row) => `  <row ${row} />`).join("\n")}\n</${name}>`;
const POSTS = [
  'Id="1" PostTypeId="1" AcceptedAnswerId="2" CreationDate="2018-02-06T20:00:00.000" ' +
    'Body="&lt;p&gt;When &lt;em&gt;exactly&lt;/em&gt;?&lt;/p&gt;" OwnerUserId="14" ' +
    'LastActivityDate="2018-02-07T00:00:00.000" Title="When are beans sown?" ' +
    'Tags="&lt;beans&gt;&lt;on-topic&gt;" ContentLicense="CC BY-SA 4.0"',
  'Id="2" PostTypeId="2" ParentId="1" CreationDate="2018-02-06T20:10:00.000" Body="&lt;p&gt;In ' +
    'May.&lt;/p&gt;" OwnerUserId="15" ContentLicense="CC BY-SA 3.0"',
  'Id="3" PostTypeId="4" CreationDate="2018-02-06T20:11:00.000" Body="About a tag."',
  'Id="4" PostTypeId="2" ParentId="1" CreationDate="2018-02-06T20:30:00.000" Body="&lt;p&gt;In ' +
    'June.&lt;/p&gt;" OwnerDisplayName="user23"',
  'Id="5" PostTypeId="1" ClosedDate="2018-03-01T00:00:00.000" CreationDate="2018-02-01T00:00:00.000" ' +
    'Body="&lt;p&gt;Moved.&lt;/p&gt;" Title="Moved here later" Tags="|peas|"',
];
const COMMENTS = [
  'Id="9" PostId="5" Text="It came late." CreationDate="2018-02-01T01:00:00.000" UserId="14"',
  'Id="10" PostId="2" Text="`Ice` saints?" CreationDate="2018-02-06T20:20:00.000" UserId="14"',
  'Id="11" PostId="99" Text="Lost." CreationDate="2018-02-06T20:21:00.000" UserId="14"',
];
const USERS = [
  'Id="14" DisplayName="Bean_Counter" AboutMe="&lt;p&gt;I &lt;b&gt;count&lt;/b&gt;.&lt;/p&gt;" ' +
    'Location="Linz" CreationDate="2018-01-01T00:00:00.000"',
  'Id="15" DisplayName="Zoë" CreationDate="2018-01-01T00:00:00.000"',
  'Id="16" DisplayName="Passer-by" CreationDate="2018-01-01T00:00:00.000"',
];
const dump = () =>
  write(
    {
      "Posts.xml": xml("posts", POSTS),
      "Comments.xml": xml("comments", COMMENTS),
      "Users.xml": xml("users", USERS),
    },
    "beans",
  );
const credit = (who: string, path: string, version = "3.0") =>
  `\n\n*${who} · [Stack Exchange](<${SITE}${path}>) · [CC BY-SA ` +
  `${version}](<https://creativecommons.org/licenses/by-sa/${version}/>)*`;

test("a dump is imported in the order of writing with author, source and licence on each post", async () => {
  const run = await bring(await dump(), SITE);
  const counter = `[Bean\\_Counter](<${SITE}/users/14>)`;
  expect(await posts()).toEqual([
    ["Moved here later", 1, "Former member", null, `Moved.${credit("Former member", "/questions/5")}`],
    ["Moved here later", 2, "Bean_Counter", 1, `It came late.${credit(counter, "/posts/comments/9")}`],
    [
      "When are beans sown?",
      1,
      "Bean_Counter",
      null,
      `When *exactly*?${credit(counter, "/questions/1", "4.0")}`,
    ],
    ["When are beans sown?", 2, "Zoë", 1, `In May.${credit(`[Zoë](<${SITE}/users/15>)`, "/a/2")}`],
    ["When are beans sown?", 3, "Bean_Counter", 2, `\`Ice\` saints?${credit(counter, "/posts/comments/10")}`],
    ["When are beans sown?", 4, "user23", 1, `In June.${credit("user23", "/a/4")}`],
  ]);
  expect(await remarks(run)).toEqual([
    "Posts.xml: Skipped 1 posts that are neither questions nor answers (such as descriptions of tags).",
    "Comments.xml: Skipped 1 comments on post 99, which is missing.",
  ]);
  expect(
    await many(
      db,
      sql`select d.tags, d.locked_at is not null as closed, d.resolved_at is not null as answered,
        p.number as by
          from discussions d left join posts p on p.id = d.answer_id order by d.title`,
    ),
  ).toEqual([
    { tags: ["peas"], closed: true, answered: false, by: null },
    { tags: ["beans", "on-topic"], closed: false, answered: true, by: 2 },
  ]);
  expect(await one(db, sql`select bio_md, location from people where username = 'bean.counter'`)).toEqual({
    bio_md: "I **count**.",
    location: "Linz",
  });
  expect(await count("people")).toBe(4);
});

test("old paths of questions and answers are redirected", async () => {
  await bring(await dump(), SITE);
  const { id } = await one(db, sql<{ id: string }>`select id from discussions where title like 'When%'`);
  for (const path of ["/questions/1", "/questions/1/when-are-beans-sown", "/q/1/14"])
    expect(await resolveOldPath(db, GUEST, path)).toEqual({ kind: "discussion", id });
  for (const path of ["/a/4", "/a/4/14", "/questions/1/when-are-beans-sown/4"])
    expect(await resolveOldPath(db, GUEST, path)).toEqual({ kind: "discussion", id, post: 4 });
});

test("a dump without the site's address gets no source links, with a warning", async () => {
  const run = await bring(await dump());
  expect((await remarks(run))[0]).toContain("Without --site");
  expect(String((await posts())[2]![4])).toContain("*Bean\\_Counter · Stack Exchange · [CC BY-SA 4.0]");
});

test("an answer stored before its question is placed after it; an answer without a question is reported", async () => {
  const at = (hour: number) => `CreationDate="2019-01-01T0${hour}:00:00.000"`;
  const run = await bring(
    await write({
      "Posts.xml": xml("posts", [
        `Id="1" PostTypeId="2" ParentId="3" ${at(2)} Body="Eight minutes." OwnerUserId="2"`,
        `Id="2" PostTypeId="2" ParentId="99" ${at(2)} Body="Lost." OwnerUserId="2"`,
        `Id="3" PostTypeId="1" AcceptedAnswerId="1" ${at(1)} Body="How long?" OwnerUserId="1" ` +
          `Title="How long to boil eggs"`,
        `Id="4" PostTypeId="2" ParentId="3" ${at(5)} Body="Ten." OwnerUserId="1"`,
      ]),
      "Comments.xml": xml("comments", [
        `Id="1" PostId="1" Text="That is hard." ${at(3)} UserId="1"`,
        `Id="2" PostId="3" Text="Whose eggs?" ${at(4)} UserId="2"`,
        `Id="3" PostId="2" Text="Lost too." ${at(4)} UserId="2"`,
      ]),
    }),
    SITE,
  );
  expect((await posts()).map(([, number, , to, body]) => [number, to, String(body).split("\n")[0]])).toEqual([
    [1, null, "How long?"],
    [2, 1, "Eight minutes."],
    [3, 2, "That is hard."],
    [4, 1, "Whose eggs?"],
    [5, 1, "Ten."],
  ]);
  expect(
    await one(db, sql`select p.number as answer from discussions d join posts p on p.id = d.answer_id`),
  ).toEqual({ answer: 2 });
  expect(await remarks(run)).toEqual([
    "Posts.xml: Skipped 1 answers to question 99, which is missing.",
    "Comments.xml: Skipped 1 comments on post 2, which is missing.",
  ]);
});

test("a truncated file is reported and its complete rows are imported", async () => {
  const cut = (text: string) => text.slice(0, text.lastIndexOf("CreationDate"));
  const run = await bring(
    await write({
      "Posts.xml": cut(xml("posts", POSTS)),
      "Comments.xml": "",
      "Users.xml": cut(xml("users", USERS)),
    }),
    SITE,
  );
  expect((await posts()).map(([title, number, by]) => [title, number, by])).toEqual([
    ["When are beans sown?", 1, "Bean_Counter"],
    ["When are beans sown?", 2, "Zoë"],
    ["When are beans sown?", 3, "user23"],
  ]);
  expect(await remarks(run)).toEqual([
    "Users.xml: It is incomplete: it ends after row 2.",
    "Comments.xml: It is incomplete: it ends after row 0.",
    "Posts.xml: It is incomplete: it ends after row 4.",
    "Posts.xml: Skipped 1 posts that are neither questions nor answers (such as descriptions of tags).",
  ]);
});

test("a second dump in the same folder is skipped and reported", async () => {
  const at = 'CreationDate="2019-01-01T00:00:00.000"';
  const cooking = {
    "cooking/Posts.xml": xml("posts", [
      `Id="1" PostTypeId="1" ${at} Body="x" OwnerUserId="1" Title="How long to boil eggs"`,
    ]),
    "cooking/Users.xml": xml("users", [`Id="1" DisplayName="Ann" ${at}`]),
  };
  const meta = {
    "meta/Posts.xml": xml("posts", [
      `Id="1" PostTypeId="1" ${at} Body="y" OwnerUserId="1" Title="About tags on meta"`,
    ]),
    "meta/Comments.xml": xml("comments", [`Id="1" PostId="1" Text="On tags" ${at} UserId="1"`]),
    "meta/Users.xml": xml("users", [`Id="1" DisplayName="Ben" ${at}`]),
  };
  const run = await bring(await write({ ...cooking, ...meta }), SITE);
  expect((await posts()).map(([title, number, by]) => [title, number, by])).toEqual([
    ["How long to boil eggs", 1, "Ann"],
  ]);
  expect(await remarks(run)).toEqual([
    "meta/Posts.xml: Skipped: it belongs to another dump. Import that one separately.",
  ]);
});

test.each([
  ["is empty", "", /Posts.xml cannot be read/],
  ["ends before its first row", "<posts><row Id=", /Posts.xml cannot be read/],
  [
    "declares entities",
    '<!DOCTYPE posts [<!ENTITY a "aaaa">]><posts><row Id="1" Body="&a;" /></posts>',
    /document type|entity/,
  ],
  ["is no XML", "<posts><row Id=1></posts>", /cannot be read/],
])("a file that %s is refused", async (_, text, sentence) => {
  await expect(bring(await write({ "Posts.xml": text }))).rejects.toMatchObject({
    reason: "invalid",
    message: expect.stringMatching(sentence),
  });
});

test.each([
  [
    "before its first row",
    '<!DOCTYPE posts SYSTEM "posts.dtd"><posts><row Id="1" /><row Id="2" /></posts>',
    0,
  ],
  ["in the middle", '<posts><row Id="1" /><row Id="2" /><row Id=3 /><row Id="4" /></posts>', 2],
])(
  "a file that is unreadable %s is refused with the number of the last readable row",
  async (_, text, row) => {
    await expect(bring(await write({ "Posts.xml": text }))).rejects.toMatchObject({
      message: expect.stringContaining(`Posts.xml cannot be read after its row ${row}: `),
    });
  },
);

test("rows before an unreadable position are imported", async () => {
  const broken = xml("users", USERS.slice(0, 1)).replace("</users>", "<row Id=99 /></users>");
  const path = await write({
    "Posts.xml": xml("posts", POSTS),
    "Comments.xml": xml("comments", COMMENTS),
    "Users.xml": broken,
  });
  await expect(bring(path, SITE)).rejects.toMatchObject({
    reason: "invalid",
    message: expect.stringContaining("Users.xml cannot be read"),
  });
  expect(await many(db, sql`select display_name as name from people`)).toEqual([{ name: "Bean_Counter" }]);
});

test("skipped files of a dump are reported with their row counts", async () => {
  const votes = Array.from({ length: 3_000 }, (_, i) => `Id="${i}" PostId="1" VoteTypeId="2"`);
  const path = await write({
    "Posts.xml": xml("posts", POSTS),
    "Users.xml": xml("users", USERS),
    "Votes.xml": xml("votes", votes),
    "Badges.xml": xml("badges", ['Id="1" UserId="14" Name="Teacher"']),
  });
  expect((await remarks(await bring(path, SITE))).slice(-2)).toEqual([
    "Badges.xml: Skipped: 1 badges.",
    "Votes.xml: Skipped: 3000 votes.",
  ]);
});
