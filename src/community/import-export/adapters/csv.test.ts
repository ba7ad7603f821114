import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../test/support/import-export/adapter-reader.ts";
import { detectCsvDialect } from "./csv.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "csv");

test("resources, links, documents and comments are imported, and an unknown table is reported", async () => {
  const run = await bring(
    await write({
      "members.csv": "username\nkim\n",
      "groups.csv": "name\nGarden talk\n",
      "resources.csv":
        "id,group,owner,title,url,description,text,tags,created at\n1,Garden talk,kim,Sowing by the " +
        "moon,https://example.org/moon,Try it,,moon,2019-03-01\n2,,kim,How to " +
        "sow,,,Early.,,2019-03-02\n3,,kim,,https://example.org,,,,2019-03-02\n",
      "posts.csv": "resource,author,text,date\n1,kim,I did.,2019-03-03\n",
      "votes.csv": "post,user\n1,kim\n",
    }),
  );
  expect(
    await many(
      db,
      sql`select title, kind, url, why, body_md as body, tags, group_id is not null as grouped,
        comments_count as comments from resources order by created_at`,
    ),
  ).toEqual([
    {
      title: "Sowing by the moon",
      kind: "link",
      url: "https://example.org/moon",
      why: "Try it",
      body: "",
      tags: ["moon"],
      grouped: true,
      comments: 1,
    },
    {
      title: "How to sow",
      kind: "document",
      url: null,
      why: "",
      body: "Early.",
      tags: [],
      grouped: false,
      comments: 0,
    },
  ]);
  expect(await remarks(run)).toEqual([
    "votes.csv: Skipped: unknown table. Known tables are members, groups, memberships, resources, " +
      "discussions, posts and reactions.",
    "resources.csv row 3: Skipped: its title is empty.",
  ]);
});

test("tables with common column names are imported", async () => {
  const run = await bring(
    await write({
      "Members.csv": Buffer.from(
        "Username;E-Mail;Display name;Joined;Shoe size\nzoë;zoe@example.org;Zoë Müller;01.03.2019 " +
          "08:00;38\nkim;;Kim;2019-03-02;\n",
        "latin1",
      ),
      "groups.csv": 'name,visibility,join policy,description\nGarden talk,public,open,"Beds, beans"\n',
      "memberships.csv": "Group,User,Role\nGarden talk,zoë,owner\nGarden talk,nobody,member\n",
      "discussions.tsv":
        "id\tgroup\tauthor\ttitle\tcreated at\ttags\n1\tGarden talk\tzoë\tWhen to sow?\t2019-03-04 " +
        "10:00\tbeans, peas\n",
      "posts.csv":
        '\uFEFFid,discussion,author,text,date,reply to\na,1,zoë,"Two lines,\nand a ' +
        '""quote""",2019-03-04T10:00:00Z,\nb,1,kim,In May.,2019-03-04 11:00:00,a\nc,1,kim,Again.,03/04/2019,a\n',
    }),
  );
  expect(await posts()).toEqual([
    ["When to sow?", 1, "Zoë Müller", null, 'Two lines,\nand a "quote"'],
    ["When to sow?", 2, "Kim", 1, "In May."],
  ]);
  expect((await remarks(run)).sort()).toEqual([
    "Members.csv: Skipped unknown columns: Shoe size.",
    "memberships.csv row 2: Skipped: it refers to the user nobody, which does not precede it.",
    "posts.csv row 3: Skipped: its createdAt is not a date between 1970 and 2100.",
  ]);
  expect(await one(db, sql`select purpose, members_count as members from groups`)).toEqual({
    purpose: "Beds, beans",
    members: 1,
  });
  expect(await one(db, sql`select tags from discussions`)).toEqual({ tags: ["beans", "peas"] });
  expect(await many(db, sql`select created_at as at from people order by created_at`)).toEqual([
    { at: new Date("2019-03-01T08:00:00Z") },
    { at: new Date("2019-03-02T00:00:00Z") },
  ]);
});

