import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { createDamagedZip } from "../../../../../test/support/import-export/damaged-zip.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = createAdapterSetup(database, "mbox");

const { TZ, TMPDIR } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ TZ, TMPDIR })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const mail = (n: number, subject: string, head: Record<string, string> = {}, body = `Mail ${n}.`) =>
  `From x Mon Mar  4 10:00:00 2019\n${Object.entries({
    From: "Kim <kim@example.org>",
    "Message-ID": `<${n}@x>`,
    Date: `Mon, 4 Mar 2019 1${n}:00:00 +0000`,
    Subject: subject,
    ...head,
  })
    .map(([key, value]) => `${key}: ${value}`)
    .join("\n")}\n\n${body}\n\n`;
const told = async () => (await posts()).map(([title, number, , to, body]) => [title, number, to, body]);

const SOWING = [
  mail(1, "When to sow?"),
  mail(2, "Re: When to sow?", { "In-Reply-To": "<1@x>" }),
  mail(3, "Re: When to sow?", { "In-Reply-To": "<2@x>" }),
  mail(4, "And when to reap?"),
  mail(5, "Re: And when to reap?", { References: "<4@x>" }),
];
const TOLD = [
  ["When to sow?", 1, null, "Mail 1."],
  ["When to sow?", 2, 1, "Mail 2."],
  ["When to sow?", 3, 2, "Mail 3."],
  ["And when to reap?", 1, null, "Mail 4."],
  ["And when to reap?", 2, 1, "Mail 5."],
];

test.each([
  ["from the newest to the oldest", [4, 3, 2, 1, 0]],
  ["in no order", [2, 4, 0, 3, 1]],
])("a list stored %s is imported in written order", async (_, order) => {
  const waiting = await write({ nothing: "" });
  process.env["TMPDIR"] = waiting;
  await bring(await write({ "garden.mbox": order.map((i) => SOWING[i]).join("") }));
  expect(await told()).toEqual(TOLD);
  expect(await one(db, sql`select min(created_at) as at from groups`)).toEqual({
    at: new Date("2019-03-04T11:00:00Z"),
  });
  expect((await readdir(waiting)).filter((it) => it.startsWith("kith-mbox-"))).toEqual([]);
});

test("an answer stored before its question follows it; the other mails keep their order whatever their dates", async () => {
  const talk = Array.from({ length: 12 }, (_, i) =>
    mail(i + 20, "Of beans", {
      Date: `Tue, 5 Mar 2019 10:${i + 10}:00 +0000`,
      ...(i > 0 && { "In-Reply-To": "<20@x>" }),
    }),
  );
  const wrong = mail(
    40,
    "Re: Of beans",
    { "In-Reply-To": "<20@x>", Date: "Fri, 4 Jan 1980 10:00:00 +0000" },
    "With an old clock.",
  );
  const early = mail(
    41,
    "Re: Of peas",
    { "In-Reply-To": "<42@x>", Date: "Wed, 6 Mar 2019 10:00:00 +0000" },
    "An answer.",
  );
  const peas = mail(42, "Of peas", { Date: "Wed, 6 Mar 2019 10:00:00 +0000" }, "A question.");
  await bring(await write({ "garden.mbox": [...talk, wrong, early, peas].join("") }));
  expect((await told()).slice(-3)).toEqual([
    ["Of beans", 13, 1, "With an old clock."],
    ["Of peas", 1, null, "A question."],
    ["Of peas", 2, 1, "An answer."],
  ]);
});

test("mails that answer each other in a circle are each imported once", async () => {
  await bring(
    await write({
      "a.mbox": mail(1, "Hen", { "In-Reply-To": "<2@x>" }) + mail(2, "Egg", { "In-Reply-To": "<1@x>" }),
    }),
  );
  expect((await told()).map(([, number, , body]) => [number, body]).sort()).toEqual([
    [1, "Mail 2."],
    [2, "Mail 1."],
  ]);
});

test("finds the answered mail among all references", async () => {
  await bring(
    await write({
      "a.mbox": [
        mail(1, "When to sow?"),
        mail(2, "Another subject", {
          "In-Reply-To": 'Message from Kim <kim@example.org> of "Mon, 4 Mar 2019" <1@x>',
        }),
        mail(3, "A third", { "In-Reply-To": "<2@x> (Kim's message of Monday)" }),
        mail(4, "A fourth", { References: "<1@x><2@x>" }),
      ].join(""),
    }),
  );
  expect(await told()).toEqual([
    ["When to sow?", 1, null, "Mail 1."],
    ["When to sow?", 2, 1, "Mail 2."],
    ["When to sow?", 3, 2, "Mail 3."],
    ["When to sow?", 4, 2, "Mail 4."],
  ]);
});