test.each([
  [
    "Mailchimp",
    "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME",
    "rosa@example.org,Rosa,Fern,2,2021-03-04 10:00:00",
    "2021-03-04T10:00",
  ],
  [
    "Google",
    "Name,Given Name,Family Name,E-mail 1 - Type,E-mail 1 - Value",
    "Rosa Fern,Rosa,Fern,* Home,rosa@example.org",
    "",
  ],
  ["Outlook", "First Name,Last Name,E-mail Address,E-mail 2 Address", "Rosa,Fern,rosa@example.org,", ""],
  [
    "WordPress",
    "user_login,user_email,user_registered,display_name",
    "rosa,rosa@example.org,2021-03-04 10:00:00,Rosa Fern",
    "2021-03-04T10:00",
  ],
  [
    "a German club",
    "Vorname;Nachname;E-Mail;Eintritt",
    "Rosa;Fern;rosa@example.org;04.03.2021",
    "2021-03-04T00:00",
  ],
  [
    "a French one",
    "Prénom;Nom;Courriel;Date d'adhésion",
    "Rosa;Fern;rosa@example.org;31/03/2021",
    "2021-03-31T00:00",
  ],
  [
    "a Spanish one",
    "Nombre,Apellidos,Correo electrónico,Fecha de alta",
    "Rosa,Fern,rosa@example.org,2021-03-04",
    "2021-03-04T00:00",
  ],
  [
    "an Arabic one",
    "الاسم الأول,اسم العائلة,البريد الإلكتروني,تاريخ الانضمام",
    "Rosa,Fern,rosa@example.org,2021-03-04",
    "2021-03-04T00:00",
  ],
])("members are imported from a table written by %s", async (_, header, row, at) => {
  await bring(await write({ "members.csv": `\uFEFF${header}\n${row}\n` }));
  const found = await one(
    db,
    sql<{ name: string; email: string; at: Date }>`
      select p.display_name as name, g.email, p.created_at as at from people p
      join imported_accounts g on g.person_id = p.id`,
  );
  expect([found.name, found.email, found.at.toISOString().startsWith(at)]).toEqual([
    "Rosa Fern",
    "rosa@example.org",
    true,
  ]);
});

test("an unreadable date is omitted, and the person is imported", async () => {
  const run = await bring(
    await write({
      "members.csv": "username,name,joined\nada,Ada,03/04/2024\nkim,Kim,13/04/2024\nlee,Lee,soon\n",
    }),
  );
  expect(await many(db, sql`select username from people order by 1`)).toEqual(
    ["ada", "kim", "lee"].map((username) => ({ username })),
  );
  expect(await one(db, sql`select created_at as at from people where username = 'kim'`)).toEqual({
    at: new Date("2024-04-13"),
  });
  expect(await remarks(run)).toEqual([
    "members.csv row 1: Skipped its createdAt, which is not a readable date: 03/04/2024",
    "members.csv row 3: Skipped its createdAt, which is not a readable date: soon",
  ]);
});

test("timestamps in PostgreSQL format are accepted", async () => {
  const timestamps = [
    "2020-01-01 10:00:00+00",
    "2020-01-01 10:00:00.123456+02",
    "2020-01-01 10:00-03",
    "2020-01-01 10:00:00+05:30",
    "2020-01-01",
  ];
  const run = await bring(
    await write({
      "groups.csv": `id,name,created\n${timestamps.map((it, i) => `${i},Group ${i},${it}`).join("\n")}\n`,
    }),
  );
  expect(await remarks(run)).toEqual([]);
  expect(
    (await many(db, sql<{ at: Date }>`select created_at as at from groups order by name`)).map(({ at }) =>
      at.toISOString(),
    ),
  ).toEqual([
    "2020-01-01T10:00:00.000Z",
    "2020-01-01T08:00:00.123Z",
    "2020-01-01T13:00:00.000Z",
    "2020-01-01T04:30:00.000Z",
    "2020-01-01T00:00:00.000Z",
  ]);
});