test("a reply with only a subject joins the latest thread of that subject", async () => {
  await bring(
    await write({
      "a.mbox":
        mail(1, "Weekly meeting") +
        mail(2, "Weekly meeting") +
        mail(3, "Re: Weekly meeting") +
        mail(4, "Re: Weekly meeting"),
    }),
  );
  expect((await told()).map(([, number, , body]) => [number, body])).toEqual([
    [1, "Mail 1."],
    [1, "Mail 2."],
    [2, "Mail 3."],
    [3, "Mail 4."],
  ]);
});

test("a date without a known zone is read as UTC, wherever the server runs", async () => {
  process.env["TZ"] = "America/New_York";
  await bring(
    await write({
      "a.mbox": [
        "Mon Mar  4 11:00:00 2019",
        "4 Mar 2019 12:00",
        "Mon, 4 Mar 2019 13:00:00 XYZT",
        "Mon, 4 Mar 2019 14:00:00 -0500 (EST)",
      ]
        .map((Date, i) => mail(i + 1, `Mail ${i}`, { Date }))
        .join(""),
    }),
  );
  expect(
    (await many(db, sql<{ at: Date }>`select created_at as at from posts order by 1`)).map(({ at }) =>
      at.getUTCHours(),
    ),
  ).toEqual([11, 12, 13, 19]);
});

test("ignores a future date", async () => {
  const run = await bring(
    await write({
      "a.mbox":
        mail(1, "Of now") +
        mail(2, "Of then", { Date: "Tue, 19 Jan 2038 03:14:07 +0000" }) +
        mail(3, "Of now too"),
    }),
  );
  expect(
    (await many(db, sql<{ at: Date }>`select created_at as at from posts order by 1`)).map(({ at }) =>
      at.getUTCHours(),
    ),
  ).toEqual([11, 11, 13]);
  expect(await remarks(run)).toEqual([
    "a.mbox message 2: Its date cannot be read: it is given that of the message before.",
  ]);
});

test("a flowed quotation keeps its lines", async () => {
  const flowed = (encoding: string) => ({
    "Content-Type": "text/plain; charset=utf-8; format=flowed",
    "Content-Transfer-Encoding": encoding,
  });
  await bring(
    await write({
      "a.mbox":
        mail(
          1,
          "Plain",
          flowed("8bit"),
          "> Sow where it is \n> dry à \n> \n>> And \n>> deep.\n\nI sow where \nit is wet.",
        ) + mail(2, "Quoted", flowed("quoted-printable"), "> Sow where it is=20\n> dry.\n\nYes."),
    }),
  );
  expect((await told()).map(([, , , body]) => body)).toEqual([
    "> Sow where it is\n> dry à\n>\n>> And\n>> deep.\n\nI sow where it is wet.",
    "> Sow where it is\n> dry.\n\nYes.",
  ]);
});

const packed = (...mails: string[]) => gzipSync(mails.join(""));
const [january, february, april] = ["Fri, 4 Jan 2019", "Mon, 4 Feb 2019", "Thu, 4 Apr 2019"].map((day) => ({
  Date: `${day} 10:00:00 +0000`,
}));

test.each([
  ["2019-01.mbox", "2019-02.mbox", "2019-04.mbox", "archive"],
  ["garden/2019-January.txt.gz", "garden/2019-February.txt.gz", "garden/2019-April.txt.gz", "garden"],
  [
    "garden@x.org-2019-01-2019-02.mbox.gz",
    "garden@x.org-2019-02-2019-03.mbox.gz",
    "garden@x.org-2019-04-2019-05.mbox.gz",
    "garden",
  ],
  ["garden-2019-Jan.mbox", "garden-2019-Feb.mbox", "garden-2019-Apr.mbox", "garden"],
  ["garden-201901.mbox", "garden-201902", "garden-201904.txt", "garden"],
  ["Week-of-Mon-20190101.txt", "Week-of-Mon-20190204.txt", "Week-of-Mon-20190401.txt", "archive"],
])(
  "monthly archives of a list form one group across which threads continue: %s",
  async (first, second, third, name) => {
    const of = (file: string, text: string) => ({
      [/\.\w+$/.test(file) ? file : `${file}.mbox`]: file.endsWith(".gz") ? packed(text) : text,
    });
    await bring(
      await write({
        ...of(third, mail(3, "Re: When to sow?", { ...april, "In-Reply-To": "<2@x>" })),
        ...of(first, mail(1, "When to sow?", january)),
        ...of(second, mail(2, "Another subject", { ...february, References: "<1@x>" })),
      }),
    );
    expect(await told()).toEqual(TOLD.slice(0, 3));
    expect(await many(db, sql`select name from groups`)).toEqual([{ name }]);
  },
);