test("a declared separator, UTC times, capital letters and two columns for one field are supported", async () => {
  const run = await bring(
    await write({
      "users.csv":
        "\uFEFFsep=;\r\nusername;name;display name;created_at\r\nkim;Kim;;2019-03-01 08:00:00 " +
        "UTC\r\nlee;;Lee;2019-03-02 08:00:00 GMT\r\n",
      "groups.csv": "id,name,visibility,join policy\n1,Garden talk,Public,OPEN\n",
      "memberships.csv": "group_id,user_id,role\n1,kim,Owner\n",
      "discussions.csv":
        "id,group_id,author_id,title,created_at\n1,1,kim,When to sow?,2019-03-04 10:00:00 UTC\n",
      "posts.csv":
        "id,discussion_id,author_id,body,created_at,reply_to_id\n1,1,kim,When?,2019-03-04 10:00:00 " +
        "UTC,\n2,1,lee,In May.,2019-03-04 11:00:00 UTC,1\n",
    }),
  );
  expect(await remarks(run)).toEqual([]);
  expect(await posts()).toEqual([
    ["When to sow?", 1, "Kim", null, "When?"],
    ["When to sow?", 2, "Lee", 1, "In May."],
  ]);
  expect(
    await one(db, sql`select visibility, join_policy as policy, members_count as members from groups`),
  ).toEqual({
    visibility: "public",
    policy: "open",
    members: 1,
  });
  expect(await one(db, sql`select max(created_at) as at from posts`)).toEqual({
    at: new Date("2019-03-04T11:00:00Z"),
  });
});

describe("a CSV table", () => {
  test.each([
    ["UTF-8 with commas", Buffer.from("a,b\n1,ö"), "utf-8", ","],
    ["semicolons", Buffer.from("a;b;c,d\n"), "utf-8", ";"],
    ["tabs", Buffer.from("a\tb\n"), "utf-8", "\t"],
    ["vertical bars", Buffer.from("a|b\n"), "utf-8", "|"],
    ["Windows-1252", Buffer.from("a,\xf6\n", "latin1"), "windows-1252", ","],
    ["UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("a;b\n", "utf16le")]), "utf-16le", ";"],
    ["a truncated letter", Buffer.from("a,ö").subarray(0, 3), "utf-8", ","],
  ])("has its encoding and delimiter detected: %s", (_, bytes, encoding, delimiter) =>
    expect(detectCsvDialect(bytes)).toEqual({ encoding, delimiter }),
  );

  test("gets reported if it stops being UTF-8 after many rows", async () => {
    const rows = Array.from({ length: 2_000 }, (_, i) => `${i},Group number ${i} of quite a few`).join("\n");
    const run = await bring(
      await write({ "groups.csv": Buffer.from(`id,name\n${rows}\n2000,Grüße aus Köln\n`, "latin1") }),
    );
    expect(await remarks(run)).toEqual([
      expect.stringMatching(/^groups\.csv: groups\.csv is not UTF-8 after its row \d+/),
    ]);
    expect(await many(db, sql`select from groups where name like 'Gr_%aus%'`)).toEqual([]);
  });

  test("damaged in the middle does not prevent other tables from importing", async () => {
    const run = await bring(
      await write({
        "members.csv": `username,name\nkim,Kim\nzoë,"${"x".repeat(4_100_000)}`,
        "groups.csv": "id,name\n1,Garden talk\n",
        "discussions.csv": "id,group,author,title,created at\n1,1,kim,When to sow?,2019-03-04\n",
      }),
    );
    expect(await many(db, sql`select title from discussions`)).toEqual([{ title: "When to sow?" }]);
    expect(await remarks(run)).toEqual([
      expect.stringMatching(/^members\.csv: members\.csv cannot be read after its row 1: /),
    ]);
  });

  test("gets reported if it is empty", async () => {
    const run = await bring(await write({ "groups.csv": "", "posts.csv": "id,body\n" }));
    expect(await remarks(run)).toEqual(["groups.csv: It has no rows.", "posts.csv: It has no rows."]);
  });

  test("without a recognizable name is refused", async () => {
    await expect(bring(await write({ "stuff.csv": "a,b\n1,2\n" }))).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("with an unterminated field is refused with the row", async () => {
    await expect(
      bring(await write({ "posts.csv": `id,body\n1,"${"x".repeat(4_100_000)}` })),
    ).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringContaining("after its row 0"),
    });
  });
});