test("files named after several lists become several groups", async () => {
  await bring(
    await write({
      "beans-2019-01.mbox": mail(1, "Beans"),
      "peas-2019-01.mbox": mail(1, "Peas"),
      "2020s.mbox": mail(2, "Any"),
    }),
  );
  expect(await many(db, sql`select name from groups order by name collate "C"`)).toEqual([
    { name: "2020s" },
    { name: "beans" },
    { name: "peas" },
  ]);
});

test("a truncated gzip file is reported and imported as far as readable; a misnamed one is read as it is", async () => {
  const many = Array.from({ length: 60 }, (_, i) =>
    mail(i + 10, `Of bean ${i}`, january, randomBytes(3_000).toString("hex")),
  );
  const run = await bring(
    await write({
      "a-2019-01.mbox.gz": packed(...many).subarray(0, -60_000),
      "a-2019-02.mbox.gz": mail(1, "Not packed"),
      "a-2019-03.mbox": mail(2, "Whole"),
    }),
  );
  const titles = (await told()).map(([title]) => title);
  const came = ["Of bean 1", "Of bean 59", "Not packed", "Whole"].map((title) => titles.includes(title));
  expect(came).toEqual([true, false, true, true]);
  expect(await remarks(run)).toEqual([
    expect.stringMatching(
      /^a-2019-01.mbox.gz: It is damaged, or its end is missing: what comes after its message \d+ is left out\.$/,
    ),
  ]);
});

test("a gzip bomb is skipped and the other files are imported", async () => {
  const trap = gzipSync(mail(1, "A trap") + "0".repeat(30_000_000));
  const run = await bring(
    await write({ "a-2019-01.mbox.gz": trap, "a-2019-02.mbox.gz": packed(mail(2, "Whole")) }),
  );
  expect((await told()).map(([title]) => title)).toEqual(["Whole"]);
  expect(await remarks(run)).toEqual([
    "a-2019-01.mbox.gz: Left out: This archive has a file that unpacks to more than 200 times its size (a-2019-01.mbox.gz).",
  ]);
  await expect(bring(await write({ "a.mbox.gz": trap }))).rejects.toMatchObject({ reason: "invalid" });
});

test("an unreadable file is reported and the others are imported", async () => {
  const zip = await createDamagedZip({ "a.mbox": mail(1, "When to sow?"), "b.mbox": mail(2, "Whole") }, [
    "a.mbox",
  ]);
  const run = await bring(`${await write({ "lists.zip": zip })}/lists.zip`);
  expect((await told()).map(([title]) => title)).toEqual(["Whole"]);
  expect(await remarks(run)).toEqual([
    "a.mbox: Left out: a.mbox cannot be read: it is damaged, its checksum is another.",
  ]);
});

test("reads concatenated gzip members as one file", async () => {
  const run = await bring(
    await write({
      "a-2019-01.mbox.gz": Buffer.concat([packed(mail(1, "Number one")), packed(mail(2, "Number two"))]),
    }),
  );
  expect((await told()).map(([title]) => title)).toEqual(["Number one", "Number two"]);
  expect(await remarks(run)).toEqual([]);
});

test("undated mails get the date of the first dated one, or of the import", async () => {
  const run = await bring(
    await write({
      "a.mbox": mail(1, "One", { Date: "" }) + mail(2, "Two", { Date: "soon" }) + mail(3, "Three"),
      "b.mbox": mail(4, "Four", { Date: "?" }),
    }),
  );
  const at = await many(db, sql<{ at: Date }>`select p.created_at as at from posts p order by 1`);
  expect(at.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ({ at: new Date("2019-03-04T13:00:00Z") })));
  expect(Math.abs(at[3]!.at.getTime() - run.createdAt.getTime())).toBeLessThan(1_000);
  const given = "Its date cannot be read: it is given";
  expect(await remarks(run)).toEqual([
    ...[1, 2].map((n) => `a.mbox message ${n}: ${given} that of the first message which has one.`),
    `b.mbox message 1: ${given} the time of the import.`,
  ]);
});

test("mails whose ids differ only near the end stay separate", async () => {
  const long = (end: string) => ({ "Message-ID": `<${"i".repeat(300)}${end}@x>` });
  await bring(
    await write({ "a.mbox": mail(1, "When to sow?", long("1")) + mail(2, "And when to reap?", long("2")) }),
  );
  expect((await told()).map(([title]) => title)).toEqual(["When to sow?", "And when to reap?"]);
});
